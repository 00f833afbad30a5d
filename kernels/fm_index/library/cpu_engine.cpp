#include <cstring>
#include <vector>

#include "kernels/fm_index/cpu/search_all.hpp"
#include "kernels/fm_index/data/intervals.hpp"
#include "kernels/fm_index/library/cpu_point.hpp"
#include "kernels/fm_index/library/engine.hpp"
#include "runtime/system/host_memory.hpp"

namespace gpuseq::fm_index {
namespace {

HugeBuffer copy_of(std::span<const std::byte> bytes, ThreadPool& pool) {
  constexpr std::size_t kGrain = std::size_t{4} << 20;
  require_host_memory(bytes.size(), "the index");
  HugeBuffer copy(bytes.size() + kPsiSpareBytes);
  pool.parallel_for(bytes.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    std::memcpy(copy.data() + begin, bytes.data() + begin, end - begin);
  });
  return copy;
}

class CpuEngine final : public Engine {
 public:
  CpuEngine(const IndexFile& file, bool in_memory, ThreadPool& pool)
      : kernel_(exported_kernel(file.layout())), pool_(pool), job_(exported_job()) {
    job_.index = file.view();
    job_.layout = file.layout();
    if (!in_memory) return;
    entries_ = copy_of(file.entries(), pool);
    superblocks_ = copy_of(file.superblocks(), pool);
    prefix_ = copy_of(file.prefix(), pool);
    job_.index.entries = reinterpret_cast<const u8*>(entries_.data());
    job_.index.superblocks = reinterpret_cast<const u64*>(superblocks_.data());
    job_.index.prefix = prefix_.data();
  }

  void search(const PackedBatch& queries, std::span<Interval<u64>> intervals) override {
    if (job_.layout.wide) return run(queries.view, intervals.data());
    narrow_.resize(queries.view.count);
    run(queries.view, narrow_.data());
    widen(narrow_, intervals);
  }

 private:
  void run(const QueryView& queries, void* intervals) {
    SearchJob job = job_;
    job.queries = queries;
    job.intervals = intervals;
    search_all(kernel_, job, pool_);
  }

  DispatchedKernel kernel_;
  ThreadPool& pool_;
  SearchJob job_;
  HugeBuffer entries_, superblocks_, prefix_;
  std::vector<Interval<u32>> narrow_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const IndexFile& file, const EngineOptions& options, ThreadPool& pool) {
  return std::make_unique<CpuEngine>(file, options.in_memory, pool);
}

}  // namespace gpuseq::fm_index
