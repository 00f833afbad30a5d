#pragma once

#include <memory>
#include <span>
#include <vector>

#include "kernels/pairwise_distance/cuda_policy.hpp"
#include "kernels/pairwise_distance/problem.hpp"
#include "runtime/cuda/cuda.hpp"

namespace gpuseq::pairwise_distance {

/// What the sessions of CUDA variants share: a kernel, its launch shape, the matrices it leaves.
class CudaDistances : public DistanceSession {
 public:
  CudaDistances(DistanceProblem& problem, cuda::CudaDevice& device);
  const Distances& distances() override;
  std::optional<Resources> resources() const override;
  std::map<std::string, std::vector<double>> side_samples_s() override;
  nlohmann::json facts() const override;

 protected:
  /// Takes memory for the distances and, if values are missing, for the attributes compared.
  /// @param packed_bytes  of the instances as the kernel reads them
  /// @throws DoesNotFit with what all of it needs and what there is
  void allocate(u64 packed_bytes);
  /// @param source  of the kernel; read from the program's own image if it is ahead of time
  void load(const KernelSource& source, bool ahead_of_time);
  void run(void* arguments);
  u64 count() const { return problem_.instances().count; }

  cuda::CudaDevice& device_;
  cuda::DeviceBuffer sums_, compared_;
  std::shared_ptr<cuda::Kernel> kernel_;
  unsigned blocks_ = 0, threads_ = 0, shared_bytes_ = 0;
  double upload_s_ = 0;
  bool launched_ = false;

 private:
  std::string name_;
  u64 packed_bytes_ = 0;
  Distances found_;
  double load_s_ = 0;
};

/// What a policy is chosen for on a device.
PairShape shape_of(const DistanceProblem& problem, const cuda::CudaDevice& device);

/// A session of a ladder's kernel.
std::unique_ptr<DistanceSession> prepare_ladder(DistanceProblem& problem, Mapping mapping, const Point& point,
                                                cuda::CudaDevice& device);
/// A session of a tile kernel.
std::unique_ptr<DistanceSession> prepare_tiles(DistanceProblem& problem, Mapping mapping, const Point& point,
                                               cuda::CudaDevice& device);

}  // namespace gpuseq::pairwise_distance
