#include "bench/plan/axis_defaults.hpp"

namespace gpuseq::bench {
namespace {

Point default_point(const SearchSpace& space) {
  Point point;
  for (const Axis& axis : space.axes()) point.set(axis.name, axis.default_value);
  return point;
}

}  // namespace

results::AxisDefaults defaults_of(std::span<const State> states) {
  results::AxisDefaults defaults;
  for (const State& state : states) {
    const auto [problem, is_new_family] = defaults.problems.try_emplace(state.key.family);
    if (is_new_family) problem->second = default_point(state.family->problem_space());
    const auto [variant, is_new_variant] =
        defaults.variants.try_emplace(results::variant_id(state.key.family, state.key.variant));
    if (is_new_variant) variant->second = default_point(state.variant->space);
  }
  return defaults;
}

}  // namespace gpuseq::bench
