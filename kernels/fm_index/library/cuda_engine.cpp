#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "kernels/common/library/cuda_runtime.hpp"
#include "kernels/fm_index/data/intervals.hpp"
#include "kernels/fm_index/library/cuda_point.hpp"
#include "kernels/fm_index/library/engine.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::fm_index {
namespace {

using library::check_cuda;
using library::DeviceMemory;

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
    const library::OnDevice on(device_);
    entries_.assign(file.entries(), kPsiSpareBytes);
    superblocks_.assign(file.superblocks());
    prefix_.assign(file.prefix());
    arguments_.index = file.view();
    arguments_.index.entries = entries_.as<const u8>();
    arguments_.index.superblocks = superblocks_.as<const u64>();
    arguments_.index.prefix = prefix_.as<const void>();
    arguments_.superblock_reciprocal = policy_.wide ? reciprocal(file.view().superblock_rows / policy_.d) : 0;
    choose_wave();
  }
  ~CudaEngine() override = default;

  void search(const PackedBatch& queries, std::span<Interval<u64>> intervals) override {
    const library::OnDevice on(device_);
    const std::size_t count = queries.view.count;
    packed_.assign(queries.packed, kSpareBytes);
    begin_.assign(std::span(queries.view.begin, count));
    bases_.assign(std::span(queries.view.bases, count));
    intervals_.reserve(count * (policy_.wide ? sizeof(Interval<u64>) : sizeof(Interval<u32>)));
    arguments_.queries = {packed_.as<const u32>(), begin_.as<const u32>(), bases_.as<const u32>(),
                          queries.view.count};
    arguments_.intervals = intervals_.as<void>();
    launch(count);
    if (policy_.wide) return intervals_.download(intervals);
    narrow_.resize(count);
    intervals_.download(std::span(narrow_));
    widen(narrow_, intervals);
  }

 private:
  /// Blocks that are resident together.
  void choose_wave() {
    const auto shared = static_cast<int>(policy_.shared_bytes());
    if (shared > 0)
      check_cuda(cudaFuncSetAttribute(kernel_, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
                 "the shared memory of the kernel");
    int fit = 0, multiprocessors = 0;
    check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                   &fit, kernel_, static_cast<int>(policy_.threads_per_block), policy_.shared_bytes()),
               "the kernel");
    check_cuda(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device_),
               "the device");
    u32 resident = static_cast<u32>(fit);
    if (kExportedActiveThreads != 0)
      resident = std::min(resident, kExportedActiveThreads / policy_.threads_per_block);
    wave_ = std::max<u64>(1, u64{resident} * static_cast<u64>(multiprocessors));
  }

  void launch(u64 count) {
    const u64 threads = policy_.threads_per_block;
    const u64 needed = (count * policy_.lanes_per_query + threads - 1) / threads;
    library::run_kernel(kernel_, std::min(needed, wave_), policy_.threads_per_block, policy_.shared_bytes(),
                        arguments_);
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
  library::require_device(options.device);
  return std::make_unique<CudaEngine>(file, options.device);
}

}  // namespace gpuseq::fm_index
