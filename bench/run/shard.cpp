#include "bench/run/shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <unordered_map>
#include <utility>

#include "bench/bound/curves.hpp"
#include "bench/plan/run_time.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/expression.hpp"

namespace gpuseq::bench {
namespace {

/// The machine whose seconds cut a run: the same cut on every machine.
constexpr int kCpus = 16;

/// States that one shard measures: a probe's curve, the kernels of a problem, or one kernel.
struct Piece {
  std::vector<State> states;
  double cost_s = 0;
};

/// States with a common key, in the order of their first ones.
template <typename KeyOf>
std::vector<Piece> pieces_by(std::vector<State> states, const KeyOf& key_of) {
  std::vector<Piece> pieces;
  std::unordered_map<std::string, std::size_t> places;
  for (State& state : states) {
    const auto [place, is_new] = places.emplace(key_of(state), pieces.size());
    if (is_new) pieces.emplace_back();
    pieces[place->second].states.push_back(std::move(state));
  }
  return pieces;
}

/// Curves, the most expensive first, each go to the shard that has least to do, the first of several.
/// @param cost_s  of every shard; increased
/// @return        the states of the shard `mine`
std::vector<State> share_probes(std::vector<State> probes, std::size_t mine, std::vector<double>& cost_s,
                                const RunTime& times) {
  std::vector<Piece> curves =
      pieces_by(std::move(probes), [](const State& state) { return curve_id(state.key); });
  for (Piece& curve : curves) curve.cost_s = times.of_probes(curve.states, 1).typical_s;
  std::stable_sort(curves.begin(), curves.end(),
                   [](const Piece& a, const Piece& b) { return a.cost_s > b.cost_s; });
  using CostOfShard = std::pair<double, std::size_t>;
  std::priority_queue<CostOfShard, std::vector<CostOfShard>, std::greater<>> shards;
  for (std::size_t i = 0; i < cost_s.size(); ++i) shards.emplace(cost_s[i], i);
  std::vector<State> kept;
  for (Piece& curve : curves) {
    const std::size_t least = shards.top().second;
    shards.pop();
    shards.emplace(cost_s[least] += curve.cost_s, least);
    if (least == mine) std::ranges::move(curve.states, std::back_inserter(kept));
  }
  return kept;
}

/// Problems; those that cost more than a share are divided into their kernels.
/// @param share_s  a shard's part of the run
std::vector<Piece> pieces_of_kernels(std::vector<State> kernels, double share_s, const RunTime& times) {
  std::vector<Piece> pieces;
  for (Piece& problem :
       pieces_by(std::move(kernels), [](const State& state) { return problem_key(state.key); })) {
    problem.cost_s = times.of_kernels(problem.states, 1).typical_s;
    if (problem.cost_s <= share_s) {
      pieces.push_back(std::move(problem));
      continue;
    }
    const double each_s = problem.cost_s / static_cast<double>(problem.states.size());
    for (State& state : problem.states) pieces.push_back({.states = {std::move(state)}, .cost_s = each_s});
  }
  return pieces;
}

std::vector<State> controls_of(const Sweep& sweep, const SuiteConfig& config) {
  std::vector<State> controls;
  std::set<std::string> taken;
  for (const std::string& pattern : config.controls) {
    const Expression expression(pattern, "/controls: ");
    for (const auto* states : {&sweep.probes, &sweep.kernels})
      for (const State& state : *states)
        if (const std::string key = state.key.to_string(); expression.is_in(key) && taken.insert(key).second)
          controls.push_back(state);
  }
  return controls;
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
  sweep.controls = controls_of(sweep, config);
  const RunTime times(config, 1, kCpus);
  const auto mine = static_cast<std::size_t>(shard.index - 1);
  std::vector<double> cost_s(static_cast<std::size_t>(shard.count), 0.0);
  sweep.probes = share_probes(std::move(sweep.probes), mine, cost_s, times);
  const double kernels_s = times.of_kernels(sweep.kernels, 1).typical_s;
  const double level_s = water_level(cost_s, kernels_s);
  std::size_t current = 0;
  std::vector<State> kept;
  std::map<std::string, std::set<std::size_t>> shards_of;
  for (Piece& piece : pieces_of_kernels(std::move(sweep.kernels), level_s, times)) {
    // A shard with nothing to do takes states above the level: there are few states for the shards.
    while (current + 1 < cost_s.size() && cost_s[current] > 0 && cost_s[current] + piece.cost_s / 2 > level_s)
      ++current;
    cost_s[current] += piece.cost_s;
    shards_of[problem_key(piece.states.front().key)].insert(current);
    if (current == mine) std::ranges::move(piece.states, std::back_inserter(kept));
  }
  sweep.kernels = std::move(kept);
  for (const auto& [problem, shards] : shards_of)
    if (shards.size() > 1) sweep.divided.insert(problem);
  return sweep;
}

}  // namespace gpuseq::bench
