#include "bench/phases/search/search.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <unordered_set>

#include "bench/phases/race/objective.hpp"
#include "bench/plan/not_compiled.hpp"
#include "bench/plan/plan.hpp"

namespace gpuseq::bench {
namespace {

/// At least one, at most all.
std::size_t evaluations_of(const TuneOptions& options, std::size_t states) {
  std::size_t count = states;
  if (options.evaluations > 0) count = std::min(count, static_cast<std::size_t>(options.evaluations));
  return std::max<std::size_t>(count, 1);
}

/// A default point of a variant that has not been tried: a winner is compared with the point that it
/// replaces. Nothing where defaults would take more than a quarter of the evaluations.
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

/// So many of the first points are worth a search of the points near them.
constexpr std::size_t kFastest = 4;

/// With several objectives each is searched in turn, and then their product, by which the points between
/// them are best: so is the set of points that no other beats in all. Source: the weighted product method
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

/// As in SelectedSpaces.
std::string space_name(const results::StateKey& key) {
  return key.family + "/" + key.variant;
}

/// The expected score of each state; empty where there is none.
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
               const ExpectedRates& expected, SelectedSpaces sampled,
               std::map<std::string, std::uint64_t> data_bytes)
    : objectives_(options.objectives),
      seed_(seed),
      strategy_(make_strategy(options.strategy)),
      sampled_(std::move(sampled)),
      data_bytes_(std::move(data_bytes)) {
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
    std::set<const SelectedSpace*> spaces;
    for (const State* state : contest.states) {
      keys.push_back(state->key);
      contest.runs.push_back(runs(*state));
      if (grows(*state)) spaces.insert(sampled_.at(space_name(state->key)).get());
    }
    contest.planned = keys.size();
    contest.places = Coordinates(keys, std::vector(spaces.begin(), spaces.end()));
    contest.candidates.features = contest.places.features();
    for (const results::StateKey& key : keys)
      contest.candidates.coordinates.push_back(contest.places.of(key));
    contest.first = first_of(contest, options.first);
    if (is_for_rate(options)) contest.candidates.expected = expected_of(contest.states, expected);
    contest.evaluations = spaces.empty()
                              ? evaluations_of(options, keys.size())
                              : std::max<std::size_t>(1, static_cast<std::size_t>(options.evaluations));
  }
}

std::vector<Search::First> Search::first_of(const Contest& contest, std::span<const VariantPoint> points) {
  std::unordered_map<std::string, std::size_t> places;
  const auto name = [](const std::string& variant, const Point& point) {
    return variant + "/" + point.to_string();
  };
  std::map<std::string, const Variant*> variants;
  for (std::size_t i = 0; i < contest.states.size(); ++i) {
    const State& state = *contest.states[i];
    places.emplace(name(state.key.variant, state.key.point), i);
    variants.emplace(state.key.variant, state.variant);
  }
  std::vector<First> all;
  for (const auto& [variant, point] : points) {
    const auto found = variants.find(variant);
    if (found == variants.end()) continue;
    const Point whole = found->second != nullptr ? found->second->space.complete(point) : point;
    const auto place = places.find(name(variant, whole));
    if (place == places.end()) continue;
    First& first = all.emplace_back(place->second);
    const std::vector<Candidates::Feature>& features = contest.candidates.features;
    for (std::size_t f = 0; f < features.size(); ++f)
      if (features[f].name == kVariantFeature || point.has(features[f].name)) first.kept.push_back(f);
  }
  return all;
}

std::vector<bool> Search::near_fastest(const Contest& contest, std::span<const Tried> tried) {
  std::unordered_map<std::size_t, double> scores;
  for (const Tried& one : tried)
    if (one.score) scores.emplace(one.candidate, *one.score);
  std::vector<const First*> fastest;
  for (const First& one : contest.first)
    if (scores.contains(one.candidate)) fastest.push_back(&one);
  if (fastest.empty()) return contest.runs;
  std::ranges::stable_sort(fastest, std::greater(),
                           [&](const First* one) { return scores.at(one->candidate); });
  fastest.resize(std::min(fastest.size(), kFastest));
  const std::vector<std::vector<double>>& coordinates = contest.candidates.coordinates;
  std::vector<bool> near;
  for (const std::vector<double>& place : coordinates)
    near.push_back(contest.runs[near.size()] && std::ranges::any_of(fastest, [&](const First* one) {
                     return std::ranges::all_of(one->kept, [&](std::size_t f) {
                       return place[f] == coordinates[one->candidate][f];
                     });
                   }));
  return near;
}

bool Search::grows(const State& state) const {
  return sampled_.contains(space_name(state.key));
}

bool Search::runs(const State& state) const {
  return state.variant == nullptr ||
         !is_unsupported(*state.variant, {state.key.point, state.key.problem, data_bytes_});
}

