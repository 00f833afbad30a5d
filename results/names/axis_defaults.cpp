#include "results/names/axis_defaults.hpp"

#include <fmt/format.h>

namespace gpuseq::results {
namespace {

using nlohmann::json;

Point point_of(const json& object) {
  Point point;
  if (!object.is_object()) return point;
  for (const auto& [axis, value] : object.items())
    if (value.is_number_integer() || value.is_string()) point.set(axis, axis_value_from_json(value));
  return point;
}

void complete(Point& point, const std::map<std::string, Point>& defaults, const std::string& of) {
  const auto found = defaults.find(of);
  if (found == defaults.end()) return;
  for (const auto& [axis, value] : found->second.values())
    if (!point.has(axis)) point.set(axis, value);
}

/// Axis by axis: `to` may come from another version and have other axes.
void take_over(const std::map<std::string, Point>& from, std::map<std::string, Point>& to) {
  for (const auto& [of, point] : from)
    for (const auto& [axis, value] : point.values()) to[of].set(axis, value);
}

}  // namespace

std::string variant_id(std::string_view family, std::string_view variant) {
  return fmt::format("{}/{}", family, variant);
}

void AxisDefaults::update(const AxisDefaults& others) {
  take_over(others.problems, problems);
  take_over(others.variants, variants);
}

void AxisDefaults::add_newer_axes(StateKey& state) const {
  complete(state.problem, problems, state.family);
  complete(state.point, variants, variant_id(state.family, state.variant));
}

nlohmann::ordered_json AxisDefaults::to_json() const {
  nlohmann::ordered_json families = nlohmann::ordered_json::object();
  for (const auto& [family, point] : problems) families[family]["problem"] = point.to_json();
  for (const auto& [variant, point] : variants) {
    const std::size_t slash = variant.find('/');
    families[variant.substr(0, slash)]["variants"][variant.substr(slash + 1)] = point.to_json();
  }
  return families;
}

AxisDefaults AxisDefaults::from_json(const json& defaults) {
  AxisDefaults found;
  if (!defaults.is_object()) return found;
  for (const auto& [family, given] : defaults.items()) {
    if (!given.is_object()) continue;
    if (given.contains("problem")) found.problems[family] = point_of(given["problem"]);
    const auto variants = given.find("variants");
    if (variants == given.end() || !variants->is_object()) continue;
    for (const auto& [variant, point] : variants->items())
      found.variants[variant_id(family, variant)] = point_of(point);
  }
  return found;
}

}  // namespace gpuseq::results
