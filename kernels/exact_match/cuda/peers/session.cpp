#include "kernels/exact_match/cuda/session.hpp"

#include <deque>

#include "kernels/exact_match/budget.hpp"
#include "kernels/exact_match/cuda/search.hpp"
#include "runtime/cuda/peers/on_gpus.hpp"

namespace gpuseq::exact_match {
namespace {

class SearchOnGpus final : public cuda::OnGpus<MatchSession, CudaSearch> {
 public:
  SearchOnGpus(MatchProblem& problem, const MatchPoint& at, NodeOrder order, cuda::CudaDevice& device,
               const cuda::Peers& peers)
      : OnGpus(problem, device, peers), pool_(problem.threads()), tree_(problem.tree(order)) {
    for (const cuda::ItemRange& range : cuda::parts_by_size(problem.queries().begin, gpus_.size())) {
      queries_.push_back(some_of(problem.queries(), {range.first, range.end - range.first}));
      parts_.push_back(std::make_unique<CudaSearch>(at, problem.search(), gpus_[parts_.size()],
                                                    problem.cache_dir(), pool_));
      CudaSearch& search = *parts_.back();
      search.use(whole(tree_));
      search.take(queries_.back());
      if (at.policy.listed) search.run();  // the second launch does the same work every time
    }
    tree_->device_copy.reset();  // its device may not live as long as the tree
  }

  MatchList matches() override {
    if (!launched_) launch();
    gpus_[0].synchronize();  // with it the launches of its peers are done
    std::vector<MatchList> lists;
    for (const auto& part : parts_) {
      part->download();
      lists.push_back(part->list());
    }
    return joined(lists, pool_);
  }

  Cost cost() const override {
    return {.work = work(), .held = held(), .why_no_bound = cuda::kNoBoundOfGpus};
  }

  nlohmann::json facts() const override {
    nlohmann::json facts = MatchSession::facts();
    facts.update(parts_[0]->facts());
    facts.update(gpus_.facts());
    return facts;
  }

 private:
  ThreadPool pool_;
  std::shared_ptr<const SuffixTree> tree_;
  std::deque<Queries> queries_;
};

}  // namespace

std::unique_ptr<MatchSession> make_session_on_gpus(MatchProblem& problem, const MatchPoint& at,
                                                   NodeOrder order, cuda::CudaDevice& device,
                                                   const cuda::Peers& peers) {
  return std::make_unique<SearchOnGpus>(problem, at, order, device, peers);
}

}  // namespace gpuseq::exact_match
