#include "bench/plan/plan_problems.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;

/// A word that a problem axis accepts without listing it names an entry of the config's data.
void check_data_names(const Point& problem, const SearchSpace& space, const SuiteConfig& config,
                      const Place& place) {
  for (const auto& [name, value] : problem.values()) {
    const Axis& axis = *space.find(name);
    const auto* word = std::get_if<std::string>(&value);
    if (word == nullptr || config.data.contains(*word)) continue;
    if (std::find(axis.values.begin(), axis.values.end(), value) != axis.values.end()) continue;
    std::vector<std::string> allowed;
    for (const AxisValue& listed : axis.values) allowed.push_back(to_string(listed));
    for (const auto& [entry, file] : config.data) allowed.push_back(entry);
    throw UsageError(fmt::format("{}: found \"{}\", which is no entry of data; allowed: {}",
                                 (place / name).text(), *word, fmt::join(allowed, ", ")));
  }
}

/// Axes whose size the run is to find: those of numbers that are "auto". A word may be the name of data.
/// @throws UsageError for one that the family does not grow by
bool is_sized(const Family& family, const json& given, const Place& place) {
  const Growth* growth = family.growth();
  bool sized = false;
  for (const auto& [name, value] : given.items()) {
    const Axis* axis = family.problem_space().find(name);
    if (value != kAutoSize || axis == nullptr || std::holds_alternative<std::string>(axis->default_value))
      continue;
    if (growth == nullptr || name != growth->axis)
      throw UsageError(fmt::format(
          "{}: found \"auto\"; allowed: {}{}", (place / name).text(), allowed_values(*axis),
          growth == nullptr ? ""
                            : fmt::format("; {} finds a size for {} only", family.name(), growth->axis)));
    sized = true;
  }
  return sized;
}

}  // namespace

PlannedProblems plan_problems(const Family& family, const json& given, const Place& place,
                              const SuiteConfig& config) {
  UniquePoints fixed, sized;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Place at = place / std::to_string(i);
    const bool finds_size = is_sized(family, given[i], at);
    json problem = given[i];
    if (finds_size) problem[family.growth()->axis] = family.growth()->from;
    for (Point& point : select_points(problem, family.problem_space(), at)) {
      check_data_names(point, family.problem_space(), config, at);
      if (finds_size) point.set(family.growth()->axis, std::string(kAutoSize));
      (finds_size ? sized : fixed).add(std::move(point));
    }
    require_plannable(static_cast<double>(fixed.size() + sized.size()), place);
  }
  return {std::move(fixed).take(), std::move(sized).take()};
}

bool finds_sizes(const SuiteConfig& config) {
  if (config.data.contains(kAutoSize) || !config.document.contains("families")) return false;
  for (const auto& [name, family] : config.document["families"].items())
    for (const json& problem : family["problems"])
      for (const json& value : problem)
        if (value == kAutoSize) return true;
  return false;
}

}  // namespace gpuseq::bench
