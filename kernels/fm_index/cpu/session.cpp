#include "kernels/fm_index/cpu/session.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/system/threads.hpp"

namespace gpuseq::fm_index {
namespace {

/// Queries that a thread takes at a time: enough that starting and ending a batch does not show.
constexpr std::size_t kLeastQueriesATime = 512;

class CpuSearch final : public SearchSession {
 public:
  CpuSearch(FmProblem& problem, std::shared_ptr<const Index> index, DispatchedKernel kernel, SearchJob job,
            int threads)
      : SearchSession(problem, std::move(index)),
        kernel_(std::move(kernel)),
        job_(job),
        pool_(threads),
        intervals_(job.queries.count * (job.layout.wide ? sizeof(Interval<u64>) : sizeof(Interval<u32>))) {
    job_.index = index_->view;
    job_.intervals = intervals_.data();
  }

  void launch() override {
    const std::size_t count = job_.queries.count;
    pool_.parallel_for(count, piece_size(count, pool_.size(), kLeastQueriesATime),
                       [this](std::size_t begin, std::size_t end) {
                         SearchJob piece = job_;
                         piece.begin = static_cast<u32>(begin);
                         piece.end = static_cast<u32>(end);
                         kernel_.search(piece);
                       });
    launched_ = true;
  }

  std::vector<Interval<u64>> answers() override {
    if (!launched_) launch();
    std::vector<Interval<u64>> found(job_.queries.count);
    const auto copy = [&found](const auto* intervals) {
      std::transform(intervals, intervals + found.size(), found.begin(), [](const auto& interval) {
        return Interval<u64>{interval.l, interval.h};
      });
    };
    if (job_.layout.wide)
      copy(static_cast<const Interval<u64>*>(job_.intervals));
    else
      copy(static_cast<const Interval<u32>*>(job_.intervals));
    return found;
  }

  std::optional<HeldMemory> memory() const override {
    return HeldMemory()
        .add(kIndexPart, index_->bytes() - index_->prefix.size())
        .add(kPrefixTablePart, index_->prefix.size())
        .add(kQueriesPart, problem_.queries().bytes())
        .add(kOutputPart, intervals_.size());
  }

  nlohmann::json facts() const override {
    nlohmann::json facts = SearchSession::facts();
    facts["highway_target"] = kernel_.target;
    facts["threads"] = pool_.size();
    return facts;
  }

 private:
  DispatchedKernel kernel_;
  SearchJob job_;
  ThreadPool pool_;
  HugeBuffer intervals_;
  bool launched_ = false;
};

}  // namespace

std::unique_ptr<SearchSession> make_cpu_session(FmProblem& problem, const DispatchedKernel& kernel,
                                                const SearchJob& job, u32 prefix_symbols, int threads) {
  return std::make_unique<CpuSearch>(problem, problem.index(job.layout, prefix_symbols), kernel, job,
                                     threads);
}

}  // namespace gpuseq::fm_index
