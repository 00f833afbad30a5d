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
            int threads, WorkspaceBytes workspace_bytes)
      : SearchSession(problem, std::move(index)),
        kernel_(std::move(kernel)),
        job_(job),
        pool_(threads),
        intervals_(job.queries.count * (job.layout.wide ? sizeof(Interval<u64>) : sizeof(Interval<u32>))) {
    job_.index = index_->view;
    job_.intervals = intervals_.data();
    if (workspace_bytes == nullptr) return;
    workspace_bytes_ = workspace_bytes(
        std::min<std::size_t>(job.in_flight, share_of_thread(job.queries.count, pool_.size())));
    workspace_ = HugeBuffer(workspace_bytes_ * static_cast<std::size_t>(pool_.size()));
    job_.workspace = workspace_.data();
  }

  void launch() override {
    if (together())
      search_shares(kernel_, job_, workspace_bytes_, pool_);
    else
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

  std::optional<HeldMemory> memory() const override {
    return HeldMemory()
        .add(kIndexPart, index_->bytes() - index_->prefix.size())
        .add(kPrefixTablePart, index_->prefix.size())
        .add(kQueriesPart, problem_.queries().bytes())
        .add(kOutputPart, intervals_.size())
        .add(kWorkspacePart, workspace_.size());
  }

  /// Of queries that take steps together the next ones find in the cache what those before them read.
  std::optional<Traffic> traffic() const override {
    return together() ? std::nullopt : SearchSession::traffic();
  }

  nlohmann::json facts() const override {
    nlohmann::json facts = SearchSession::facts();
    facts["highway_target"] = kernel_.target;
    facts["threads"] = pool_.size();
    return facts;
  }

 private:
  bool together() const { return workspace_bytes_ != 0; }

  DispatchedKernel kernel_;
  SearchJob job_;
  ThreadPool pool_;
  HugeBuffer intervals_;
  std::size_t workspace_bytes_ = 0;  // of a thread
  HugeBuffer workspace_;
  bool launched_ = false;
};

}  // namespace

std::unique_ptr<SearchSession> make_cpu_session(FmProblem& problem, const DispatchedKernel& kernel,
                                                const SearchJob& job, u32 prefix_symbols, int threads,
                                                WorkspaceBytes workspace_bytes) {
  return std::make_unique<CpuSearch>(problem, problem.index(job.layout, prefix_symbols), kernel, job, threads,
                                     workspace_bytes);
}

}  // namespace gpuseq::fm_index
