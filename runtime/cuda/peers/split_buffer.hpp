#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "runtime/cuda/cuda.hpp"

namespace gpuseq::cuda {

/// Bytes of a range on each of two devices, in whole units of the devices' memory.
struct Halves {
  std::size_t first = 0, second = 0;
};
/// The two parts of a range of at least `bytes`; the first is at least as large as the second.
Halves halves_of(std::size_t bytes, std::size_t granularity);

/// The first other CUDA device with mutual kernel access to the devices' memory.
/// @throws ResourceError with the reason if there is none, so that a state that needs it is skipped
std::shared_ptr<CudaDevice> open_peer(const CudaDevice& device);

/// Memory of two devices in one address range: the first half is on the first device, the second half on the
/// second. Kernels of both access all of it. The devices must outlive it.
class SplitBuffer {
 public:
  /// @param second  a peer of the first; or the same GPU, opened a second time
  /// @throws DoesNotFit if a device lacks the memory for its half, ResourceError if one cannot map memory
  SplitBuffer(CudaDevice& first, CudaDevice& second, std::size_t bytes);
  /// @param at_least  bytes of each device; size() is the sum, rounded up to units of memory
  SplitBuffer(CudaDevice& first, CudaDevice& second, const Halves& at_least);
  ~SplitBuffer();
  SplitBuffer(const SplitBuffer&) = delete;
  SplitBuffer& operator=(const SplitBuffer&) = delete;

  template <typename T = void>
  T* as() const {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver's addresses are integers
    return reinterpret_cast<T*>(address_);
  }
  std::size_t size() const { return bytes_; }
  const Halves& halves() const { return halves_; }
  /// Blocks. Each device copies its half, both concurrently. @param from  of size() bytes
  void upload(std::span<const std::byte> from);

 private:
  void make();
  void map(const CudaDevice& device, std::size_t offset, std::size_t bytes);
  void allow_access();
  void release() noexcept;

  CudaDevice* first_;
  CudaDevice* second_;
  std::size_t bytes_;
  Halves halves_;
  std::size_t reserved_ = 0, mapped_first_ = 0, mapped_second_ = 0;
  CUdeviceptr address_ = 0;
};

}  // namespace gpuseq::cuda
