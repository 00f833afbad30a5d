#include "runtime/contract/point.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <set>
#include <stdexcept>

#include "runtime/contract/errors.hpp"
#include "runtime/contract/nearest_word.hpp"
#include "runtime/text/printable.hpp"

namespace gpuseq {

namespace {

bool looks_like_integer(std::string_view text) {
  if (!text.empty() && text.front() == '-') text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

AxisValue parse_value(std::string_view axis, std::string_view text) {
  if (!looks_like_integer(text)) return std::string(text);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size())
    throw UsageError(fmt::format("axis '{}': {} does not fit a 64-bit integer", axis, text));
  return number;
}

std::string list(const std::vector<AxisValue>& values) {
  std::vector<std::string> words(values.size());
  std::ranges::transform(values, words.begin(), [](const AxisValue& value) { return to_string(value); });
  return fmt::format("{}", fmt::join(words, ", "));
}

bool allows(const Axis& axis, const AxisValue& value) {
  return std::find(axis.values.begin(), axis.values.end(), value) != axis.values.end() ||
         (axis.accepts && axis.accepts(value));
}

std::string allowed_text(const Axis& axis) {
  return axis.allowed.empty() ? list(axis.values) : axis.allowed;
}

void require_allowed(const Axis& axis, const AxisValue& value) {
  if (!allows(axis, value))
    throw UsageError(
        fmt::format("axis '{}': found {}, allowed: {}", axis.name, to_string(value), allowed_text(axis)));
}

[[noreturn]] void throw_unknown_axis(std::string_view name, const std::vector<Axis>& axes) {
  std::vector<std::string_view> names(axes.size());
  std::ranges::transform(axes, names.begin(), &Axis::name);
  throw UsageError(fmt::format("unknown axis '{}'; the axes here are: {}{}", name,
                               names.empty() ? "(none)" : fmt::format("{}", fmt::join(names, ", ")),
                               did_you_mean(name, names)));
}

std::vector<AxisValue> without_repeats(const std::vector<AxisValue>& values) {
  std::vector<AxisValue> unique;
  std::set<AxisValue> seen;
  for (const AxisValue& value : values)
    if (seen.insert(value).second) unique.push_back(value);
  return unique;
}

/// Product of the axes' values, last axis fastest, without the points that `space` rejects.
std::vector<Point> product(const SearchSpace& space, const std::vector<std::vector<AxisValue>>& values) {
  std::vector<Point> points;
  for (const auto& choices : values)
    if (choices.empty()) return points;
  Point first;
  for (std::size_t i = 0; i < values.size(); ++i) first.set(space.axes()[i].name, values[i].front());
  std::vector<std::size_t> digits(values.size(), 0);
  while (true) {
    Point point = first;  // a copy has no spare capacity, as there may be millions
    for (std::size_t i = 0; i < values.size(); ++i) point.set(space.axes()[i].name, values[i][digits[i]]);
    if (!space.why_invalid(point)) points.push_back(std::move(point));
    std::size_t i = values.size();
    while (i > 0 && ++digits[i - 1] == values[i - 1].size()) digits[--i] = 0;
    if (i == 0) return points;
  }
}

}  // namespace

std::string to_string(const AxisValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  return std::get<std::string>(value);
}

nlohmann::json to_json(const AxisValue& value) {
  return std::visit([](const auto& held) { return nlohmann::json(held); }, value);
}

AxisValue axis_value_from_json(const nlohmann::json& value) {
  // The value becomes part of state names, which must be single lines.
  if (value.is_string() && is_printable(value.get_ref<const std::string&>())) return value.get<std::string>();
  const bool too_large = value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX;
  if (value.is_number_integer() && !too_large) return value.get<std::int64_t>();
  throw UsageError(
      fmt::format("the value of an axis is {}, allowed: a 64-bit integer or a string of visible characters",
                  value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
}

Point::Point(std::initializer_list<std::pair<std::string, AxisValue>> values) {
  for (const auto& [axis, value] : values) set(axis, value);
}

Point::Point(Values values) {
  if (!values.empty()) values_ = std::make_shared<Values>(std::move(values));
}

const Point::Values& Point::values() const {
  static const Values none;
  return values_ ? *values_ : none;
}

Point::Values& Point::own_values() {
  if (!values_ || values_.use_count() > 1) values_ = std::make_shared<Values>(values());
  std::atomic_thread_fence(std::memory_order_acquire);  // after the last reads of other copies, on any thread
  return *values_;
}

void Point::set(std::string_view axis, AxisValue value) {
  Values& own = own_values();
  const auto found = std::find_if(own.begin(), own.end(), [&](auto& held) { return held.first == axis; });
  if (found != own.end())
    found->second = std::move(value);
  else
    own.emplace_back(axis, std::move(value));
}

bool Point::has(std::string_view axis) const {
  return std::any_of(values().begin(), values().end(), [&](const auto& held) { return held.first == axis; });
}

bool operator==(const Point& a, const Point& b) {
  if (a.values_ == b.values_) return true;
  const Point::Values &own = a.values(), &other = b.values();
  if (own.size() != other.size()) return false;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const auto& [axis, value] = own[i];
    const AxisValue* same = nullptr;  // most points of a space have their axes in the same order
    if (other[i].first == axis)
      same = &other[i].second;
    else if (b.has(axis))
      same = &b.at(axis);
    if (same == nullptr || *same != value) return false;
  }
  return true;
}

const AxisValue& Point::at(std::string_view axis) const {
  for (const auto& [name, value] : values())
    if (name == axis) return value;
  throw UsageError(fmt::format("axis '{}' has no value in the point '{}'", axis, to_string()));
}

std::int64_t Point::integer(std::string_view axis) const {
  const AxisValue& value = at(axis);
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
  throw UsageError(
      fmt::format("axis '{}': found the word '{}', allowed: an integer", axis, gpuseq::to_string(value)));
}

const std::string& Point::word(std::string_view axis) const {
  const AxisValue& value = at(axis);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  throw UsageError(
      fmt::format("axis '{}': found the integer {}, allowed: a word", axis, gpuseq::to_string(value)));
}

std::string Point::to_string() const {
  std::string text;
  for (const auto& [axis, value] : values()) {
    if (!text.empty()) text += ',';
    text.append(axis) += '=';
    if (const auto* number = std::get_if<std::int64_t>(&value))
      text += fmt::format_int(*number).c_str();
    else
      text += std::get<std::string>(value);
  }
  return text;
}

Point Point::parse(std::string_view text) {
  Point point;
  const std::string whole(text);
  if (!is_printable(text))
    throw UsageError(fmt::format("point '{}': allowed: visible characters only", printable(text)));
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == item.size())
      throw UsageError(fmt::format("point '{}': found '{}', allowed: axis=value", whole, item));
    const std::string_view axis = item.substr(0, equals);
    if (point.has(axis)) throw UsageError(fmt::format("point '{}': axis '{}' is given twice", whole, axis));
    point.set(axis, parse_value(axis, item.substr(equals + 1)));
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
    if (text.empty()) throw UsageError(fmt::format("point '{}' ends in a comma", whole));
  }
  return point;
}

