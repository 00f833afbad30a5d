#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/contract/point.hpp"

namespace gpuseq::bench {

/// The place of a part of a config, for messages: "<file>: <JSON pointer>".
struct Place {
  std::string source;
  nlohmann::json::json_pointer pointer;
  Place operator/(const std::string& key) const { return {source, pointer / key}; }
  std::string text() const { return source + ": " + pointer.to_string(); }
};

/// Whether an axis of a problem names data: it accepts unlisted words.
bool names_data(const Axis& axis);

/// Limit of a plan's states, checked before they are created.
inline constexpr std::size_t kMostStates = 10'000'000;

/// A number of states or combinations, for messages.
std::string count_text(double count);

/// @throws UsageError if `states` exceeds the limit of a plan
void require_plannable(double states, const Place& place);

/// Distinct points in the order of insertion.
class UniquePoints {
 public:
  void add(Point point);
  std::size_t size() const { return points_.size(); }
  std::vector<Point> take() && { return std::move(points_); }

 private:
  std::vector<Point> points_;
  std::unordered_multimap<std::size_t, std::size_t> places_;  // hash -> position in points_
};

using Restriction = std::map<std::string, std::vector<AxisValue>>;

/// Reads one axis of a config: a value, a list of values, or "all" (every listed value).
/// @throws UsageError with the place, the found value and the allowed ones
std::vector<AxisValue> axis_values(const nlohmann::json& given, const Axis& axis, const Place& place);

/// The values of each axis that {"axis": value or [values], ...} selects. @throws UsageError for an unknown
/// axis or value
Restriction restriction_of(const nlohmann::json& object, const SearchSpace& space, const Place& place);

/// The points that {"axis": value or [values], ...} selects in a space; other axes have their default.
/// @throws UsageError for an unknown axis (naming the existing ones), a value that is not allowed,
/// constraints that leave no point (naming a violated one), or more than kMostStates points before
/// constraints
std::vector<Point> select_points(const nlohmann::json& object, const SearchSpace& space, const Place& place);

/// The valid points of a restriction. @throws UsageError as select_points() if there are none or too many
std::vector<Point> valid_points(const Restriction& restriction, const SearchSpace& space, const Place& place);

/// Reports an unknown axis, with the existing axes and the most similar one.
/// @throws UsageError
[[noreturn]] void throw_unknown_axis(const Place& place, const std::string& name,
                                     const std::vector<Axis>& axes);

/// Text on the values that an axis allows.
std::string allowed_values(const Axis& axis);

}  // namespace gpuseq::bench
