#include "runtime/cuda/pinned_buffer.hpp"

#include <fmt/format.h>

#include <utility>

#include "runtime/contract/errors.hpp"
#include "runtime/cuda/driver_api.hpp"

namespace gpuseq::cuda {

PinnedBuffer::PinnedBuffer(CudaDevice& device, std::size_t bytes) : device_(&device), bytes_(bytes) {
  if (bytes == 0) return;
  device.make_current();
  const CUresult status = driver().mem_alloc_host(&data_, bytes);
  if (status == CUDA_ERROR_OUT_OF_MEMORY)
    throw ResourceError(fmt::format("{} bytes of host memory cannot be pinned for {}", bytes, device.id()));
  check(status, fmt::format("cuMemAllocHost of {} bytes", bytes));
}

PinnedBuffer::~PinnedBuffer() {
  if (data_ == nullptr) return;
  try {
    device_->make_current();
    driver().mem_free_host(data_);
  } catch (const std::exception&) {
    // The context is lost, and the memory with it.
  }
}

PinnedBuffer::PinnedBuffer(PinnedBuffer&& other) noexcept
    : device_(std::exchange(other.device_, nullptr)),
      data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

PinnedBuffer& PinnedBuffer::operator=(PinnedBuffer&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace gpuseq::cuda