nlohmann::ordered_json Point::to_json() const {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (const auto& [axis, value] : values()) object[axis] = gpuseq::to_json(value);
  return object;
}

Point Point::from_json(const nlohmann::json& object) {
  if (!object.is_object())
    throw UsageError(fmt::format("a point is a JSON object of axis: value, found {}", object.type_name()));
  Point point;
  for (const auto& [axis, value] : object.items()) {
    try {
      point.set(axis, axis_value_from_json(value));
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("/{}: {}", axis, error.what()));
    }
  }
  return point;
}

SearchSpace::SearchSpace(std::vector<Axis> axes, std::vector<Constraint> constraints)
    : axes_(std::move(axes)), constraints_(std::move(constraints)) {
  std::set<std::string> names;
  for (const Axis& axis : axes_) {
    if (!names.insert(axis.name).second) throw std::logic_error("axis '" + axis.name + "' is declared twice");
    if (!allows(axis, axis.default_value))
      throw std::logic_error("axis '" + axis.name + "' does not allow its own default " +
                             to_string(axis.default_value));
  }
}

const Axis* SearchSpace::find(std::string_view name) const {
  for (const Axis& axis : axes_)
    if (axis.name == name) return &axis;
  return nullptr;
}

Point SearchSpace::complete(const Point& partial) const {
  for (const auto& [name, value] : partial.values()) {
    const Axis* axis = find(name);
    if (axis == nullptr) throw_unknown_axis(name, axes_);
    require_allowed(*axis, value);
  }
  Point point;
  for (const Axis& axis : axes_)
    point.set(axis.name, partial.has(axis.name) ? partial.at(axis.name) : axis.default_value);
  if (const auto reason = why_invalid(point))
    throw UsageError(fmt::format("point '{}' is not valid: {}", point.to_string(), *reason));
  return point;
}

std::optional<std::string> SearchSpace::why_invalid(const Point& point) const {
  for (const Constraint& constraint : constraints_)
    if (!constraint.holds(point)) return constraint.reason;
  return std::nullopt;
}

std::vector<Point> SearchSpace::points(
    const std::map<std::string, std::vector<AxisValue>>& restricted) const {
  for (const auto& [name, values] : restricted) {
    const Axis* axis = find(name);
    if (axis == nullptr) throw_unknown_axis(name, axes_);
    for (const AxisValue& value : values) require_allowed(*axis, value);
  }
  std::vector<std::vector<AxisValue>> values;
  for (const Axis& axis : axes_) {
    const auto found = restricted.find(axis.name);
    values.push_back(found == restricted.end() ? std::vector<AxisValue>{axis.default_value}
                                               : without_repeats(found->second));
  }
  return product(*this, values);
}

std::vector<Point> SearchSpace::all_points() const {
  std::vector<std::vector<AxisValue>> values;
  for (const Axis& axis : axes_)
    values.push_back(axis.values.empty() ? std::vector<AxisValue>{axis.default_value} : axis.values);
  return product(*this, values);
}

}  // namespace gpuseq
