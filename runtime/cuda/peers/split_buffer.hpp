#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "runtime/cuda/cuda.hpp"

namespace gpuseq::cuda {

/// Bytes of a range that lie on each of two devices, whole units of the memory that a device gives.
struct Halves {
  std::size_t first = 0, second = 0;
};
/// The first half of a range of at least `bytes`, no smaller than the second, and the second.
Halves halves_of(std::size_t bytes, std::size_t granularity);

/// The first other CUDA device whose kernels reach a device's memory, and the other way about.
/// @throws ResourceError with the reason where there is none, so that a state that needs it is skipped
std::shared_ptr<CudaDevice> open_peer(const CudaDevice& device);

/// Memory of two devices under one range of addresses: its first half is the first's, its second half the
/// second's. Kernels of both reach all of it. The devices must outlive it.
class SplitBuffer {
 public:
  /// @param second  a peer of the first; or the same GPU, opened once more
  /// @throws DoesNotFit if either has not the memory for its half, ResourceError if either cannot map memory
  SplitBuffer(CudaDevice& first, CudaDevice& second, std::size_t bytes);
  /// @param at_least  bytes of each device; size() is of both together, with what units of memory add
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
  /// Blocks. Each device copies its half, both at the same time. @param from  of size() bytes
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
