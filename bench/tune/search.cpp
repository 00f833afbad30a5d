#include "bench/tune/search.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "bench/contest/objective.hpp"
#include "bench/plan/plan.hpp"

namespace gpuseq::bench {
namespace {

/// At least one, at most all.
std::size_t evaluations_of(const TuneOptions& options, std::size_t states) {
  std::size_t count = states;
  if (options.evaluations > 0) count = std::min(count, static_cast<std::size_t>(options.evaluations));
  return std::max<std::size_t>(count, 1);
}

/// A default point of a variant that has not been tried: a winner is to be compared with what it takes the
/// place of. Nothing where defaults would take more than a quarter of the evaluations.
std::optional<std::size_t> next_default(std::span<const State* const> states, std::span<const Tried> tried,
                                        std::size_t evaluations) {
  std::map<const Variant*, Point> defaults;
  for (const State* state : states)
    if (state->variant != nullptr && !defaults.contains(state->variant))
      defaults.emplace(state->variant, state->variant->space.complete({}));
  if (4 * defaults.size() > evaluations) return std::nullopt;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const auto usual = defaults.find(states[i]->variant);
    if (usual != defaults.end() && states[i]->key.point == usual->second &&
        std::ranges::find(tried, i, &Tried::candidate) == tried.end())
      return i;
  }
  return std::nullopt;
}

/// Of several objectives each is searched for in turn, and their product, which what lies between them is
/// best by: so is the set of those that nobody beats in all of them. Source: the weighted product method
/// (Miller and Starr 1969).
std::optional<double> score_in_turn(const results::Record& record, std::span<const Objective> objectives,
                                    const results::PhaseTimes& times, std::size_t turn) {
  const std::size_t which = turn % (objectives.size() == 1 ? 1 : objectives.size() + 1);
  if (which < objectives.size()) return score_of(record, objectives[which], times);
  std::optional<double> product = 1;
  for (const Objective& objective : objectives) {
    const std::optional<double> score = score_of(record, objective, times);
    if (!score) return std::nullopt;
    *product *= *score;
  }
  return product;
}

bool is_for_rate(const TuneOptions& options) {
  return options.objectives.size() == 1 && options.objectives.front().metric == Objective().metric;
}

/// Of each state what is expected; empty where nothing is.
std::vector<std::optional<double>> expected_of(std::span<const State* const> states,
                                               const ExpectedRates& rates) {
  std::vector<std::optional<double>> expected;
  bool any = false;
  for (const State* state : states) {
    const auto found = rates.find(state->key.to_string());
    expected.push_back(found == rates.end() ? std::nullopt : std::optional(found->second));
    any = any || expected.back();
  }
  if (!any) expected.clear();
  return expected;
}

}  // namespace

Search::Search(std::span<const State> planned, const TuneOptions& options, std::uint64_t seed,
               const ExpectedRates& expected)
    : objectives_(options.objectives), seed_(seed), strategy_(make_strategy(options.strategy)) {
  std::unordered_map<std::string, std::size_t> groups, contests;
  for (const State& state : planned) {
    const std::string problem = problem_key(state.key);
    const auto [group, new_group] = groups.emplace(problem, groups_.size());
    if (new_group) groups_.emplace_back();
    Group& of = groups_[group->second];
    if (state.kind != "kernel") {
      of.others.push_back(&state);
      continue;
    }
    const auto [contest, new_contest] = contests.emplace(problem + "/" + state.key.device, contests_.size());
    if (new_contest) {
      of.contests.push_back(contests_.size());
      contests_.emplace_back();
    }
    std::vector<const State*>& states = contests_[contest->second].states;
    places_.emplace(state.key.to_string(), Place{contest->second, states.size()});
    states.push_back(&state);
  }
  for (Contest& contest : contests_) {
    std::vector<results::StateKey> keys;
    for (const State* state : contest.states) keys.push_back(state->key);
    contest.candidates = candidates_of(keys);
    if (is_for_rate(options)) contest.candidates.expected = expected_of(contest.states, expected);
    contest.evaluations = evaluations_of(options, keys.size());
  }
}

bool Search::takes_all(const TuneOptions& options) {
  return options.strategy == strategies().front().name && options.evaluations == 0;
}

bool Search::uses_expectations(const TuneOptions& options) {
  return is_for_rate(options) && named_strategy(options.strategy).expects;
}

std::size_t Search::evaluations() const {
  std::size_t count = 0;
  for (const Group& group : groups_) count += group.others.size();
  for (const Contest& contest : contests_) count += contest.evaluations;
  return count;
}

std::vector<std::vector<Tried>> Search::tried_in(std::span<const results::Record> records) const {
  std::vector<std::vector<std::pair<std::size_t, const results::Record*>>> found(contests_.size());
  std::unordered_set<std::string> seen;  // with repetitions a state has several records, of which one counts
  for (const results::Record& record : records) {
    if (record.phase != "sweep") continue;
    const auto place = places_.find(record.state.to_string());
    if (place == places_.end() || !seen.insert(place->first).second) continue;
    const auto [contest, candidate] = place->second;
    found[contest].emplace_back(candidate, &record);
  }
  const results::PhaseTimes times = phase_times_of(records);
  std::vector<std::vector<Tried>> tried(contests_.size());
  for (std::size_t contest = 0; contest < contests_.size(); ++contest)
    for (const auto& [candidate, record] : found[contest])
      tried[contest].push_back(
          {candidate, score_in_turn(*record, objectives_, times, found[contest].size())});
  return tried;
}

std::vector<State> Search::next(std::span<const results::Record> records) const {
  const std::vector<std::vector<Tried>> tried = tried_in(records);
  std::unordered_set<std::string> others;
  for (const results::Record& record : records)
    if (record.kind == "peer") others.insert(record.state.to_string());
  for (const Group& group : groups_) {
    std::vector<State> states;
    for (const State* other : group.others)
      if (!others.contains(other->key.to_string())) states.push_back(*other);
    for (const std::size_t number : group.contests) {
      const Contest& contest = contests_[number];
      if (tried[number].size() >= contest.evaluations) continue;
      auto next = next_default(contest.states, tried[number], contest.evaluations);
      if (!next) next = strategy_->next(contest.candidates, tried[number], seed_);
      if (next) states.push_back(*contest.states[*next]);
    }
    if (!states.empty()) return states;
  }
  return {};
}

}  // namespace gpuseq::bench
