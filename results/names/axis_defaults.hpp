#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "results/record.hpp"
#include "runtime/contract/point.hpp"

namespace gpuseq::results {

/// What the axes of a run's families and variants are where nobody names them. run.json has them as
/// `defaults`: {"fm_index": {"problem": {axis: value}, "variants": {"simd": {axis: value}}}}.
struct AxisDefaults {
  std::map<std::string, Point> problems = {};  // by family
  std::map<std::string, Point> variants = {};  // by family/variant

  /// Takes over what `others` have; where both have an axis, theirs.
  void update(const AxisDefaults& others);

  /// Gives a state that was measured before an axis was there the default of that axis: what it was of.
  void add_newer_axes(StateKey& state) const;

  nlohmann::ordered_json to_json() const;
  /// Of `defaults` in run.json. What is not of its form is left out: names can do without.
  static AxisDefaults from_json(const nlohmann::json& defaults);
};

/// "fm_index/simd"
std::string variant_id(std::string_view family, std::string_view variant);

}  // namespace gpuseq::results
