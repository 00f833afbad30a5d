#include "reports/charts/series_limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace gpuseq::reports::chart {
namespace {

constexpr const char* kOther = "other";

/// The names of ours, those of the largest weight first; equal ones in the order of the legend.
std::vector<std::string> by_weight(const std::vector<std::string>& series,
                                   std::map<std::string, double>& weights) {
  std::vector<std::string> ours;
  std::ranges::copy_if(series, std::back_inserter(ours),
                       [](const auto& name) { return !is_published(name); });
  std::ranges::stable_sort(ours, [&](const auto& a, const auto& b) { return weights[a] > weights[b]; });
  return ours;
}

/// What is left out of a chart whose marks are apart from each other.
template <typename Kind>
void leave_out(Kind& chart) {
  std::map<std::string, double> marks;
  for (const auto& panel : chart.panels)
    for (const auto& mark : panel.marks) marks[mark.series] += 1;
  const std::vector<std::string> ours = by_weight(chart.series, marks);
  if (ours.size() <= kMostSeries) return;
  const std::set<std::string> left_out(ours.begin() + kMostSeries, ours.end());
  const auto is_out = [&](const auto& mark) { return left_out.contains(mark.series); };
  for (auto& panel : chart.panels) std::erase_if(panel.marks, is_out);
  std::erase_if(chart.panels, [](const auto& panel) { return panel.marks.empty(); });
  std::erase_if(chart.series, [&](const std::string& name) { return left_out.contains(name); });
  chart.heading.notes.insert(chart.heading.notes.begin(),
                             fmt::format("{} of {} by {}: those with the most marks.", kMostSeries,
                                         ours.size(), chart.series_title));
}

/// A row of which marks went keeps its place only with others.
void drop_empty_rows(RowChart& chart) {
  for (RowPanel& panel : chart.panels)
    std::erase_if(panel.rows, [&](const std::string& row) {
      return std::ranges::none_of(panel.marks, [&](const RowMark& mark) { return mark.row == row; });
    });
}

/// The marks of some series in a row become one, which says what it is made of.
void join(RowPanel& panel, const std::set<std::string>& joined) {
  std::vector<RowMark> marks;
  std::map<std::string, std::size_t> others;  // by row: its place in `marks`
  for (RowMark& mark : panel.marks) {
    if (!joined.contains(mark.series)) {
      marks.push_back(std::move(mark));
      continue;
    }
    for (auto& [name, value] : mark.terms)
      if (value == mark.series) value = kOther;
    mark.series = kOther;
    const auto [place, is_first] = others.emplace(mark.row, marks.size());
    if (is_first) {
      marks.push_back(std::move(mark));
      continue;
    }
    RowMark& other = marks[place->second];
    other.value += mark.value;
    other.low = other.high = other.value;
    if (!mark.tips.empty()) other.tips.insert(other.tips.begin(), mark.tips.front());
    if (other.label.empty()) other.label = std::move(mark.label);
  }
  panel.marks = std::move(marks);
}

void join_least(RowChart& chart) {
  std::map<std::string, double> sums;
  for (const RowPanel& panel : chart.panels)
    for (const RowMark& mark : panel.marks) sums[mark.series] += mark.value;
  const std::vector<std::string> ours = by_weight(chart.series, sums);
  if (ours.size() <= kMostSeries) return;
  const std::set<std::string> joined(ours.begin() + (kMostSeries - 1), ours.end());
  for (RowPanel& panel : chart.panels) join(panel, joined);
  std::string names;
  for (const std::string& name : chart.series)
    if (joined.contains(name)) names += (names.empty() ? "" : ", ") + name;
  chart.heading.notes.insert(chart.heading.notes.begin(), fmt::format("Other: {}.", names));
  std::erase_if(chart.series, [&](const std::string& name) { return joined.contains(name); });
  chart.series.emplace_back(kOther);
}

void limit(LineChart& chart) {
  leave_out(chart);
}

void limit(RowChart& chart) {
  if (chart.stacked) return join_least(chart);
  leave_out(chart);
  drop_empty_rows(chart);
}

void limit(HeatMap&) {}

}  // namespace

void limit_series(Chart& chart) {
  std::visit([](auto& kind) { limit(kind); }, chart);
}

}  // namespace gpuseq::reports::chart
