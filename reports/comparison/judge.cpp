#include "reports/comparison/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reports/comparison/words.hpp"
#include "runtime/io/hash.hpp"

namespace gpuseq::comparison {
namespace {

/// Why a state is inconclusive: what stands in the way first, and what would help.
std::string reason_of(const StateComparison& state, std::size_t states, const CompareOptions& options) {
  const std::size_t fewest = std::min(state.base_units, state.new_units);
  if (fewest < results::kFewestValues)
    return fmt::format("only {} {} on one side: at least {} are needed", fewest, units(state.unit, fewest),
                       results::kFewestValues);
  const double effect = 1 + options.min_effect;
  const bool beyond_effect = state.low > effect || state.high < 1 / effect;
  if (beyond_effect && state.q > options.false_discovery_rate) {
    const double reachable =
        results::least_mann_whitney_p(state.base_units, state.new_units) * static_cast<double>(states);
    return fmt::format("q {:.2g} is above {:g}: more repeats needed{}", state.q, options.false_discovery_rate,
                       reachable > options.false_discovery_rate
                           ? fmt::format(" ({} and {} {} cannot decide about one of {} states)",
                                         state.base_units, state.new_units, units(state.unit, 2), states)
                           : "");
  }
  if (state.noise_floor > options.min_effect)
    return fmt::format("noise floor {} is above {}: more repeats needed", percent(state.noise_floor),
                       percent(options.min_effect));
  return fmt::format("the change lies between {} and {}, neither within {} nor beyond: more repeats needed",
                     change(state.low), change(state.high), percent(options.min_effect));
}

Verdict verdict_of(const StateComparison& state, const CompareOptions& options) {
  if (std::min(state.base_units, state.new_units) < results::kFewestValues) return Verdict::inconclusive;
  const bool found = state.q <= options.false_discovery_rate;
  if (found && state.low > 1 + state.threshold) return Verdict::regressed;
  if (found && state.high < 1 / (1 + state.threshold)) return Verdict::improved;
  const double effect = 1 + options.min_effect;
  if (state.low >= 1 / effect && state.high <= effect) return Verdict::same;
  return Verdict::inconclusive;
}

}  // namespace

void compare_values(StateComparison& state, const Values& base, const Values& next,
                    const CompareOptions& options, results::InferenceTables& tables) {
  // A stream of random numbers of its own, so that a state is judged alike whatever else is compared.
  const std::uint64_t seed = options.seed ^ Hash().update(state.state.to_string()).value();
  const results::RatioInterval interval =
      results::ratio_of_medians(base.seconds, next.seconds, options.confidence, seed, &tables);
  state.ratio = interval.ratio;
  state.low = interval.low;
  state.high = interval.high;
  state.p = results::mann_whitney_p(base.seconds, next.seconds, &tables);
  state.noise_floor =
      results::noise_floor(base.seconds, next.seconds.size(), base.order, options.confidence, seed, &tables)
          .value_or(std::numeric_limits<double>::infinity());
  state.threshold = std::max(options.min_effect, state.noise_floor);
  state.base_median_s = results::median(base.seconds);
  state.new_median_s = results::median(next.seconds);
  state.base_units = base.seconds.size();
  state.new_units = next.seconds.size();
  state.unit = base.unit;
  if (base.left_out) state.base_left_out = base.disturbed;
  if (next.left_out) state.new_left_out = next.disturbed;
}

void judge(const std::vector<StateComparison*>& states, const CompareOptions& options) {
  std::vector<double> p(states.size());
  std::ranges::transform(states, p.begin(), &StateComparison::p);
  const std::vector<double> q = results::false_discovery_rates(p);
  for (std::size_t i = 0; i < states.size(); ++i) {
    StateComparison& state = *states[i];
    state.q = q[i];
    state.verdict = verdict_of(state, options);
    if (state.verdict == Verdict::inconclusive) state.reason = reason_of(state, states.size(), options);
  }
}

}  // namespace gpuseq::comparison
