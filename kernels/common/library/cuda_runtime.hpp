#pragma once

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "runtime/contract/errors.hpp"
#include "runtime/cuda/device/host_device.cuh"

// The common part of exported libraries for CUDA: devices, their memory, and launches by the CUDA runtime,
// with which a library is linked. The program itself loads the driver (runtime/cuda).

namespace gpuseq::library {

/// @throws ResourceError with the failed operation and the reason
inline void check_cuda(cudaError_t status, std::string_view what) {
  if (status == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());  // otherwise the next call would report the error, too
  throw ResourceError(fmt::format("CUDA: {}: {}", what, cudaGetErrorString(status)));
}

/// @throws UsageError if there is no such device; ResourceError if there is none at all
inline void require_device(int device) {
  int devices = 0;
  check_cuda(cudaGetDeviceCount(&devices), "counting devices");
  if (device < 0 || device >= devices)
    throw UsageError(fmt::format("device: found {}, allowed: 0 to {}", device, devices - 1));
}

/// Makes a device the calling thread's current device during its lifetime.
class OnDevice {
 public:
  explicit OnDevice(int device) {
    check_cuda(cudaGetDevice(&before_), "the device");
    check_cuda(cudaSetDevice(device), "the device");
  }
  ~OnDevice() { cudaSetDevice(before_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = 0;
};

/// Memory of the device that is current when it grows. Copies block. All functions throw ResourceError.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  explicit DeviceMemory(std::size_t bytes) { reserve(bytes); }
  ~DeviceMemory() { cudaFree(data_); }
  DeviceMemory(DeviceMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  template <typename T>
  T* as() const {
    return static_cast<T*>(data_);
  }
  std::size_t size() const { return bytes_; }

  /// Grows to at least `bytes`; the content is lost if it grows.
  void reserve(std::size_t bytes) {
    if (bytes <= bytes_) return;
    check_cuda(cudaFree(std::exchange(data_, nullptr)), "freeing memory");
    bytes_ = 0;
    if (const cudaError_t status = cudaMalloc(&data_, bytes); status != cudaSuccess) {
      static_cast<void>(cudaGetLastError());
      throw ResourceError(
          fmt::format("{} bytes of device memory are not available: {}", bytes, cudaGetErrorString(status)));
    }
    bytes_ = bytes;
  }
  /// Grows if necessary and copies the values to its start.
  /// @param spare  further bytes that kernels may read
  template <typename T>
  void assign(std::span<const T> values, std::size_t spare = 0) {
    reserve(values.size_bytes() + spare);
    upload(std::as_bytes(values));
  }
  /// @param offset  in bytes; the copied bytes must fit
  void upload(std::span<const std::byte> from, std::size_t offset = 0) {
    check_cuda(cudaMemcpy(as<std::byte>() + offset, from.data(), from.size(), cudaMemcpyHostToDevice),
               "copying to the device");
  }
  /// Copies from its start.
  template <typename T>
  void download(std::span<T> to) const {
    check_cuda(cudaMemcpy(to.data(), data_, to.size_bytes(), cudaMemcpyDeviceToHost),
               "copying from the device");
  }
  void fill(unsigned char value) { check_cuda(cudaMemset(data_, value, bytes_), "filling memory"); }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Launches a kernel whose only argument is `arguments`, and waits for it. @throws ResourceError
template <class Arguments>
void run_kernel(const void* kernel, u64 blocks, u32 threads_per_block, std::size_t shared_bytes,
                Arguments arguments) {
  std::array<void*, 1> pointers{&arguments};
  check_cuda(cudaLaunchKernel(kernel, dim3(static_cast<unsigned>(blocks)), dim3(threads_per_block),
                              pointers.data(), shared_bytes, nullptr),
             "the launch");
  check_cuda(cudaDeviceSynchronize(), "the search");
}

}  // namespace gpuseq::library
