#include <fmt/core.h>

#include <stdexcept>
#include <utility>

#include "runtime/contract/errors.hpp"
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/driver_api.hpp"

namespace gpuseq::cuda {

void check_range(std::size_t offset, std::size_t count, std::size_t size) {
  if (offset > size || count > size - offset)
    throw std::out_of_range(
        fmt::format("copy of {} bytes at offset {} leaves a device buffer of {} bytes", count, offset, size));
}

DeviceBuffer::DeviceBuffer(CudaDevice& device, std::size_t bytes) : device_(&device), bytes_(bytes) {
  if (bytes == 0) return;  // the driver rejects empty allocations
  device.make_current();
  const std::size_t available = device.free_bytes();
  const auto refuse = [&] {
    throw DoesNotFit(fmt::format("{} bytes do not fit on {}: {} bytes are free (margin subtracted)", bytes,
                                 device.id(), available));
  };
  if (bytes > available) refuse();
  const CUresult status = driver().mem_alloc(&address_, bytes);
  if (status == CUDA_ERROR_OUT_OF_MEMORY) refuse();
  check(status, "cuMemAlloc");
}

DeviceBuffer::~DeviceBuffer() {
  if (address_ == 0) return;
  try {
    device_->make_current();
    driver().mem_free(address_);
  } catch (const std::exception&) {
    // The context is lost, and the memory with it.
  }
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : device_(std::exchange(other.device_, nullptr)),
      address_(std::exchange(other.address_, 0)),
      bytes_(std::exchange(other.bytes_, 0)) {}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(address_, other.address_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

// Copies use the device's stream, so that they follow the kernels enqueued before.

void DeviceBuffer::upload(std::span<const std::byte> from, std::size_t offset) {
  check_range(offset, from.size(), bytes_);
  if (from.empty()) return;
  enqueue_upload(from, offset, device_->stream());
  check(driver().stream_synchronize(device_->stream()), "cuStreamSynchronize after an upload");
}

void DeviceBuffer::download(std::span<std::byte> to, std::size_t offset) const {
  check_range(offset, to.size(), bytes_);
  if (to.empty()) return;
  enqueue_download(to, offset, device_->stream());
  check(driver().stream_synchronize(device_->stream()), "cuStreamSynchronize after a download");
}

void DeviceBuffer::enqueue_upload(std::span<const std::byte> from, std::size_t offset, CUstream stream) {
  check_range(offset, from.size(), bytes_);
  if (from.empty()) return;
  device_->make_current();
  check(driver().memcpy_host_to_device_async(address_ + offset, from.data(), from.size(), stream),
        "cuMemcpyHtoDAsync");
}

void DeviceBuffer::enqueue_download(std::span<std::byte> to, std::size_t offset, CUstream stream) const {
  check_range(offset, to.size(), bytes_);
  if (to.empty()) return;
  device_->make_current();
  check(driver().memcpy_device_to_host_async(to.data(), address_ + offset, to.size(), stream),
        "cuMemcpyDtoHAsync");
}

void DeviceBuffer::fill(unsigned char value) {
  if (bytes_ == 0) return;
  device_->make_current();
  check(driver().memset_d8_async(address_, value, bytes_, device_->stream()), "cuMemsetD8Async");
}

}  // namespace gpuseq::cuda
