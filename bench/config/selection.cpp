#include "bench/config/selection.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "bench/config/schema_check.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/contract/nearest_word.hpp"

namespace gpuseq::bench {
namespace {

bool allows(const Axis& axis, const AxisValue& value) {
  return std::find(axis.values.begin(), axis.values.end(), value) != axis.values.end() ||
         (axis.accepts && axis.accepts(value));
}

/// did_you_mean() for an axis' words.
std::string word_meant(const AxisValue& value, const Axis& axis) {
  std::vector<std::string_view> words;
  for (const AxisValue& listed : axis.values)
    if (const auto* word = std::get_if<std::string>(&listed)) words.push_back(*word);
  const auto* found = std::get_if<std::string>(&value);
  return found == nullptr ? "" : did_you_mean(*found, words);
}

/// @param place  returns the place of the value; called for messages only
template <typename PlaceOf>
AxisValue checked_value(const nlohmann::json& given, const Axis& axis, PlaceOf&& place) {
  AxisValue value = axis_value_from_json(given);
  if (!allows(axis, value))
    throw UsageError(fmt::format("{}: found {}; allowed: {}{}", place().text(), show(given),
                                 allowed_values(axis), word_meant(value, axis)));
  return value;
}

std::size_t hash_of(const Point& point) {
  std::size_t hash = 0;
  for (const auto& [axis, value] : point.values())
    hash = hash * 0x9e3779b97f4a7c15U ^ (std::hash<std::string>()(axis) + 31 * std::hash<AxisValue>()(value));
  return hash;
}

}  // namespace

std::string count_text(double count) {
  constexpr double kExactBelow = 1e12;
  return count < kExactBelow ? fmt::format("{:.0f}", count) : fmt::format("{:.3g}", count);
}

void require_plannable(double states, const Place& place) {
  if (states > static_cast<double>(kMostStates))
    throw UsageError(fmt::format("{}: selects {} combinations of values; allowed: at most {} in a plan",
                                 place.text(), count_text(states), kMostStates));
}

void UniquePoints::add(Point point) {
  const std::size_t hash = hash_of(point);
  const auto [first, last] = places_.equal_range(hash);
  if (std::any_of(first, last, [&](const auto& place) { return points_[place.second] == point; })) return;
  places_.emplace(hash, points_.size());
  points_.push_back(std::move(point));
}

void throw_unknown_axis(const Place& place, const std::string& name, const std::vector<Axis>& axes) {
  std::vector<std::string_view> names(axes.size());
  std::ranges::transform(axes, names.begin(), &Axis::name);
  throw UsageError(fmt::format("{}: unknown axis \"{}\"; allowed: {}{}", place.text(), name,
                               names.empty() ? "no axis" : fmt::format("{}", fmt::join(names, ", ")),
                               did_you_mean(name, names)));
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
  if (!given.is_array()) return {checked_value(given, axis, [&] { return place; })};
  values.reserve(given.size());
  for (std::size_t i = 0; i < given.size(); ++i)
    values.push_back(checked_value(given[i], axis, [&] { return place / std::to_string(i); }));
  return values;
}

std::vector<Point> valid_points(const Restriction& restriction, const SearchSpace& space,
                                const Place& place) {
  double count = 1;
  for (const auto& [name, values] : restriction) count *= static_cast<double>(values.size());
  require_plannable(count, place);
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

Restriction restriction_of(const nlohmann::json& object, const SearchSpace& space, const Place& place) {
  Restriction restriction;
  for (const auto& [name, given] : object.items()) {
    const Axis* axis = space.find(name);
    if (axis == nullptr) throw_unknown_axis(place / name, name, space.axes());
    restriction[name] = axis_values(given, *axis, place / name);
  }
  return restriction;
}

std::vector<Point> select_points(const nlohmann::json& object, const SearchSpace& space, const Place& place) {
  return valid_points(restriction_of(object, space, place), space, place);
}

bool names_data(const Axis& axis) {
  return axis.accepts && axis.accepts(AxisValue(std::string("a data entry")));
}

}  // namespace gpuseq::bench
