#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "kernels/fm_index/data/intervals.hpp"
#include "kernels/fm_index/library/cuda_point.hpp"
#include "kernels/fm_index/library/engine.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::fm_index {
namespace {

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());  // one that stays is of the next call, too
  throw ResourceError(fmt::format("CUDA: {}: {}", what, cudaGetErrorString(status)));
}

/// Device memory that grows when more is needed.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  ~DeviceMemory() { cudaFree(data_); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  template <typename T>
  T* as() const {
    return static_cast<T*>(data_);
  }
  void reserve(std::size_t bytes) {
    if (bytes <= bytes_) return;
    check(cudaFree(std::exchange(data_, nullptr)), "freeing memory");
    bytes_ = 0;
    if (const cudaError_t status = cudaMalloc(&data_, bytes); status != cudaSuccess) {
      static_cast<void>(cudaGetLastError());
      throw ResourceError(
          fmt::format("{} bytes of device memory cannot be had: {}", bytes, cudaGetErrorString(status)));
    }
    bytes_ = bytes;
  }
  /// @param spare  bytes behind that kernels may read
  void upload(std::span<const std::byte> bytes, std::size_t spare = 0) {
    reserve(bytes.size() + spare);
    check(cudaMemcpy(data_, bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "copying to the device");
  }
  template <typename T>
  void upload(const T* values, std::size_t count, std::size_t spare = 0) {
    upload(std::as_bytes(std::span(values, count)), spare);
  }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// While it lives, the calling thread's device is this one.
class OnDevice {
 public:
  explicit OnDevice(int device) {
    check(cudaGetDevice(&before_), "the device");
    check(cudaSetDevice(device), "the device");
  }
  ~OnDevice() { cudaSetDevice(before_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = 0;
};

constexpr std::size_t kSpareBytes = 16;  // behind the queries, which kernels read 16 bytes at a time

class CudaEngine final : public Engine {
 public:
  CudaEngine(const IndexFile& file, int device) : device_(device), policy_(kExportedPolicy) {
    policy_.wide = file.layout().wide;
    kernel_ = exported_kernel(policy_.wide);
    if (kernel_ == nullptr) throw ResourceError("this library searches texts of fewer than 2^32 - 1 bases");
    constexpr u64 kMostRows = u64{1} << 37;  // numbers of entries are 32 bits, one of them a flag
    if (file.view().rows > kMostRows)
      throw ResourceError(fmt::format("CUDA libraries search texts of less than {} bases", kMostRows));
    const OnDevice on(device_);
    entries_.upload(file.entries(), kPsiSpareBytes);
    superblocks_.upload(file.superblocks());
    prefix_.upload(file.prefix());
    arguments_.index = file.view();
    arguments_.index.entries = entries_.as<const u8>();
    arguments_.index.superblocks = superblocks_.as<const u64>();
    arguments_.index.prefix = prefix_.as<const void>();
    arguments_.superblock_reciprocal = policy_.wide ? reciprocal(file.view().superblock_rows / policy_.d) : 0;
    choose_wave();
  }
  ~CudaEngine() override = default;

  void search(const PackedBatch& queries, std::span<Interval<u64>> intervals) override {
    const OnDevice on(device_);
    const std::size_t count = queries.view.count;
    packed_.upload(queries.packed.data(), queries.packed.size(), kSpareBytes);
    begin_.upload(queries.view.begin, count);
    bases_.upload(queries.view.bases, count);
    intervals_.reserve(count * (policy_.wide ? sizeof(Interval<u64>) : sizeof(Interval<u32>)));
    arguments_.queries = {packed_.as<const u32>(), begin_.as<const u32>(), bases_.as<const u32>(),
                          queries.view.count};
    arguments_.intervals = intervals_.as<void>();
    launch(count);
    if (policy_.wide) {
      check(
          cudaMemcpy(intervals.data(), arguments_.intervals, intervals.size_bytes(), cudaMemcpyDeviceToHost),
          "copying from the device");
      return;
    }
    narrow_.resize(count);
    check(cudaMemcpy(narrow_.data(), arguments_.intervals, count * sizeof narrow_[0], cudaMemcpyDeviceToHost),
          "copying from the device");
    widen(narrow_, intervals);
  }

 private:
  /// Blocks that are resident together.
  void choose_wave() {
    const auto shared = static_cast<int>(policy_.shared_bytes());
    if (shared > 0)
      check(cudaFuncSetAttribute(kernel_, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
            "the shared memory of the kernel");
    int fit = 0, multiprocessors = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
              &fit, kernel_, static_cast<int>(policy_.threads_per_block), policy_.shared_bytes()),
          "the kernel");
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device_), "the device");
    u32 resident = static_cast<u32>(fit);
    if (kExportedActiveThreads != 0)
      resident = std::min(resident, kExportedActiveThreads / policy_.threads_per_block);
    wave_ = std::max<u64>(1, u64{resident} * static_cast<u64>(multiprocessors));
  }

  void launch(u64 count) {
    const u64 threads = policy_.threads_per_block;
    const u64 needed = (count * policy_.lanes_per_query + threads - 1) / threads;
    std::array<void*, 1> arguments{&arguments_};
    check(
        cudaLaunchKernel(kernel_, dim3(static_cast<unsigned>(std::min(needed, wave_))),
                         dim3(policy_.threads_per_block), arguments.data(), policy_.shared_bytes(), nullptr),
        "the launch");
    check(cudaDeviceSynchronize(), "the search");
  }

  int device_;
  Policy policy_;
  const void* kernel_ = nullptr;
  DeviceMemory entries_, superblocks_, prefix_, packed_, begin_, bases_, intervals_;
  SearchArguments arguments_{};
  u64 wave_ = 1;
  std::vector<Interval<u32>> narrow_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const IndexFile& file, const EngineOptions& options, ThreadPool&) {
  int devices = 0;
  check(cudaGetDeviceCount(&devices), "counting devices");
  if (options.device < 0 || options.device >= devices)
    throw UsageError(fmt::format("device: found {}, allowed: 0 to {}", options.device, devices - 1));
  return std::make_unique<CudaEngine>(file, options.device);
}

}  // namespace gpuseq::fm_index
