#pragma once

#include <cstddef>
#include <span>

#include "runtime/cuda/cuda.hpp"

namespace gpuseq::cuda {

/// Host memory that the device copies to and from at the bus's full speed. Movable; freed with its owner.
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  /// @throws ResourceError with the size if the memory cannot be had
  PinnedBuffer(CudaDevice& device, std::size_t bytes);
  ~PinnedBuffer();
  PinnedBuffer(PinnedBuffer&& other) noexcept;
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept;
  std::size_t size() const { return bytes_; }
  /// The first `count` values of what lies in it.
  template <typename T>
  std::span<T> as(std::size_t count) const {
    return {static_cast<T*>(data_), count};
  }

 private:
  CudaDevice* device_ = nullptr;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace gpuseq::cuda
