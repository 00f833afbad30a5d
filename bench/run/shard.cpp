#include "bench/run/shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <queue>
#include <unordered_map>
#include <utility>

#include "bench/bound/curves.hpp"
#include "bench/plan/estimate.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

/// A probe's curve: the states that stay in one shard, and what they cost together.
struct CurveStates {
  std::vector<State*> states;
  double cost_s = 0;
};

std::vector<CurveStates> curve_states(std::vector<State>& probes, const SuiteConfig& config) {
  std::vector<CurveStates> curves;
  std::unordered_map<std::string, std::size_t> places;
  for (State& state : probes) {
    const auto [place, is_new] = places.emplace(curve_id(state.key), curves.size());
    if (is_new) curves.emplace_back();
    CurveStates& curve = curves[place->second];
    curve.states.push_back(&state);
    curve.cost_s += estimated_s(state, config);
  }
  return curves;
}

/// Curves, the most expensive first, each go to the shard that has least to do, the first of several.
/// @param cost_s  of every shard; increased
/// @return        the states of the shard `mine`
std::vector<State> share_probes(std::vector<State> probes, std::size_t mine, std::vector<double>& cost_s,
                                const SuiteConfig& config) {
  std::vector<CurveStates> curves = curve_states(probes, config);
  std::stable_sort(curves.begin(), curves.end(),
                   [](const CurveStates& a, const CurveStates& b) { return a.cost_s > b.cost_s; });
  using CostOfShard = std::pair<double, std::size_t>;
  std::priority_queue<CostOfShard, std::vector<CostOfShard>, std::greater<>> shards;
  for (std::size_t i = 0; i < cost_s.size(); ++i) shards.emplace(cost_s[i], i);
  std::vector<State> kept;
  for (const CurveStates& curve : curves) {
    const std::size_t least = shards.top().second;
    shards.pop();
    shards.emplace(cost_s[least] += curve.cost_s, least);
    if (least != mine) continue;
    for (State* state : curve.states) kept.push_back(std::move(*state));
  }
  return kept;
}

/// The level to which all shards that are below it rise when `more_s` is poured over them.
double water_level(std::vector<double> cost_s, double more_s) {
  std::sort(cost_s.begin(), cost_s.end());
  double below_s = 0;
  for (std::size_t i = 0; i < cost_s.size(); ++i) {
    below_s += cost_s[i];
    const double level = (below_s + more_s) / static_cast<double>(i + 1);
    if (i + 1 == cost_s.size() || level <= cost_s[i + 1]) return level;
  }
  return more_s;
}

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

}  // namespace

Shard parse_shard(std::string_view text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const std::optional<int> index = number(text.substr(0, slash));
  const std::optional<int> count = number(text.substr(std::min(slash + 1, text.size())));
  if (!index || !count || *index < 1 || *index > *count || *count > kMostShards)
    throw UsageError(
        fmt::format("--shard {}: allowed is i/N with 1 <= i <= N <= {}, such as 3/8", text, kMostShards));
  return {.index = *index, .count = *count};
}

Sweep in_shard(Sweep sweep, const Shard& shard, const SuiteConfig& config) {
  if (shard.whole()) return sweep;
  if (!sweep.sized.empty()) {
    const results::StateKey& one = sweep.sized.front().front().key;
    throw UsageError(fmt::format(
        "--shard: the config leaves the size of {} to the run ({}), and shards would find different ones; "
        "run it "
        "once whole with one node's devices, and state the sizes that its run.json has under \"sizes\"",
        one.family, one.problem.to_string()));
  }
  const auto mine = static_cast<std::size_t>(shard.index - 1);
  std::vector<double> cost_s(static_cast<std::size_t>(shard.count), 0.0);
  sweep.probes = share_probes(std::move(sweep.probes), mine, cost_s, config);
  double kernels_s = 0;
  for (const State& state : sweep.kernels) kernels_s += estimated_s(state, config);
  const double level_s = water_level(cost_s, kernels_s);
  std::size_t current = 0;
  std::vector<State> kept;
  for (State& state : sweep.kernels) {
    const double state_s = estimated_s(state, config);
    // A shard with nothing to do takes what costs more than the level: there are few states for the shards.
    while (current + 1 < cost_s.size() && cost_s[current] > 0 && cost_s[current] + state_s / 2 > level_s)
      ++current;
    cost_s[current] += state_s;
    if (current == mine) kept.push_back(std::move(state));
  }
  sweep.kernels = std::move(kept);
  return sweep;
}

}  // namespace gpuseq::bench
