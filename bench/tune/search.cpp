#include "bench/tune/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "bench/plan/tune.hpp"

namespace gpuseq::bench {
namespace {

std::string problem_of(const results::StateKey& key) {
  return fmt::format("{}/{}", key.family, key.problem.to_string());
}

/// At least one, at most all.
std::size_t evaluations_of(const TuneOptions& options, std::size_t states) {
  std::size_t count = states;
  if (options.evaluations > 0) count = std::min(count, static_cast<std::size_t>(options.evaluations));
  return std::max<std::size_t>(count, 1);
}

}  // namespace

Search::Search(std::span<const State> planned, const TuneOptions& options, std::uint64_t seed)
    : objective_(options.objectives.front()), seed_(seed), strategy_(make_strategy(options.strategy)) {
  std::map<std::string, std::size_t> groups;
  std::map<std::string, std::size_t> contests;
  for (const State& state : planned) {
    const std::string problem = problem_of(state.key);
    const auto [group, new_group] = groups.emplace(problem, groups_.size());
    if (new_group) groups_.emplace_back();
    Group& of = groups_[group->second];
    if (state.kind != "kernel") {
      of.others.push_back(&state);
      continue;
    }
    const auto [contest, new_contest] =
        contests.emplace(problem + "/" + state.key.device, of.contests.size());
    if (new_contest) of.contests.emplace_back();
    of.contests[contest->second].states.push_back(&state);
  }
  for (Group& group : groups_)
    for (Contest& contest : group.contests) {
      std::vector<results::StateKey> keys;
      for (const State* state : contest.states) keys.push_back(state->key);
      contest.candidates = candidates_of(keys);
      contest.evaluations = evaluations_of(options, keys.size());
    }
}

bool Search::takes_all(const TuneOptions& options) {
  return options.strategy == strategies().front().name && options.evaluations == 0;
}

std::size_t Search::evaluations() const {
  std::size_t count = 0;
  for (const Group& group : groups_) {
    count += group.others.size();
    for (const Contest& contest : group.contests) count += contest.evaluations;
  }
  return count;
}

std::vector<State> Search::next(std::span<const results::Record> records) const {
  struct Measured {
    std::size_t order;
    std::optional<double> score;
  };
  std::unordered_map<std::string, Measured> measured;
  for (const results::Record& record : records) {
    if (record.phase != "sweep") continue;
    std::optional<double> score = metric_of(record, objective_);
    if (score && !objective_.maximise) score = *score > 0 ? std::optional(1 / *score) : std::nullopt;
    measured.try_emplace(record.state.to_string(), Measured{measured.size(), score});
  }
  for (const Group& group : groups_) {
    std::vector<State> states;
    for (const State* other : group.others)
      if (!measured.contains(other->key.to_string())) states.push_back(*other);
    for (const Contest& contest : group.contests) {
      std::vector<std::pair<std::size_t, Tried>> tried;
      for (std::size_t i = 0; i < contest.states.size(); ++i)
        if (const auto found = measured.find(contest.states[i]->key.to_string()); found != measured.end())
          tried.push_back({found->second.order, {i, found->second.score}});
      if (tried.size() >= contest.evaluations) continue;
      std::ranges::sort(tried, {}, [](const auto& one) { return one.first; });
      std::vector<Tried> in_order;
      for (const auto& [order, one] : tried) in_order.push_back(one);
      if (const auto next = strategy_->next(contest.candidates, in_order, seed_))
        states.push_back(*contest.states[*next]);
    }
    if (!states.empty()) return states;
  }
  return {};
}

}  // namespace gpuseq::bench
