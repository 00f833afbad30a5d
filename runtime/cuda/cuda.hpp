#pragma once

#include <cuda.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/contract/device.hpp"
#include "runtime/contract/family.hpp"
#include "runtime/cuda/compiled.hpp"

// The CUDA side of runtime/: libcuda, NVRTC, CUPTI and NVML are loaded at run time (dlopen), never linked.

namespace gpuseq::cuda {

/// A CUDA, NVRTC, CUPTI or NVML call failed. `what()`: call, error name, text.
struct CudaError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class CudaDevice;

/// @throws std::out_of_range unless `count` bytes from `offset` on are within `size`
void check_range(std::size_t offset, std::size_t count, std::size_t size);

/// Device memory from cuMemAlloc. Movable; frees in the destructor.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  /// @throws DoesNotFit with size and free bytes
  DeviceBuffer(CudaDevice& device, std::size_t bytes);
  ~DeviceBuffer();
  DeviceBuffer(DeviceBuffer&& other) noexcept;
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;
  CUdeviceptr address() const { return address_; }
  template <typename T = void>
  T* as() const {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver's addresses are integers
    return reinterpret_cast<T*>(address_);
  }
  std::size_t size() const { return bytes_; }
  /// Blocking copies; `offset` in bytes.
  void upload(std::span<const std::byte> from, std::size_t offset = 0);
  template <typename T>
  void upload(const std::vector<T>& values) {
    upload(std::as_bytes(std::span(values)));
  }
  void download(std::span<std::byte> to, std::size_t offset = 0) const;
  /// Copies enqueued on a stream of the device. With pinned memory they return at once, and the memory must
  /// live until they are done; with other memory they return when the driver has read or written it.
  void enqueue_upload(std::span<const std::byte> from, std::size_t offset, CUstream stream);
  void enqueue_download(std::span<std::byte> to, std::size_t offset, CUstream stream) const;
  /// Enqueued on the device's stream.
  void fill(unsigned char value);

 private:
  CudaDevice* device_ = nullptr;
  CUdeviceptr address_ = 0;
  std::size_t bytes_ = 0;
};

/// An image (cubin or fatbin) loaded on a device, and one entry of it.
class Kernel {
 public:
  Kernel(CudaDevice& device, std::string_view image, const std::string& entry);
  ~Kernel();
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  /// Enqueues on the device's stream, or on another of its streams. `arguments` has a
  /// pointer to each argument.
  void launch(unsigned blocks, unsigned threads_per_block, unsigned shared_bytes,
              std::span<void* const> arguments, CUstream stream = nullptr);
  /// Raises the limit of dynamic shared memory. @throws DoesNotFit if the device has less
  void allow_shared_bytes(unsigned bytes);
  /// Writes a variable of the image, such as constant memory, from its beginning. Blocks.
  /// @throws CudaError if the image has no such variable; std::out_of_range if it is smaller
  void set_variable(const std::string& name, std::span<const std::byte> value);
  /// Resident clusters of a kernel compiled for this many blocks per cluster, which may exceed the 8 that
  /// every device supports.
  /// @throws ResourceError if there is none
  int resident_clusters(unsigned blocks_per_cluster, unsigned threads_per_block);
  /// Resident blocks of this shape per multiprocessor.
  int resident_blocks(unsigned threads_per_block, unsigned shared_bytes) const;
  /// Registers, spills, occupancy for a launch shape.
  Resources resources(unsigned blocks, unsigned threads_per_block, unsigned shared_bytes) const;

 private:
  friend class CudaDevice;
  CudaDevice* device_;
  CUmodule module_ = nullptr;
  CUfunction function_ = nullptr;
  Resources compiled_;  // reported by the compiler
 public:
  /// Sets the values reported by the compiler (compiled_by, compile_s, spills), for resources().
  void set_compiled(const Resources& compiled) { compiled_ = compiled; }
};

/// Compiles for "sm_90", or reads the cubin from the cache in `cache_dir` (keyed by source, headers, options,
/// architecture and NVRTC version; a damaged entry is compiled again; empty path: no cache). For "sm_90", a
/// source whose own architecture is "sm_90a" is compiled for sm_90a.
/// @throws CudaError with the compiler's log if the source does not compile, or if NVRTC is not available
Compiled compile(const KernelSource& source, std::string_view architecture,
                 const std::filesystem::path& cache_dir);

/// NVRTC's version, or why it is not available.
Maybe<std::string> nvrtc_version();

/// "sm_75", ...: the architectures of compile(). @throws CudaError if NVRTC is not available
std::vector<std::string> nvrtc_architectures();

class CudaDevice final : public Device {
 public:
  /// @throws UsageError with the reason if there is no such device
  explicit CudaDevice(int ordinal);
  ~CudaDevice() override;

  DeviceKind kind() const override { return DeviceKind::cuda; }
  std::string id() const override;
  nlohmann::json describe() const override;
  std::size_t free_bytes() const override;
  void limit_memory(std::size_t bytes) override;
  double time_s(const std::function<void()>& work) override;
  void keep_busy(double seconds) override;
  void flush_caches() override;
  void synchronize() override;
  Maybe<double> clock_mhz() override;
  Maybe<double> max_clock_mhz() override;
  Maybe<double> energy_j() override;
  Maybe<double> power_w() override;
  Maybe<std::map<std::string, double>> count(const std::vector<std::string>& metrics,
                                             const std::function<void()>& work) override;
  std::vector<std::string> default_metrics() const override;

  CUstream stream() const { return stream_; }
  int ordinal() const { return ordinal_; }
  CUdevice handle() const { return device_; }
  CUcontext context() const { return context_; }
  int multiprocessors() const;
  std::size_t total_bytes() const;
  std::size_t l2_bytes() const;
  int attribute(CUdevice_attribute which) const;
  /// "sm_90"
  std::string architecture() const;
  /// Compiles (or reads from the cache) and loads.
  std::shared_ptr<Kernel> load(const KernelSource& source, const std::filesystem::path& cache_dir);
  /// Makes this device's context current on the calling thread; all methods above do so themselves.
  void make_current() const;

 private:
  struct State;  // NVML handle, CUPTI session, flush buffer
  void release() noexcept;
  std::unique_ptr<State> state_;
  int ordinal_ = 0;
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
  CUstream stream_ = nullptr;
};

/// The number of CUDA devices; `reason` is set if there is none.
Maybe<int> device_count();

/// Casts a device for a CUDA variant. @throws ResourceError with its name if it is not a CUDA device
CudaDevice& cuda_device(Device& device);

}  // namespace gpuseq::cuda
