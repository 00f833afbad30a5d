#include "kernels/exact_match/cuda/session.hpp"

#include <array>

#include "kernels/exact_match/cuda/search.hpp"
#include "kernels/exact_match/estimate.hpp"
#include "kernels/exact_match/traffic.hpp"

namespace gpuseq::exact_match {
namespace {

/// Reason for sorted queries: the number of blocks that a cache keeps between queries is unknown.
constexpr const char* kWhyNotCounted = "sorted queries share lines of the tree";

class CudaSession final : public MatchSession {
 public:
  CudaSession(MatchProblem& problem, const MatchPoint& at, NodeOrder order, cuda::CudaDevice& device)
      : MatchSession(problem),
        pool_(problem.threads()),
        tree_(problem.tree(order)),
        tree_s_(problem.tree_s()),
        search_(at, problem.search(), device, problem.cache_dir(), pool_) {
    search_.use(whole(tree_));
    search_.take(problem.queries());
    if (at.policy.listed) search_.run();  // the second launch does the same work every time
    prepared_ = search_.phases();
  }

  void launch() override {
    search_.enqueue();
    launched_ = true;
  }

  MatchList matches() override {
    if (!launched_) launch();
    const std::map<std::string, double> before = search_.phases();
    search_.download();
    MatchList list = search_.list();
    for (const auto& [phase, seconds] : search_.phases()) {
      const auto earlier = before.find(phase);
      const double more = seconds - (earlier == before.end() ? 0 : earlier->second);
      if (more > 0) after_launch_s_[phase].push_back(more);
    }
    return list;
  }

  Cost cost() const override {
    return cost_of(work(), held(),
                   count_traffic(std::array{whole(tree_)}, problem_.search(), problem_.queries(),
                                 way_of(search_.point())),
                   search_.point().sorted);
  }

  std::optional<Resources> resources() const override { return search_.resources(); }
  HeldMemory held() const override { return search_.held(); }

  std::map<std::string, std::vector<double>> side_samples_s() override {
    std::map<std::string, std::vector<double>> samples{{"tree", {tree_s_}}, {"printing", {printing_s()}}};
    for (const auto& [phase, seconds] : prepared_)
      if (phase != "kernel" && phase != "download" && phase != "listing") samples[phase] = {seconds};
    samples["upload_tree"] = {search_.tree_upload_s()};
    samples.insert(after_launch_s_.begin(), after_launch_s_.end());
    return samples;
  }

  std::vector<std::string> notes() const override {
    std::vector<std::string> notes = MatchSession::notes();
    if (search_.point().sorted)
      notes.emplace_back(std::string("blocks are counted as loads only: ") + kWhyNotCounted);
    return notes;
  }

  nlohmann::json facts() const override {
    nlohmann::json facts = MatchSession::facts();
    facts.update(search_.facts());
    facts["tree_bytes"] = tree_->bytes();
    facts["tree_nodes"] = tree_->nodes.size();
    return facts;
  }

 private:
  ThreadPool pool_;
  std::shared_ptr<const SuffixTree> tree_;
  double tree_s_;
  CudaSearch search_;
  bool launched_ = false;
  std::map<std::string, double> prepared_;
  std::map<std::string, std::vector<double>> after_launch_s_;
};

}  // namespace

SearchWay way_of(const MatchPoint& at) {
  return {.prefix_letters = at.letters.prefix,
          .filter_letters = at.letters.filter,
          .listed = at.policy.listed,
          .leaf_nodes = at.policy.leaf_nodes,
          .compared_ends = at.policy.compared_ends,
          .one_at_a_time = true};
}

std::unique_ptr<MatchSession> make_cuda_session(MatchProblem& problem, const MatchPoint& at, NodeOrder order,
                                                cuda::CudaDevice& device) {
  if (at.memory_bytes > 0) return make_budget_session(problem, at, order, device);
  return std::make_unique<CudaSession>(problem, at, order, device);
}

namespace {

/// Device memory of a launch with all queries at once.
HeldMemory held_memory(const MatchPoint& at, const ProblemEstimate& problem, u64 trees) {
  const u64 letters = problem.part_letters(trees);
  TreeView tree{};
  tree.text_letters = tree.node_count = tree.leaf_count = static_cast<u32>(letters);
  TreeForm form = tree_form(at.policy);
  form.listing = true;  // a tree that is already on the device may have the arrays for listing
  const u64 strands = problem.strands();
  const u64 written = at.policy.computed ? problem.queries : strands;
  const u64 copies = problem.queries == 0 ? 0 : written / problem.queries;
  u64 queries = 2 * kTextPadding + kSpareLetterBytes + problem.bases * copies + written +
                (written + 1) * sizeof(u64) + (at.sorted ? strands * sizeof(u32) : 0);
  u64 output = problem.slots * sizeof(Slot);
  HeldMemory held;
  if (at.policy.listed) {
    const u64 tasks = strands * at.policy.lanes;
    const u64 long_tasks = std::min(tasks, problem.matches / (kKeptMatches + 1));
    output = tasks * (kKeptMatches * sizeof(FoundMatch) + sizeof(u32)) + problem.matches * sizeof(FoundMatch);
    held.add(kWorkspacePart, long_tasks * sizeof(u32) + (long_tasks + 1) * sizeof(u64));
  } else {
    queries += (strands + 1) * sizeof(u64);
  }
  u64 index = device_bytes(tree, form);
  if (const u64 memory = at.memory_bytes; memory > 0) {
    // Buffers that grow between blocks of queries reserve an additional eighth. All stay within the budget.
    index = std::min(index, memory);
    queries = std::min(queries + queries / 8, memory);
    output = std::min(output + output / 8, index + queries < memory ? memory - index - queries : 1);
  }
  held.add(kIndexPart, index).add(kQueriesPart, queries).add(kOutputPart, output);
  if (at.policy.words)
    held.add(kPrefixTablePart, prefix_table_bytes(at.letters.prefix))
        .add(kFilterPart, word_filter_bytes(at.letters.filter));
  return held;
}

}  // namespace

Cost estimated_cost(MatchPoint at, const StateOutline& state) {
  const ProblemEstimate problem = estimated_problem(state);
  at.keep_to(problem.search.min_length);
  u64 trees = 1;
  if (at.memory_bytes > 0 && problem.known())
    trees = trees_of(at, problem.text_letters, problem.generated ? problem.longest : 1);
  return cost_of(problem.work(), problem.known() ? held_memory(at, problem, trees) : HeldMemory(),
                 estimated_traffic(problem, way_of(at), trees), at.sorted);
}

Cost cost_of(Work work, HeldMemory held, const Traffic& blocks, bool sorted) {
  return {.work = std::move(work),
          .held = std::move(held),
          .traffic = sorted ? std::nullopt : std::optional(blocks),
          .instructions = instructions_of(blocks)};
}

}  // namespace gpuseq::exact_match
