#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "reports/figures/exact_match/figures.hpp"
#include "reports/figures/exact_match/points.hpp"

namespace gpuseq::reports::exact_match {
namespace {

using chart::RowChart;
using chart::RowMark;
using chart::RowPanel;
using Axes = std::vector<std::string_view>;

/// What a panel varies.
struct Question {
  const char* title;
  Axes axes;
};
const std::array kQuestions{
    Question{"node order, memory, text order", {"node_order", "memory", "text_order"}},
    Question{"lanes of a query", {"lanes"}}, Question{"order of queries", {"query_order"}},
    Question{"threads of a block", {"threads_per_block"}}, Question{"queries in flight", {"in_flight"}}};

using Rows = std::map<std::string, const Entry*>;
using Entries = std::vector<const Entry*>;

/// "breadth_first, texture_2d, space_filling": the values of axes; empty where the point has none of them.
std::string layout_row(const Entry& entry, const Axes& axes) {
  std::vector<std::string> values;
  for (const std::string_view axis : axes)
    if (std::string value = axis_text(entry, axis); !value.empty()) values.push_back(std::move(value));
  return fmt::format("{}", fmt::join(values, ", "));
}

double best_of(const Rows& rows) {
  double best = 0;
  for (const auto& [row, entry] : rows) best = std::max(best, entry->record.statistics->rate);
  return best;
}

/// The records that differ by some axes alone; of several such sets the one with the most rows, then the
/// fastest.
Rows rows_of(const Entries& entries, const Axes& axes) {
  std::map<std::string, Rows> sets;
  for (const Entry* entry : entries)
    if (const std::string row = layout_row(*entry, axes); !row.empty())
      keep_fastest(sets[without(entry->record.state.point, axes)], row, entry);
  Rows best;
  for (const auto& [rest, rows] : sets)
    if (std::pair(rows.size(), best_of(rows)) > std::pair(best.size(), best_of(best))) best = rows;
  return best.size() > 1 ? best : Rows{};
}

/// By variant and device.
using Contests = std::map<std::pair<std::string, std::string>, Entries>;

/// The problem with the most to compare; of several the one with the shortest matches.
Contests contests_of(const ReportData& data) {
  std::map<std::string, Contests> problems;
  for (const Entry* entry : data.settled(kFamily))
    problems[entry->record.state.problem.to_string()][{entry->record.state.variant, entry->device_name}]
        .push_back(entry);
  std::pair<std::size_t, double> most{0, 0};
  Contests chosen;
  for (const auto& [problem, contests] : problems) {
    std::size_t count = 0;
    for (const auto& [of, entries] : contests)
      for (const Question& question : kQuestions) count += rows_of(entries, question.axes).size();
    const double shortest = -min_length_of(*contests.begin()->second.front()).value_or(0);
    if (count == 0 || std::pair(count, shortest) <= most) continue;
    most = {count, shortest};
    chosen = contests;
  }
  return chosen;
}

RowPanel panel_of(const ReportData& data, std::string title, const Rows& rows) {
  RowPanel panel{.title = std::move(title)};
  double slowest = best_of(rows);
  for (const auto& [row, entry] : rows) slowest = std::min(slowest, entry->record.statistics->rate);
  for (const auto& [row, entry] : rows) {
    const Rate rate = rate_of(*entry);
    panel.marks.push_back({.row = row,
                           .value = rate.value,
                           .low = rate.low,
                           .high = rate.high,
                           .series = entry->device_name,
                           .label = format_value(rate.value, Unit::bases_per_s),
                           .detail = format_value(rate.value / slowest, Unit::ratio),
                           .record = data.index_of(*entry),
                           .tips = tips_of(*entry, rate, Unit::bases_per_s)});
  }
  sort_rows(panel);
  return panel;
}

Drawing draw_layouts(const Figure& figure, const ReportData& data, const Published&) {
  RowChart chart{.value = {.title = "query bases per second", .unit = Unit::bases_per_s, .log = true},
                 .series_title = "device"};
  Entries used;
  std::set<std::string> series;
  const Contests contests = contests_of(data);
  for (const Question& question : kQuestions)
    for (const auto& [of, entries] : contests) {
      const Rows rows = rows_of(entries, question.axes);
      if (rows.empty() || chart.panels.size() == kMostPanels) continue;
      chart.panels.push_back(panel_of(data, fmt::format("{}: {}", of.first, question.title), rows));
      series.insert(of.second);
      for (const auto& [row, entry] : rows) used.push_back(entry);
    }
  if (used.empty()) return not_drawn(why_none(data, kFamily, "two layouts of one variant"));
  chart.series.assign(series.begin(), series.end());
  chart.heading = heading(figure, data, used,
                          {problem_name(*used.front()) + ".",
                           "Within a panel all other parameters are the same; behind the rate, what it is of "
                           "the slowest."});
  return drawn(std::move(chart));
}

}  // namespace

Figure layouts() {
  return {"exact-match/layouts", "Layouts of the tree", kHeading,
          "What the order of nodes and text and the path to memory are worth, and lanes, orders of queries "
          "and sizes of blocks: the paper has several-fold from its textures and space-filling curves.",
          draw_layouts};
}

}  // namespace gpuseq::reports::exact_match
