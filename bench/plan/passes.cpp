#include "bench/plan/passes.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <utility>

namespace gpuseq::bench {
namespace {

/// Fisher and Yates's; the standard's shuffle and distributions differ between libraries, and a resumed run
/// must find its order.
void shuffle(std::vector<const State*>& states, std::mt19937_64& random) {
  for (std::size_t i = states.size(); i > 1; --i) std::swap(states[i - 1], states[random() % i]);
}

/// States by device and problem, in the order of their first ones.
std::vector<std::vector<const State*>> by_problem(std::span<const State> states,
                                                  const SamplingOptions& sampling) {
  std::vector<std::vector<const State*>> groups;
  std::map<std::string, std::size_t> places;
  for (const State& state : states) {
    if (passes_of(state, sampling) == 1) continue;
    const std::string problem =
        state.key.device + " " + state.key.family + " " + state.key.problem.to_string();
    const auto [place, is_new] = places.emplace(problem, groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(&state);
  }
  return groups;
}

}  // namespace

int passes_of(const State& state, const SamplingOptions& of_config) {
  return state.kind == "probe" && state.variant->device == DeviceKind::cpu ? of_config.probe_passes : 1;
}

std::vector<State> pass_of(std::span<const State> states, int n, const SuiteConfig& config, int repetitions) {
  std::mt19937_64 random(config.seed ^ (0x9e3779b97f4a7c15u * (static_cast<std::uint64_t>(n) + 1)));
  std::vector<State> pass;
  pass.reserve(states.size());
  for (std::vector<const State*>& group : by_problem(states, config.sampling)) {
    shuffle(group, random);
    for (const State* state : group) {
      pass.push_back(*state);
      pass.back().repetition = n * repetitions;
    }
  }
  return pass;
}

std::vector<State> in_passes(std::span<const State> states, const SuiteConfig& config, int repetitions) {
  std::vector<State> all;
  all.reserve(states.size() * static_cast<std::size_t>(config.sampling.probe_passes));
  std::ranges::copy_if(states, std::back_inserter(all),
                       [&](const State& state) { return passes_of(state, config.sampling) == 1; });
  if (config.sampling.probe_passes == 1) return all;
  for (int n = 0; n < config.sampling.probe_passes; ++n)
    std::ranges::move(pass_of(states, n, config, repetitions), std::back_inserter(all));
  return all;
}

}  // namespace gpuseq::bench
