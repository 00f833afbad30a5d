#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "results/record.hpp"
#include "runtime/contract/point.hpp"

namespace gpuseq::results {

/// Default values of the axes of a run's families and variants. run.json has them as `defaults`: {"fm_index":
/// {"problem": {axis: value}, "variants": {"simd": {axis: value}}}}.
struct AxisDefaults {
  std::map<std::string, Point> problems = {};  // by family
  std::map<std::string, Point> variants = {};  // by family/variant

  /// Adds the defaults of `others`, which replace existing ones.
  void update(const AxisDefaults& others);

  /// Completes a state that was measured before an axis existed with the axis's default, which it had
  /// implicitly.
  void add_newer_axes(StateKey& state) const;

  nlohmann::ordered_json to_json() const;
  /// From `defaults` in run.json. Malformed parts are left out: short names work without them.
  static AxisDefaults from_json(const nlohmann::json& defaults);
};

/// "fm_index/simd"
std::string variant_id(std::string_view family, std::string_view variant);

}  // namespace gpuseq::results
