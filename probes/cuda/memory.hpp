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

/// The device sources by the names that they are included by; cmake/device_sources.cmake defines it.
std::map<std::string, std::string> device_headers();
/// Source of one entry: `header` is the .cuh of this folder that `body` needs.
KernelSource cuda_source(const std::string& name, const std::string& header, const std::string& signature,
                         const std::string& body);
KernelSource fill_granules_source();
KernelSource fill_chase_source();

/// Where the footprint of a CUDA probe lies. Host: pinned, so that kernels reach it over the bus. Peer:
/// in the memory of another GPU, which the point's axis `peer` names.
enum class Side { device, host, peer };

/// Random accesses that a check follows on the host, about.
inline constexpr std::uint64_t kCheckedBlocks = 1'000'000;

/// Shape of a launch that fills the device once.
struct LaunchShape {
  unsigned blocks = 0;
  unsigned threads_per_block = 0;
  std::uint64_t threads() const { return static_cast<std::uint64_t>(blocks) * threads_per_block; }
};

/// The shape that a point asks for, with fewer blocks per multiprocessor where so many are not resident.
LaunchShape launch_shape(const Point& point, const cuda::CudaDevice& device, const cuda::Kernel& kernel);

/// Memory of the CUDA probes, filled on the device, and what is kept beside it: a scratch buffer for results,
/// and the kernels, so that the next footprint does not load them again.
class CudaMemory final : public Memory {
 public:
  static constexpr std::size_t kScratchBytes = 256;

  /// Memory for the footprint of a point, and only the scratch buffer for one without. A probe has all of its
  /// memory on one side. @throws DoesNotFit if there is not enough; ResourceError without such a peer,
  /// or without a link to it; std::bad_cast if it is not a CUDA device
  static std::shared_ptr<CudaMemory> of(ProbeProblem& problem, const Point& point, Device& device,
                                        Side side = Side::device);

  cuda::CudaDevice& device() const { return *device_; }
  /// Of device memory only.
  cuda::DeviceBuffer& buffer() { return buffer_; }
  /// As kernels take it, on either side.
  CUdeviceptr address() const;
  cuda::DeviceBuffer& scratch() { return scratch_; }
  const cuda::DeviceBuffer& scratch() const { return scratch_; }
  std::shared_ptr<cuda::Kernel> kernel(const KernelSource& source);
  /// What a launch moves at least: a millisecond's worth, of which a launch's 5 microseconds are less than 1
  /// %.
  std::uint64_t bytes_per_launch() const;

  /// As the methods of CpuMemory; complete when they return.
  void hold_granules(std::size_t bytes);
  void hold_chase(std::size_t bytes, std::size_t stride_bytes, std::uint64_t seed);
  /// Granules from 0 on behind what `contents` tells of.
  void fill_behind(std::size_t offset, std::size_t bytes);
  /// What memory holds, after all that was enqueued before.
  void read(std::span<std::byte> to, std::size_t offset) const;

 private:
  std::size_t size() const { return std::max({buffer_.size(), pinned_.size(), peer_.size()}); }
  void allocate(std::size_t bytes, Side side, int peer);
  void fill(const KernelSource& source, std::span<void* const> arguments);

  cuda::CudaDevice* device_ = nullptr;
  std::filesystem::path cache_dir_;
  std::map<std::string, std::shared_ptr<cuda::Kernel>> kernels_;  // by source text
  cuda::DeviceBuffer scratch_, buffer_;
  cuda::PinnedBuffer pinned_;  // in place of buffer_
  cuda::PeerBuffer peer_;      // in place of both
};

/// Whether the granules from `first` on are what fill_granules() makes; adds them to `result`.
/// @param way  of a copy, for the reason: "to_host"
void check_granules(std::span<const std::byte> found, std::uint64_t first, const char* way,
                    Verification& result);

/// The first word of a scratch buffer, to which kernels add by exclusive or.
void clear_checksum(CudaMemory& memory);
std::uint32_t read_checksum(CudaMemory& memory);

}  // namespace gpuseq::probes
