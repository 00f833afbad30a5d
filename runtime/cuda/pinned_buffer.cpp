#include "runtime/cuda/pinned_buffer.hpp"

#include <fmt/format.h>

#include <stdexcept>
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

void PinnedBuffer::enqueue_download(const DeviceBuffer& from, const RowsPlace& to, CUstream stream) {
  if (to.rows == 0 || to.row_bytes == 0) return;
  if (to.row_bytes > to.pitch)
    throw std::out_of_range(
        fmt::format("rows of {} bytes every {} bytes overlap one another", to.row_bytes, to.pitch));
  check_range(0, to.rows * to.row_bytes, from.size());
  check_range(to.first_byte, (to.rows - 1) * to.pitch + to.row_bytes, bytes_);
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = from.address();
  copy.srcPitch = to.row_bytes;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = as<std::byte>(bytes_).data() + to.first_byte;
  copy.dstPitch = to.pitch;
  copy.WidthInBytes = to.row_bytes;
  copy.Height = to.rows;
  device_->make_current();
  check(driver().memcpy_2d_async(&copy, stream), "cuMemcpy2DAsync to pinned memory");
}

}  // namespace gpuseq::cuda
