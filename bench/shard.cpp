#include "bench/shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "bench/curves.hpp"
#include "runtime/errors.hpp"

namespace gpuseq::bench {
namespace {

/// A probe's curve: the states that stay in one shard, and what they cost together.
struct CurveStates {
  std::vector<const State*> states;
  double cost_s = 0;
};

std::vector<CurveStates> curves_of(const std::vector<State>& probes, const SuiteConfig& config) {
  std::vector<CurveStates> curves;
  std::map<std::string, std::size_t> places;
  for (const State& state : probes) {
    const auto [place, is_new] = places.emplace(curve_id(state.key), curves.size());
    if (is_new) curves.emplace_back();
    CurveStates& curve = curves[place->second];
    curve.states.push_back(&state);
    curve.cost_s += estimated_s(state, config);
  }
  return curves;
}

/// Curves, the most expensive first, each go to the shard that has least to do.
std::vector<Sweep> share_probes(const Sweep& sweep, std::vector<double>& cost_s, const SuiteConfig& config) {
  std::vector<Sweep> shards(cost_s.size());
  std::vector<CurveStates> curves = curves_of(sweep.probes, config);
  std::stable_sort(curves.begin(), curves.end(),
                   [](const CurveStates& a, const CurveStates& b) { return a.cost_s > b.cost_s; });
  for (const CurveStates& curve : curves) {
    const auto least = std::min_element(cost_s.begin(), cost_s.end());
    *least += curve.cost_s;
    for (const State* state : curve.states)
      shards[static_cast<std::size_t>(least - cost_s.begin())].probes.push_back(*state);
  }
  return shards;
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
  if (!index || !count || *index < 1 || *index > *count)
    throw UsageError(fmt::format("--shard {}: allowed is i/N with 1 <= i <= N, such as 3/8", text));
  return {.index = *index, .count = *count};
}

Sweep in_shard(const Sweep& sweep, const Shard& shard, const SuiteConfig& config) {
  if (shard.whole()) return sweep;
  std::vector<double> cost_s(static_cast<std::size_t>(shard.count), 0.0);
  std::vector<Sweep> shards = share_probes(sweep, cost_s, config);
  double kernels_s = 0;
  for (const State& state : sweep.kernels) kernels_s += estimated_s(state, config);
  const double level_s = water_level(cost_s, kernels_s);
  std::size_t current = 0;
  for (const State& state : sweep.kernels) {
    const double state_s = estimated_s(state, config);
    while (current + 1 < shards.size() && cost_s[current] + state_s / 2 > level_s) ++current;
    cost_s[current] += state_s;
    shards[current].kernels.push_back(state);
  }
  Sweep mine = std::move(shards[static_cast<std::size_t>(shard.index - 1)]);
  mine.remarks = sweep.remarks;
  return mine;
}

}  // namespace gpuseq::bench
