#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "probes/memory.hpp"
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/peers/peer_buffer.hpp"
#include "runtime/cuda/pinned_buffer.hpp"

namespace gpuseq::probes {

/// The device sources by include path; cmake/device_sources.cmake defines it.
std::map<std::string, std::string> device_headers();
/// Source of one entry: `header` is the .cuh of this folder that `body` uses.
KernelSource cuda_source(const std::string& name, const std::string& header, const std::string& signature,
                         const std::string& body);
KernelSource fill_granules_source();
KernelSource fill_chase_source();

/// Location of a CUDA probe's footprint. Host: pinned, so that kernels access it over the bus. Peer: in the
/// memory of another GPU, named by the point's axis `peer`.
enum class Side { device, host, peer };

/// Approximate number of random accesses that a check repeats on the host.
inline constexpr std::uint64_t kCheckedBlocks = 1'000'000;

/// Shape of a launch that fills the device once.
struct LaunchShape {
  unsigned blocks = 0;
  unsigned threads_per_block = 0;
  std::uint64_t threads() const { return static_cast<std::uint64_t>(blocks) * threads_per_block; }
};

/// The shape of a point, with fewer blocks per multiprocessor if not all can be resident.
LaunchShape launch_shape(const Point& point, const cuda::CudaDevice& device, const cuda::Kernel& kernel);

/// Memory of the CUDA probes, filled on the device, with a scratch buffer for results and the loaded kernels,
/// so that the next footprint need not load them again.
class CudaMemory final : public Memory {
 public:
  static constexpr std::size_t kScratchBytes = 256;

  /// Memory for the footprint of a point, or only the scratch buffer for a point without one. All memory of a
  /// probe is on one side. @throws DoesNotFit if there is not enough; ResourceError without such a peer or a
  /// link to it; std::bad_cast if it is not a CUDA device
  static std::shared_ptr<CudaMemory> of(ProbeProblem& problem, const Point& point, Device& device,
                                        Side side = Side::device);

  cuda::CudaDevice& device() const { return *device_; }
  /// For device memory only.
  cuda::DeviceBuffer& buffer() { return buffer_; }
  /// The address for kernels, on either side.
  CUdeviceptr address() const;
  cuda::DeviceBuffer& scratch() { return scratch_; }
  const cuda::DeviceBuffer& scratch() const { return scratch_; }
  std::shared_ptr<cuda::Kernel> kernel(const KernelSource& source);
  /// Bytes that a launch moves at least: a millisecond's worth, so that a launch's 5
  /// microseconds are below 1 %.
  std::uint64_t bytes_per_launch() const;

  /// Like the methods of CpuMemory; complete on return.
  void hold_granules(std::size_t bytes);
  void hold_chase(std::size_t bytes, std::size_t stride_bytes, std::uint64_t seed);
  /// Fills granules from index 0 on, after the memory described by `contents`.
  void fill_behind(std::size_t offset, std::size_t bytes);
  /// Copies from the memory after all enqueued work.
  void read(std::span<std::byte> to, std::size_t offset) const;

 private:
  std::size_t size() const { return std::max({buffer_.size(), pinned_.size(), peer_.size()}); }
  void allocate(std::size_t bytes, Side side, int peer);
  void fill(const KernelSource& source, std::span<void* const> arguments);

  cuda::CudaDevice* device_ = nullptr;
  std::filesystem::path cache_dir_;
  std::map<std::string, std::shared_ptr<cuda::Kernel>> kernels_;  // by source text
  cuda::DeviceBuffer scratch_, buffer_;
  cuda::PinnedBuffer pinned_;  // instead of buffer_
  cuda::PeerBuffer peer_;      // instead of both
};

/// Whether the granules from `first` on equal those of fill_granules(); adds the check to `result`.
/// @param way  of a copy, for the reason: "to_host"
void check_granules(std::span<const std::byte> found, std::uint64_t first, const char* way,
                    Verification& result);

/// The first word of a scratch buffer, to which kernels add by exclusive or.
void clear_checksum(CudaMemory& memory);
std::uint32_t read_checksum(CudaMemory& memory);

}  // namespace gpuseq::probes
