#pragma once

#include <cstddef>
#include <span>

#include "runtime/cuda/cuda.hpp"

namespace gpuseq::cuda {

/// Location of rows in a buffer with longer rows.
struct RowsPlace {
  std::size_t first_byte = 0;  // of the first row
  std::size_t pitch = 0;       // bytes between the starts of consecutive rows
  std::size_t row_bytes = 0, rows = 0;
};

/// Host memory that the device copies to and from at the bus's full speed. Movable; freed with its owner.
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  /// @throws ResourceError with the size if the memory is not available
  PinnedBuffer(CudaDevice& device, std::size_t bytes);
  ~PinnedBuffer();
  PinnedBuffer(PinnedBuffer&& other) noexcept;
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept;
  std::size_t size() const { return bytes_; }
  /// The first `count` values of its content.
  template <typename T>
  std::span<T> as(std::size_t count) const {
    return {static_cast<T*>(data_), count};
  }
  /// Enqueues a copy of consecutive rows from the beginning of a device buffer, and returns at once. Both
  /// buffers must live until it is done.
  /// @throws std::out_of_range if rows overlap or leave a buffer; CudaError if the pitch exceeds the limit of
  /// the device's copies (2^31 - 1)
  void enqueue_download(const DeviceBuffer& from, const RowsPlace& to, CUstream stream);

 private:
  CudaDevice* device_ = nullptr;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace gpuseq::cuda
