#include "kernels/exact_match/cuda/session.hpp"

#include <array>

#include "kernels/exact_match/cuda/search.hpp"
#include "kernels/exact_match/traffic.hpp"

namespace gpuseq::exact_match {
namespace {

/// Of sorted queries, of which nobody has counted how many blocks a cache keeps from one to the next.
constexpr const char* kWhyNotCounted = "sorted queries share what neighbours read";

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
    if (at.policy.listed) search_.run();  // what the second launch does is the same every time
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

  std::optional<Traffic> traffic() const override {
    if (search_.point().sorted) return std::nullopt;
    return blocks();
  }
  /// Whatever a cache keeps, lanes ask for it.
  std::optional<Instructions> instructions() const override { return instructions_of(blocks()); }

  std::optional<Resources> resources() const override { return search_.resources(); }
  std::optional<HeldMemory> memory() const override { return search_.memory(); }

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
  const Traffic& blocks() const {
    if (!blocks_)
      blocks_ = count_traffic(std::array{whole(tree_)}, problem_.search(), problem_.queries(),
                              way_of(search_.point()));
    return *blocks_;
  }

  ThreadPool pool_;
  std::shared_ptr<const SuffixTree> tree_;
  double tree_s_;
  CudaSearch search_;
  bool launched_ = false;
  mutable std::optional<Traffic> blocks_;  // counted when they are asked for
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

Needs search_needs(const MatchPoint& at, const StateOutline& state) {
  Needs needs{.operations = {kLoad}};
  if (!at.sorted) needs.traffic = traffic_needs(way_of(at), 1, state);
  return needs;
}

}  // namespace gpuseq::exact_match
