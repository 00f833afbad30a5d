#include <fmt/format.h>

#include <algorithm>

#include "kernels/exact_match/budget.hpp"
#include "kernels/exact_match/cuda/searcher.hpp"
#include "kernels/exact_match/cuda/session.hpp"
#include "kernels/exact_match/traffic.hpp"
#include "runtime/contract/errors.hpp"

// A search within a memory budget on a device. A launch includes all steps from the queries in host memory to
// their slots in host memory.
//
// Source: Schatz et al. 2007, "Implementation".

namespace gpuseq::exact_match {
namespace {

/// Approximate size of a tree of DNA with leaves as nodes.
constexpr u64 kBytesPerLetterWithLeaves = 54;

/// Letters before and after queries, and ends of arrays.
constexpr u64 kAroundQueries = 256;

std::vector<TreePart> parts_within(MatchProblem& problem, const MatchPoint& at, NodeOrder order) {
  return problem.parts(trees_of(at, problem.reference().text.size(), problem.queries().longest), order);
}

u64 largest_tree(std::span<const TreePart> parts, const TreeForm& form) {
  u64 bytes = 0;
  for (const TreePart& part : parts) bytes = std::max(bytes, device_bytes(part.tree->view(), form));
  return bytes;
}

class BudgetSession final : public MatchSession {
 public:
  BudgetSession(MatchProblem& problem, const MatchPoint& at, NodeOrder order, cuda::CudaDevice& device)
      : MatchSession(problem),
        pool_(problem.threads()),
        parts_(parts_within(problem, at, order)),
        trees_s_(problem.tree_s()),
        searcher_(parts_, problem.search(), at, device, problem.cache_dir(), false) {
    const u64 tree = largest_tree(parts_, tree_form(at.policy));
    if (tree + kAroundQueries >= at.memory_bytes)
      throw DoesNotFit(fmt::format("a tree of {} bytes; with memory_mib = {} there are {}", tree,
                                   at.memory_bytes >> 20, at.memory_bytes));
    const Search& search = problem.search();
    // Growing buffers reserve an additional eighth.
    const u64 room = (at.memory_bytes - tree - kAroundQueries) / 9 * 8;
    for (const QueryRange& range :
         query_ranges(problem.queries(), search, at.policy.computed ? 1 : search.strands(), room))
      blocks_.push_back(some_of(problem.queries(), range));
    if (blocks_.empty()) blocks_.push_back(empty_queries());
    searcher_.make_ready(blocks_.front());
  }

  void launch() override {
    const std::map<std::string, double> before = searcher_.phases();
    for (const Queries& block : blocks_) searcher_.compute(block);
    add_samples(before);
  }

  /// Uses a separate search: a launch only leaves the last part of the last block.
  MatchList matches() override {
    const std::map<std::string, double> before = searcher_.phases();
    std::vector<MatchList> lists;
    lists.reserve(blocks_.size());
    for (const Queries& block : blocks_) lists.push_back(searcher_.search(block));
    const auto listing = before.find("listing");
    const double earlier = listing == before.end() ? 0 : listing->second;
    samples_["listing"] = {searcher_.phases()["listing"] - earlier};
    return joined(lists, pool_);
  }

  Cost cost() const override {
    const MatchPoint& at = searcher_.on_device().point();
    return cost_of(work(), held(), count_traffic(parts_, problem_.search(), problem_.queries(), way_of(at)),
                   at.sorted);
  }
  std::optional<Resources> resources() const override { return searcher_.on_device().resources(); }
  HeldMemory held() const override { return searcher_.on_device().held(); }

  std::map<std::string, std::vector<double>> side_samples_s() override {
    std::map<std::string, std::vector<double>> samples = samples_;
    samples["tree"] = {trees_s_};
    samples["printing"] = {printing_s()};
    return samples;
  }

  nlohmann::json facts() const override {
    nlohmann::json facts = MatchSession::facts();
    facts.update(searcher_.on_device().facts());
    facts["trees"] = parts_.size();
    facts["query_blocks"] = blocks_.size();
    return facts;
  }

 private:
  /// Adds the times of a launch's phases.
  void add_samples(const std::map<std::string, double>& before) {
    for (const auto& [phase, seconds] : searcher_.phases()) {
      const auto earlier = before.find(phase);
      const double more = seconds - (earlier == before.end() ? 0 : earlier->second);
      if (more > 0) samples_[phase].push_back(more);
    }
  }

  ThreadPool pool_;
  std::vector<TreePart> parts_;
  double trees_s_;
  CudaSearcher searcher_;
  std::vector<Queries> blocks_;
  std::map<std::string, std::vector<double>> samples_;
};

}  // namespace

u64 trees_of(const MatchPoint& at, u64 text_letters, u64 longest_query) {
  const u64 per_letter = at.policy.leaf_nodes ? kBytesPerLetterWithLeaves : kTreeBytesPerLetter;
  return trees_within(text_letters, std::max<u64>(longest_query, 1), per_letter, at.memory_bytes);
}

std::unique_ptr<MatchSession> make_budget_session(MatchProblem& problem, const MatchPoint& at,
                                                  NodeOrder order, cuda::CudaDevice& device) {
  return std::make_unique<BudgetSession>(problem, at, order, device);
}

}  // namespace gpuseq::exact_match
