#include "results/names/short_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace gpuseq::results {
namespace {

/// A point whose varying axes have more characters names only those that differ from their usual value.
constexpr std::size_t kLongPoint = 60;

std::string problem_id(const StateKey& state) {
  return fmt::format("{}/{}", state.family, state.problem.to_string());
}

std::string labelled_id(const StateKey& state, const std::string& label) {
  return fmt::format("{}/{}", state.family, label);
}

const Point* find_point(const std::map<std::string, Point>& points, const std::string& name) {
  const auto found = points.find(name);
  return found == points.end() ? nullptr : &found->second;
}

}  // namespace

void ShortNames::count(Axes& axes, const Point& point) {
  for (const auto& [axis, value] : point.values()) ++axes.seen[axis].counts[value];
}

void ShortNames::settle(Axes& axes, const Point* defaults) {
  for (auto& [axis, seen] : axes.seen) {
    const bool has_default = defaults != nullptr && defaults->has(axis);
    seen.has_default = has_default;
    seen.usual =
        has_default ? defaults->at(axis) : std::ranges::max_element(seen.counts, {}, [](const auto& counted) {
                                             return counted.second;
                                           })->first;
  }
}

bool ShortNames::is_named(const Axes& axes, const std::string& axis, const AxisValue& value) {
  const auto found = axes.seen.find(axis);
  if (found == axes.seen.end()) return true;
  return value != found->second.usual || (!axes.terse && found->second.counts.size() > 1);
}

std::string ShortNames::text(const Axes& axes, const Point& point) {
  std::string text;
  for (const auto& [axis, value] : point.values())
    if (is_named(axes, axis, value))
      text.append(text.empty() ? "" : ",").append(axis).append("=").append(to_string(value));
  return text;
}

void ShortNames::learn_problems(std::span<const LabelledState> states, const AxisDefaults& defaults) {
  for (const LabelledState& state : states)
    if (!state.label.empty()) labels_.emplace(problem_id(*state.key), state.label);
  std::unordered_set<std::string> counted;
  std::map<std::string, const Point*> defaults_of;
  for (const LabelledState& state : states) {
    std::string id = problem_id(*state.key);
    const auto label = labels_.find(id);
    const std::string labelled = labelled_id(*state.key, label == labels_.end() ? "" : label->second);
    if (!counted.insert(std::move(id)).second) continue;
    count(problems_[labelled], state.key->problem);
    defaults_of[labelled] = find_point(defaults.problems, state.key->family);
  }
  for (auto& [labelled, axes] : problems_) settle(axes, defaults_of[labelled]);
}

void ShortNames::learn_points(std::span<const LabelledState> states, const AxisDefaults& defaults) {
  std::unordered_set<std::string> counted;
  for (const LabelledState& state : states)
    if (counted.insert(state.key->to_string()).second)
      count(points_[variant_id(state.key->family, state.key->variant)], state.key->point);
  for (auto& [variant, axes] : points_) settle(axes, find_point(defaults.variants, variant));
  for (const LabelledState& state : states) {
    Axes& axes = points_[variant_id(state.key->family, state.key->variant)];
    axes.terse = axes.terse || text(axes, state.key->point).size() > kLongPoint;
  }
}

ShortNames::ShortNames(std::span<const LabelledState> states, const AxisDefaults& defaults) {
  learn_problems(states, defaults);
  learn_points(states, defaults);
  std::unordered_map<std::string, const StateKey*> named;
  for (const LabelledState& state : states) {
    std::string name = joined(*state.key);
    const auto [place, is_new] = named.emplace(std::move(name), state.key);
    if (!is_new && place->second->to_string() != state.key->to_string()) ambiguous_.insert(place->first);
  }
}

std::string ShortNames::problem(const StateKey& state) const {
  const auto label = labels_.find(problem_id(state));
  const std::string word = label == labels_.end() ? "" : label->second;
  const auto alike = problems_.find(labelled_id(state, word));
  if (alike == problems_.end()) return state.problem.to_string();
  const Axes& axes = alike->second;
  if (word.empty()) return text(axes, state.problem);
  std::string apart;
  for (const auto& [axis, value] : state.problem.values())
    if (const auto seen = axes.seen.find(axis); seen != axes.seen.end() && seen->second.counts.size() > 1)
      apart += fmt::format("{}{}={}", apart.empty() ? "" : ",", axis, to_string(value));
  return apart.empty() ? word : fmt::format("{} ({})", word, apart);
}

std::string ShortNames::point(const StateKey& state) const {
  const auto axes = points_.find(variant_id(state.family, state.variant));
  return axes == points_.end() ? state.point.to_string() : text(axes->second, state.point);
}

std::string ShortNames::joined(const StateKey& state) const {
  std::string name;
  for (const std::string& part : {state.family, state.variant, problem(state), point(state), state.device})
    if (!part.empty()) name.append(name.empty() ? "" : "/").append(part);
  return name;
}

std::string ShortNames::of(const StateKey& state) const {
  std::string name = joined(state);
  return ambiguous_.contains(name) ? state.to_string() : name;
}

ShortNames names_of(std::span<const Record> records, const AxisDefaults& defaults) {
  std::vector<LabelledState> states;
  states.reserve(records.size());
  for (const Record& record : records) states.push_back({&record.state, record.problem_label});
  return ShortNames(states, defaults);
}

}  // namespace gpuseq::results
