#include "kernels/exact_match/expectation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <map>
#include <tuple>

#include "kernels/exact_match/traffic.hpp"
#include "kernels/exact_match/warp_steps.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::exact_match {
namespace {

/// Queries that warps are looked at of. Each simulated read is made by itself, so that of many some are made.
constexpr u64 kWarpReads = 8192;
/// Of one core, for a letter, about: of a reference its tree, of queries reading them.
constexpr double kTreeSeconds = 3e-7, kQuerySeconds = 1e-7;
/// Letters of a query in a file whose length nobody knows, rather too many.
constexpr std::uint64_t kLongQuery = 10'000;

bool simulated(const Point& problem) {
  return problem.word("queries") == "random";
}

/// Without the reads, where these are simulated.
ProblemSpec with_one_read(ProblemSpec spec) {
  spec.point = problem_space().complete(spec.point);
  if (simulated(spec.point)) spec.point.set("query_count", std::int64_t{1});
  return spec;
}

class Counter final : public ExpectationCounter {
 public:
  Counter(const ProblemSpec& spec, std::span<const MatchVariant> variants)
      : variants_(variants), problem_(load_problem(with_one_read(spec))) {
    const Point point = problem_space().complete(spec.point);
    if (simulated(point)) {
      const SimulatedReads all = reads_of(point, spec.seed);
      some_ = {reads(all, kCountedQueries), reads(all, kWarpReads)};
      queries_ = static_cast<double>(all.count);
      bases_ = queries_ * all.bases;
    } else {
      queries_ = static_cast<double>(problem_->queries().count());
      bases_ = static_cast<double>(problem_->queries().bases());
    }
    queries_ *= problem_->search().strands();
    bases_ *= problem_->search().strands();
  }

  Maybe<CountedExpectation> expectation(std::string_view variant, const Point& point) override {
    const CountedSearch search = searched_by(variant).counted(point, problem_->search());
    if (!search.why_not.empty()) return {std::nullopt, search.why_not};
    CountedExpectation found{.expected = {.work = {bases_, kQueryBases}, .traffic = traffic(search)}};
    found.under_way = search.in_flight;
    if (!search.warps) return {found, {}};
    found.expected.instructions = instructions_of(*found.expected.traffic);
    const WarpSteps steps = this->steps(search);
    const double tasks = queries_ * search.warps->lanes;
    found.warps = WarpWork{.warps = tasks / kThreadsOfWarp,
                           .instructions = steps.instructions * bases_,
                           .waits = steps.waits * bases_,
                           .reads = steps.reads * bases_,
                           .read_bytes = search.resident_threads * steps.lines_read,
                           .written_bytes = search.resident_threads * steps.lines_written,
                           .thread_reads = steps.thread_reads * bases_,
                           .thread_writes = steps.slots * bases_,
                           .longest = steps.longest,
                           .resident_threads = search.resident_threads};
    found.expected.most_accesses = tasks;
    return {found, {}};
  }

 private:
  struct SomeReads {
    Queries counted;  // those that a session counts
    Queries warps;
  };
  Queries reads(SimulatedReads all, u64 most) const {
    if (all.count > most) {
      all.of = all.count;
      all.count = most;
    }
    return simulate_reads(problem_->reference(), all);
  }

  using Way = std::tuple<u32, u32, bool, bool, bool>;
  static Way way_of(const SearchWay& way) {
    return {way.prefix_letters, way.filter_letters, way.listed, way.leaf_nodes, way.compared_ends};
  }

  const MatchVariant& searched_by(std::string_view variant) const {
    const auto found =
        std::ranges::find_if(variants_, [&](const MatchVariant& one) { return one.variant.name == variant; });
    if (found == variants_.end()) throw UsageError(fmt::format("exact_match has no variant {}", variant));
    return *found;
  }

  /// The order of nodes hardly changes what is counted, and does not matter here.
  const std::vector<TreePart>& parts(u64 trees) {
    std::vector<TreePart>& parts = parts_[trees];
    if (parts.empty()) parts = problem_->parts(trees, NodeOrder::breadth_first);
    return parts;
  }

  Traffic traffic(const CountedSearch& search) {
    std::optional<Traffic>& counted = traffic_[{way_of(search.way), search.trees}];
    if (!counted)
      counted =
          count_traffic(parts(search.trees), problem_->search(), some_ ? some_->counted : problem_->queries(),
                        search.way, kCountedQueries, bases_);
    Traffic own = *counted;
    own.access = access_of(search.way);
    return own;
  }

  WarpSteps steps(const CountedSearch& search) {
    std::optional<WarpSteps>& counted = steps_[{way_of(search.way), *search.warps}];
    if (!counted)
      counted = warp_steps(parts(1).front(), problem_->search(), some_ ? some_->warps : problem_->queries(),
                           search.way, *search.warps);
    return *counted;
  }

  const std::span<const MatchVariant> variants_;
  const std::unique_ptr<MatchProblem> problem_;
  std::optional<SomeReads> some_;               // of simulated ones
  double queries_ = 0, bases_ = 0;              // of a launch, each strand counted
  std::map<u64, std::vector<TreePart>> parts_;  // by trees
  std::map<std::pair<Way, u64>, std::optional<Traffic>> traffic_;
  std::map<std::pair<Way, WarpWay>, std::optional<WarpSteps>> steps_;
};

}  // namespace

std::string why_not_counted(const StateOutline& state) {
  const auto axis = [&](const char* name) { return static_cast<std::uint64_t>(state.problem.integer(name)); };
  const std::uint64_t asked = axis("reference_bases"), count = axis("query_count");
  const std::uint64_t letters = state.letters("reference", asked == 0 ? kGeneratedBases : asked, {"random"});
  if (letters == 0) return "how long the reference is stands in a file";
  double seconds = kTreeSeconds * static_cast<double>(letters);
  if (!simulated(state.problem)) {
    const std::uint64_t bytes = state.letters("queries", 0, {"random"});
    if (bytes == 0) return "how long the queries are stands in a file";
    seconds += kQuerySeconds * static_cast<double>(count == 0 ? bytes : std::min(bytes, count * kLongQuery));
  }
  if (seconds <= kMostCountingSeconds) return {};
  return fmt::format(
      "what it reads is counted on the tree itself, which takes about {:.0f} s; allowed beforehand: {:.0f}",
      seconds, kMostCountingSeconds);
}

std::unique_ptr<ExpectationCounter> make_counter(const ProblemSpec& spec,
                                                 std::span<const MatchVariant> variants) {
  return std::make_unique<Counter>(spec, variants);
}

}  // namespace gpuseq::exact_match
