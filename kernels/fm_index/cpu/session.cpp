#include "kernels/fm_index/cpu/session.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/fm_index/cpu/search_all.hpp"
#include "kernels/fm_index/data/intervals.hpp"

namespace gpuseq::fm_index {
namespace {

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
    search_all(kernel_, job_, pool_);
    launched_ = true;
  }

  std::vector<Interval<u64>> answers() override {
    if (!launched_) launch();
    std::vector<Interval<u64>> found(job_.queries.count);
    if (job_.layout.wide)
      std::ranges::copy_n(static_cast<const Interval<u64>*>(job_.intervals),
                          static_cast<std::ptrdiff_t>(found.size()), found.begin());
    else
      widen({static_cast<const Interval<u32>*>(job_.intervals), found.size()}, found);
    return found;
  }

  HeldMemory held() const override {
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
