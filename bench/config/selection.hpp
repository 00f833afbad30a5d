#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/contract/point.hpp"

namespace gpuseq::bench {

/// Where a piece of a config stands, for messages: "<file>: <JSON pointer>".
struct Place {
  std::string source;
  nlohmann::json::json_pointer pointer;
  Place operator/(const std::string& key) const { return {source, pointer / key}; }
  std::string text() const { return source + ": " + pointer.to_string(); }
};

/// Whether an axis of a problem names data: it accepts words that it does not list.
bool names_data(const Axis& axis);

/// More states than this are refused before they are made.
inline constexpr std::size_t kMostStates = 10'000'000;

/// A number of states or combinations in a message.
std::string count_text(double count);

/// @throws UsageError if `states` is more than a plan may have
void require_plannable(double states, const Place& place);

/// Points in the order of their first adding, each once.
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
/// @throws UsageError with the place, what was found and what the axis allows
std::vector<AxisValue> axis_values(const nlohmann::json& given, const Axis& axis, const Place& place);

/// The values that {"axis": value or [values], ...} selects of each axis. @throws UsageError for an unknown
/// axis or value
Restriction restriction_of(const nlohmann::json& object, const SearchSpace& space, const Place& place);

/// The points that {"axis": value or [values], ...} selects in a space; unnamed axes take their default.
/// @throws UsageError for an unknown axis (naming those there are), a value that is not allowed, or when the
/// constraints leave no point (naming one that is violated), or for more than kMostStates before constraints
std::vector<Point> select_points(const nlohmann::json& object, const SearchSpace& space, const Place& place);

/// The valid points of a restriction. @throws UsageError as select_points() when none is left or they are
/// many
std::vector<Point> valid_points(const Restriction& restriction, const SearchSpace& space, const Place& place);

/// Says that none of these axes has the name, which they have and which of them may be meant.
/// @throws UsageError
[[noreturn]] void throw_unknown_axis(const Place& place, const std::string& name,
                                     const std::vector<Axis>& axes);

/// What an axis allows, in words.
std::string allowed_values(const Axis& axis);

}  // namespace gpuseq::bench