void Search::grow(std::size_t number, std::size_t candidate) const {
  constexpr std::size_t kMost = 100'000;  // candidates of a contest
  Contest& contest = contests_[number];
  const State& from = *contest.states[candidate];
  if (!grows(from) || contest.states.size() > kMost) return;
  for (Point& point : sampled_.at(space_name(from.key))->neighbours(from.key.point)) {
    State state = from;
    state.key.point = std::move(point);
    std::string key = state.key.to_string();
    if (places_.contains(key)) continue;
    places_.emplace(std::move(key), Place{number, contest.states.size()});
    grown_.push_back(std::move(state));
    contest.states.push_back(&grown_.back());
    contest.runs.push_back(runs(grown_.back()));
    contest.candidates.coordinates.push_back(contest.places.of(grown_.back().key));
    // Its expected rate is unknown: the rate of the neighbouring point is used.
    std::vector<std::optional<double>>& expected = contest.candidates.expected;
    if (!expected.empty()) expected.push_back(std::optional(expected[candidate]));
  }
}

void Search::forget_grown() const {
  for (Contest& contest : contests_) {
    contest.states.resize(contest.planned);
    contest.runs.resize(contest.planned);
    contest.candidates.coordinates.resize(contest.planned);
    if (!contest.candidates.expected.empty()) contest.candidates.expected.resize(contest.planned);
  }
  for (const State& state : grown_) places_.erase(state.key.to_string());
  grown_.clear();
  grown_from_.clear();
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

std::vector<std::pair<Search::Place, const results::Record*>> Search::placed(
    std::span<const results::Record> records) const {
  std::vector<std::pair<Place, const results::Record*>> found;
  std::unordered_set<std::string> seen;  // with repetitions a state has several records, of which one counts
  for (const results::Record& record : records) {
    if (record.phase != "sweep") continue;
    std::string key = record.state.to_string();
    const auto place = places_.find(key);
    if (place == places_.end() || !seen.insert(key).second) continue;
    const Place at = place->second;
    found.emplace_back(at, &record);
    const std::size_t number = found.size() - 1;
    if (number < grown_from_.size() && grown_from_[number] == key) continue;
    if (number < grown_from_.size()) {  // other records than those of the last call
      forget_grown();
      return placed(records);
    }
    grown_from_.push_back(std::move(key));
    grow(at.contest, at.candidate);
  }
  if (grown_from_.size() > found.size()) {  // fewer records than those of the last call
    forget_grown();
    return placed(records);
  }
  return found;
}

std::vector<std::vector<Tried>> Search::tried_in(std::span<const results::Record> records) const {
  const results::PhaseTimes times = phase_times_of(records);
  const auto found = placed(records);
  std::vector<std::vector<Tried>> tried(contests_.size());
  std::vector<std::size_t> turns(contests_.size());
  for (const auto& [place, record] : found) ++turns[place.contest];
  for (const auto& [place, record] : found)
    tried[place.contest].push_back(
        {place.candidate, score_in_turn(*record, objectives_, times, turns[place.contest]), record->took_s});
  return tried;
}

std::vector<State> Search::first() const {
  std::vector<State> states;
  for (const Group& group : groups_) {
    bool any = true;
    for (std::size_t turn = 0; any; ++turn) {
      any = false;
      for (const std::size_t number : group.contests) {
        const Contest& contest = contests_[number];
        if (turn >= contest.first.size()) continue;
        states.push_back(*contest.states[contest.first[turn].candidate]);
        any = true;
      }
    }
  }
  return states;
}

std::vector<State> Search::beyond_plan(std::span<const results::Record> records) const {
  std::vector<State> states;
  for (const auto& [place, record] : placed(records))
    if (const Contest& contest = contests_[place.contest]; place.candidate >= contest.planned)
      states.push_back(*contest.states[place.candidate]);
  return states;
}

std::vector<State> Search::next(std::span<const results::Record> records) const {
  const std::vector<std::vector<Tried>> tried = tried_in(records);
  std::unordered_set<std::string> others;
  for (const results::Record& record : records)
    if (record.kind == "tool") others.insert(record.state.to_string());
  for (const Group& group : groups_) {
    std::vector<State> states;
    for (const std::size_t number : group.contests) {
      const Contest& contest = contests_[number];
      if (tried[number].size() >= contest.evaluations) continue;
      std::optional<std::size_t> next;
      if (contest.first.empty())
        next = next_default(contest.states, tried[number], contest.evaluations);
      else
        next =
            strategy_->next(contest.candidates, tried[number], seed_, near_fastest(contest, tried[number]));
      if (!next) next = strategy_->next(contest.candidates, tried[number], seed_, contest.runs);
      if (!next) next = strategy_->next(contest.candidates, tried[number], seed_);
      if (next) states.push_back(*contest.states[*next]);
    }
    if (!states.empty()) return states;
    for (const State* other : group.others)
      if (!others.contains(other->key.to_string())) return {*other};
  }
  return {};
}

}  // namespace gpuseq::bench
