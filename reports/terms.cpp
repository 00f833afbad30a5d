#include "reports/terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace gpuseq::reports {
namespace {

std::string prefix_words(const std::string& symbols) {
  return symbols == "0" ? "no prefix table" : "prefix table of " + symbols;
}

std::string as_it_is(const std::string& value) {
  return value;
}

/// Axes of points that are no tuning.
struct FixedAxis {
  const char *axis, *name;
  std::string (*words)(const std::string& value);
};
constexpr std::array kFixedAxes{FixedAxis{"prefix_symbols", "prefix table", prefix_words},
                                FixedAxis{"result", "result", as_it_is}};

}  // namespace

std::vector<Term> problem_terms(const Entry& entry) {
  std::vector<Term> terms;
  for (const auto& [axis, value] : entry.record.state.problem.values())
    terms.push_back({axis, to_string(value)});
  return terms;
}

bool made_alike(std::string_view axis) {
  return axis == kDataSetAxis;
}

std::vector<Term> point_terms(const Entry& entry) {
  std::vector<Term> terms;
  for (const FixedAxis& fixed : kFixedAxes)
    if (const std::string value = word(entry.record.state.point, fixed.axis); !value.empty())
      terms.push_back({fixed.name, fixed.words(value)});
  return terms;
}

std::string point_words(const Entry& entry) {
  std::string words;
  for (const Term& term : point_terms(entry)) words += (words.empty() ? "" : ", ") + term.words;
  return words;
}

std::string with_point_words(std::string name, const Entry& entry) {
  if (const std::string words = point_words(entry); !words.empty()) name += ", " + words;
  return name;
}

std::string timed_words(const Entry& entry) {
  return is_peer(entry) ? "whole process" : "";
}

std::vector<std::vector<const Entry*>> like_groups(const std::vector<const Entry*>& entries) {
  std::map<std::string, std::vector<const Entry*>> groups;
  for (const Entry* entry : entries)
    groups[entry->record.state.problem.to_string() + ": " + point_words(*entry)].push_back(entry);
  std::vector<std::vector<const Entry*>> list;
  list.reserve(groups.size());
  for (auto& [key, group] : groups) list.push_back(std::move(group));
  return list;
}

std::string without(const Point& point, const std::vector<std::string_view>& axes) {
  Point rest;
  for (const auto& [axis, value] : point.values())
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) rest.set(axis, value);
  return rest.to_string();
}

}  // namespace gpuseq::reports
