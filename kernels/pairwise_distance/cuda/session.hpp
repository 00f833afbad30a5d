#pragma once

#include <memory>
#include <span>
#include <vector>

#include "kernels/pairwise_distance/cuda/policy.hpp"
#include "kernels/pairwise_distance/problem.hpp"
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/peers/open_peers.hpp"

namespace gpuseq::pairwise_distance {

/// The common part of the CUDA variants' sessions: a kernel, its launch shape, its result matrices.
class CudaDistances : public DistanceSession {
 public:
  CudaDistances(DistanceProblem& problem, cuda::CudaDevice& device);
  const Distances& distances() override;
  std::optional<Resources> resources() const override;
  Cost cost() const override;
  HeldMemory held() const override;
  std::map<std::string, std::vector<double>> side_samples_s() override;
  nlohmann::json facts() const override;

 protected:
  /// Allocates the distances and, if values are missing, the numbers of compared attributes.
  /// @param packed_bytes  of the instances in the kernel's layout
  /// @throws DoesNotFit with the needed and the available memory
  void allocate(u64 packed_bytes);
  /// @param ahead_of_time  the kernel is read from the program's own image
  /// @throws ResourceError if nvcc did not compile it
  template <class Policy>
  void load(const TunedKernel<Policy>& kernels, const Policy& policy, bool ahead_of_time);
  void run(void* arguments);
  virtual Instructions instructions() const = 0;
  /// Device memory of the instances in the kernel's layout, and of its other input.
  virtual u64 instance_bytes() const = 0;
  virtual u64 workspace_bytes() const { return 0; }
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
  std::vector<double> download_s_;
};

/// Sessions of the policies' kernels.
std::unique_ptr<DistanceSession> make_session(DistanceProblem& problem, const LadderPolicy& policy,
                                              bool ahead_of_time, cuda::CudaDevice& device);
/// A part of a list of tiles. The other distances of such a session are 0.
struct TilesPart {
  u64 number = 0, of = 1;
};
std::unique_ptr<DistanceSession> make_session(DistanceProblem& problem, const TilePolicy& policy,
                                              bool ahead_of_time, cuda::CudaDevice& device,
                                              const TilesPart& part = {});
/// Distances whose tiles are shared by a GPU and its peers, each of which has all instances.
/// @param peers  of the device; or the same GPU, opened again
/// @throws as make_session()
std::unique_ptr<DistanceSession> make_session_on_gpus(DistanceProblem& problem, const TilePolicy& policy,
                                                      bool ahead_of_time, cuda::CudaDevice& device,
                                                      const cuda::Peers& peers);

/// Memory limits of a session that works in parts.
struct StreamMemory {
  u64 device_bytes;  // sum over all concurrent parts
  u64 pinned_bytes;  // on the host: bands of distances, and the instances if there is space for all
};
/// A session of a policy's kernel for all pairs, by parts.
/// @throws DoesNotFit if the memory is too small for the smallest parts, or for their bands
std::unique_ptr<DistanceSession> make_streamed_session(DistanceProblem& problem, const TilePolicy& policy,
                                                       bool ahead_of_time, cuda::CudaDevice& device,
                                                       const StreamMemory& memory);
/// @throws ResourceError if `ahead_of_time` and nvcc did not compile it
std::shared_ptr<cuda::Kernel> load_tile_kernel(const TilePolicy& policy, bool ahead_of_time,
                                               cuda::CudaDevice& device,
                                               const std::filesystem::path& cache_dir);

/// The memory of a session for all distances of data with a known alphabet.
HeldMemory tile_memory(const TilePolicy& policy, const KnownData& data);
/// The instructions of a launch. @param row_pieces  of each pass
Instructions tile_instructions(const TilePolicy& policy, u64 tiles, std::span<const u32> row_pieces);

}  // namespace gpuseq::pairwise_distance
