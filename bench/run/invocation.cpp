#include "bench/run/invocation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_set>

#include "bench/plan/budget.hpp"
#include "bench/plan/sizes/sizes.hpp"
#include "bench/tools/family.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {

BenchmarkFlags flags_of(const Invocation& invocation) {
  std::vector<std::string> arguments = invocation.benchmark_flags;
  return take_benchmark_flags(arguments);
}

namespace {

/// A regular expression of one literal name as that name; also one that
/// allows other axes between those that it names, as the lines of a page do.
std::string literal_name(std::string text) {
  const std::array<std::pair<std::string_view, std::string_view>, 3> gaps{
      {{"(|[^/]*,)", ""}, {"(,|,[^/]*,)", ","}, {"(|,[^/]*)", ""}}};
  for (const auto& [gap, with] : gaps)
    for (std::size_t at = text.find(gap); at != std::string::npos; at = text.find(gap, at + with.size()))
      text.replace(at, gap.size(), with);
  std::erase_if(text, [](char letter) { return letter == '\\' || letter == '^'; });
  return text;
}

/// The points of a variant that a text names in full.
/// @param begin  "family/variant/"
std::vector<Point> named_points(const std::string& text, const std::string& begin) {
  std::vector<Point> points;
  for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
    const std::size_t problem_end = text.find('/', at + begin.size());
    if (problem_end == std::string::npos) break;
    const std::size_t end = text.find('/', problem_end + 1);
    try {
      points.push_back(Point::parse(text.substr(problem_end + 1, end - problem_end - 1)));
    } catch (const UsageError&) {  // a pattern, no name
    }
  }
  return points;
}

/// Adds states of sampled variants that a filter names in full, as the lines of a page do: the sample may
/// lack them. The filter takes those of other problems away.
void add_named(const std::string& filter, const SelectedSpaces& sampled, std::vector<State>& states) {
  const std::string text = literal_name(filter);
  std::unordered_set<std::string> seen;
  std::vector<State> named;
  for (const State& state : states) {
    const std::string variant = fmt::format("{}/{}", state.key.family, state.key.variant);
    const auto space = sampled.find(variant);
    seen.insert(state.key.to_string());
    if (space == sampled.end() ||
        !seen.insert(fmt::format("{} {} {}", variant, problem_key(state.key), state.key.device)).second)
      continue;
    for (Point& point : named_points(text, variant + "/")) {
      if (!space->second->contains(point)) continue;
      named.push_back(state);
      named.back().key.point = std::move(point);
    }
  }
  for (State& one : named)
    if (seen.insert(one.key.to_string()).second) states.push_back(std::move(one));
}

}  // namespace

NeededProbes needed_within_budget(std::span<const State> kernels, std::span<const State> listed,
                                  const SuiteConfig& config, const Registry& registry,
                                  std::span<const DeviceInfo> devices) {
  SuiteConfig within = config;
  const double all_s = parts_of(budget_s(config, devices)).probes_s;
  within.probe_budget_s =
      std::min(config.probe_budget_s, all_s / static_cast<double>(std::max<std::size_t>(devices.size(), 1)));
  return needed_probes(kernels, listed, within, registry, devices);
}

Sweep invoked_sweep(const SuiteConfig& config, const Invocation& invocation, const Registry& registry) {
  const BenchmarkFlags flags = flags_of(invocation);
  Sweep sweep = plan(config, with_tools_of(config, registry), invocation.devices);
  if (!flags.filter.empty()) {  // the states that it lets through are all that a search may measure
    add_named(flags.filter, sweep.sampled, sweep.kernels);
    for (SizedStates& states : sweep.sized) add_named(flags.filter, sweep.sampled, states);
    sweep.sampled.clear();
  }
  sweep.probes = filtered(std::move(sweep.probes), flags);
  sweep.kernels = filtered(std::move(sweep.kernels), flags);
  for (SizedStates& states : sweep.sized) states = filtered(std::move(states), flags);
  std::erase_if(sweep.sized, [](const SizedStates& states) { return states.empty(); });
  sweep = in_shard(std::move(sweep), invocation.shard, config);
  std::vector<State> with_sized = at_first_size(sweep.sized);
  if (!with_sized.empty()) with_sized.insert(with_sized.end(), sweep.kernels.begin(), sweep.kernels.end());
  sweep.needed = needed_within_budget(with_sized.empty() ? sweep.kernels : with_sized, sweep.probes, config,
                                      registry, invocation.devices);
  std::ranges::move(sweep.needed.remarks, std::back_inserter(sweep.remarks));
  if (invocation.probes_only) {
    sweep.sampled.clear();
    sweep.kernels.clear();
    sweep.sized.clear();
  }
  return sweep;
}

}  // namespace gpuseq::bench
