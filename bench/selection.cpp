#include "bench/selection.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/schema_check.hpp"
#include "runtime/errors.hpp"

namespace gpuseq::bench {
namespace {

bool allows(const Axis& axis, const AxisValue& value) {
  return std::find(axis.values.begin(), axis.values.end(), value) != axis.values.end() ||
         (axis.accepts && axis.accepts(value));
}

AxisValue checked_value(const nlohmann::json& given, const Axis& axis, const Place& place) {
  const AxisValue value = axis_value_from_json(given);
  if (!allows(axis, value))
    throw UsageError(
        fmt::format("{}: found {}; allowed: {}", place.text(), show(given), allowed_values(axis)));
  return value;
}

}  // namespace

std::string axis_names(const std::vector<Axis>& axes) {
  std::vector<std::string_view> names;
  for (const Axis& axis : axes) names.push_back(axis.name);
  return names.empty() ? "no axis" : fmt::format("{}", fmt::join(names, ", "));
}

std::string allowed_values(const Axis& axis) {
  if (!axis.allowed.empty()) return axis.allowed;
  std::vector<std::string> values;
  for (const AxisValue& value : axis.values) values.push_back(to_string(value));
  return fmt::format("{}", fmt::join(values, ", "));
}

std::vector<AxisValue> axis_values(const nlohmann::json& given, const Axis& axis, const Place& place) {
  if (given == "all" && !allows(axis, AxisValue(std::string("all")))) return axis.values;
  std::vector<AxisValue> values;
  if (!given.is_array()) return {checked_value(given, axis, place)};
  for (std::size_t i = 0; i < given.size(); ++i)
    values.push_back(checked_value(given[i], axis, place / std::to_string(i)));
  return values;
}

std::vector<Point> valid_points(const Restriction& restriction, const SearchSpace& space,
                                const Place& place) {
  std::vector<Point> points = space.points(restriction);
  if (!points.empty()) return points;
  Point first;
  for (const Axis& axis : space.axes()) {
    const auto found = restriction.find(axis.name);
    first.set(axis.name, found == restriction.end() ? axis.default_value : found->second.front());
  }
  throw UsageError(fmt::format("{}: no valid point is left; {} is not valid: {}", place.text(),
                               first.to_string(), space.why_invalid(first).value_or("it is excluded")));
}

std::vector<Point> select_points(const nlohmann::json& object, const SearchSpace& space, const Place& place) {
  Restriction restriction;
  for (const auto& [name, given] : object.items()) {
    const Axis* axis = space.find(name);
    if (axis == nullptr)
      throw UsageError(fmt::format("{}: unknown axis \"{}\"; allowed: {}", (place / name).text(), name,
                                   axis_names(space.axes())));
    restriction[name] = axis_values(given, *axis, place / name);
  }
  return valid_points(restriction, space, place);
}

}  // namespace gpuseq::bench
