#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gpuseq {

/// One value of an axis: an integer or a word.
using AxisValue = std::variant<std::int64_t, std::string>;

std::string to_string(const AxisValue& value);
nlohmann::json to_json(const AxisValue& value);
/// @throws UsageError if the JSON is neither an integer nor a string.
AxisValue axis_value_from_json(const nlohmann::json& value);

/// One value per axis, in the order in which they were set. Copies share their values until one is changed: a
/// plan combines each point of a problem with each tuning point.
class Point {
 public:
  using Values = std::vector<std::pair<std::string, AxisValue>>;

  Point() = default;
  Point(std::initializer_list<std::pair<std::string, AxisValue>> values);
  /// @param values  each axis once
  explicit Point(Values values);

  /// Sets or replaces a value; the order of first setting is kept.
  void set(std::string_view axis, AxisValue value);
  bool has(std::string_view axis) const;
  /// @throws UsageError naming the axis when it is missing or has the other type.
  std::int64_t integer(std::string_view axis) const;
  const std::string& word(std::string_view axis) const;
  const AxisValue& at(std::string_view axis) const;
  const Values& values() const;

  /// "k=2,d=192,counters=alternate"; parse() is its inverse: digits become integers.
  std::string to_string() const;
  static Point parse(std::string_view text);
  nlohmann::ordered_json to_json() const;
  static Point from_json(const nlohmann::json& object);

  /// Whether both have the same values in any order, as JSON does not keep the order.
  friend bool operator==(const Point& a, const Point& b);

 private:
  Values& own_values();

  std::shared_ptr<Values> values_;  // null: none; modified only if not shared with a copy
};

/// A named parameter. A sweep takes `values` if a config names the axis without values ("all"); an unnamed
/// axis has `default_value`.
struct Axis {
  std::string name;
  std::vector<AxisValue> values;
  AxisValue default_value;
  std::string meaning = {};
  /// Accepts values outside `values` (an open axis, such as "any multiple of 64"); empty: only `values`.
  std::function<bool(const AxisValue&)> accepts = {};
  /// The allowed values for error messages of an open axis ("a multiple of 64 from 64 to 4096").
  std::string allowed = {};
  /// For a problem: the data axis to which this axis belongs, such as a number of records or a parameter of
  /// generation. With other data it has its default. Empty: none.
  std::string about = {};
};

struct Constraint {
  std::string name;
  std::string reason;  // "lanes_per_query must divide the 16-byte words of an entry"
  std::function<bool(const Point&)> holds;
};

/// The axes of a variant and the constraints between them.
class SearchSpace {
 public:
  SearchSpace() = default;
  SearchSpace(std::vector<Axis> axes, std::vector<Constraint> constraints = {});

  const std::vector<Axis>& axes() const { return axes_; }
  const Axis* find(std::string_view name) const;

  /// Fills unnamed axes with defaults, in the order of the axes.
  /// @throws UsageError for an unknown axis, a value that is not allowed, or a violated constraint; the
  /// message names the axis, the value and the allowed values
  Point complete(const Point& partial) const;

  /// nullopt if the complete point satisfies every constraint, else the reason of the first violated one.
  std::optional<std::string> why_invalid(const Point& point) const;

  /// Every valid point of the product; `restricted` replaces the values of the axes that it names, other axes
  /// have their default only. @throws UsageError like complete() for names and single values
  std::vector<Point> points(const std::map<std::string, std::vector<AxisValue>>& restricted) const;

  /// Every valid point of the product of all listed values.
  std::vector<Point> all_points() const;

 private:
  std::vector<Axis> axes_;
  std::vector<Constraint> constraints_;
};

}  // namespace gpuseq
