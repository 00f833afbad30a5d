#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "probes/memory.hpp"
#include "runtime/cuda/cuda.hpp"

namespace gpuseq::probes {

/// The device sources by the names that they are included by; cmake/device_sources.cmake defines it.
std::map<std::string, std::string> device_headers();
/// Source of one entry: `header` is the .cuh of this folder that `body` needs.
KernelSource cuda_source(const std::string& name, const std::string& header, const std::string& signature,
                         const std::string& body);
KernelSource fill_granules_source();
KernelSource fill_chase_source();

/// What a launch moves at least: 1 ms at 10 TB/s.
inline constexpr std::uint64_t kBytesPerLaunch = std::uint64_t{10} << 30;

/// Shape of a launch that fills the device once.
struct LaunchShape {
  unsigned blocks = 0;
  unsigned threads_per_block = 0;
  std::uint64_t threads() const { return static_cast<std::uint64_t>(blocks) * threads_per_block; }
};

/// The shape that a point asks for, with fewer blocks per multiprocessor where so many are not resident.
LaunchShape launch_shape(const Point& point, const cuda::CudaDevice& device, const cuda::Kernel& kernel);

/// Device memory of the CUDA probes, filled on the device, and what is kept beside it: a scratch buffer for
/// results, and the kernels, so that the next footprint does not load them again.
class CudaMemory final : public Memory {
 public:
  static constexpr std::size_t kScratchBytes = 256;

  /// Memory for the footprint of a point, and only the scratch buffer for one without. @throws DoesNotFit if
  /// the device has not enough memory; std::bad_cast if it is not a CUDA device
  static std::shared_ptr<CudaMemory> of(ProbeProblem& problem, const Point& point, Device& device);

  cuda::CudaDevice& device() const { return *device_; }
  const cuda::DeviceBuffer& buffer() const { return buffer_; }
  CUdeviceptr address() const { return buffer_.address(); }
  cuda::DeviceBuffer& scratch() { return scratch_; }
  std::shared_ptr<cuda::Kernel> kernel(const KernelSource& source);

  /// As the methods of CpuMemory; complete when they return.
  void hold_granules(std::size_t bytes);
  void hold_chase(std::size_t bytes, std::size_t stride_bytes, std::uint64_t seed);

 private:
  void fill(const KernelSource& source, std::span<void* const> arguments);

  cuda::CudaDevice* device_ = nullptr;
  std::filesystem::path cache_dir_;
  std::map<std::string, std::shared_ptr<cuda::Kernel>> kernels_;  // by source text
  cuda::DeviceBuffer scratch_, buffer_;
};

/// The first word of a scratch buffer, to which kernels add by exclusive or.
void clear_checksum(CudaMemory& memory);
std::uint32_t read_checksum(CudaMemory& memory);

}  // namespace gpuseq::probes
