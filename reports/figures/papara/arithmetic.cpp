#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/figures/papara/figures.hpp"
#include "reports/figures/papara/points.hpp"

namespace gpuseq::reports::papara {
namespace {

using chart::RowChart;
using chart::RowMark;
using chart::RowPanel;

/// The fastest record of each row.
using Rows = std::map<std::string, const Entry*>;

/// Of each device (and number of threads) the problem with most rows; of such, the one with most cells.
std::map<std::string, Rows> best_problem_of_places(const ReportData& data) {
  std::map<std::string, std::map<std::string, Rows>> by_place;
  for (const Entry* entry : data.settled("papara")) {
    if (is_hybrid(*entry)) continue;
    const results::StateKey& state = entry->record.state;
    keep_fastest(by_place[place_of(*entry)][state.problem.to_string()],
                 fmt::format("{}, {}", state.variant, arithmetic_of(*entry)), entry);
  }
  std::map<std::string, Rows> best;
  for (auto& [place, problems] : by_place) {
    const auto worth = [](const auto& problem) {
      return std::pair(problem.second.size(), problem.second.begin()->second->record.work.amount);
    };
    best[place] = std::max_element(problems.begin(), problems.end(), [&](const auto& a, const auto& b) {
                    return worth(a) < worth(b);
                  })->second;
  }
  return best;
}

/// "4300 (61 %)": the rate and its share of the ceiling.
std::string label_of(const Entry& entry, double gcups) {
  const std::string rate = format_value(gcups, Unit::number);
  const auto& ceiling = entry.record.ceiling.value;
  return ceiling ? fmt::format("{} ({})", rate, format_value(ceiling->fraction, Unit::share)) : rate;
}

/// What binds, and the instruction set.
std::string detail_of(const Entry& entry) {
  std::string detail = text(entry.record.facts, "highway_target");
  if (const auto& ceiling = entry.record.ceiling.value)
    detail += (detail.empty() ? "" : ", ") + ceiling->bound_by;
  return detail;
}

RowMark mark_of(const ReportData& data, const std::string& row, const Entry& entry) {
  const Rate rate = rate_of(entry, 1 / kGiga);
  return {.row = row,
          .value = rate.value,
          .low = rate.low,
          .high = rate.high,
          .series = entry.record.state.variant,
          .label = label_of(entry, rate.value),
          .detail = detail_of(entry),
          .record = data.index_of(entry),
          .tips = gcups_tips(entry)};
}

// Rate by variant and arithmetic, on one problem of each device.
Drawing draw_arithmetic(const Figure& figure, const ReportData& data, const Published&) {
  RowChart chart{.value = {.title = "GCUPS (1e9 cells a second)", .unit = Unit::number, .log = true},
                 .series_title = "variant"};
  std::vector<const Entry*> used;
  std::set<std::string> variants, problems;
  const std::map<std::string, Rows> places = best_problem_of_places(data);
  for (const auto& [place, rows] : places) problems.insert(problem_name(*rows.begin()->second));
  for (const auto& [place, rows] : places) {
    if (chart.panels.size() == kMostPanels) break;
    RowPanel panel{.title = problems.size() == 1
                                ? place
                                : fmt::format("{}: {}", place, problem_name(*rows.begin()->second))};
    for (const auto& [row, entry] : rows) {
      panel.marks.push_back(mark_of(data, row, *entry));
      variants.insert(entry->record.state.variant);
      used.push_back(entry);
    }
    sort_rows(panel);
    chart.panels.push_back(std::move(panel));
  }
  if (used.empty()) return not_drawn(why_none(data, "papara", "a rate"));
  chart.series.assign(variants.begin(), variants.end());
  std::vector<std::string> notes;
  if (problems.size() == 1) notes.push_back(*problems.begin() + ".");
  notes.push_back(
      "The fastest point of each variant in each arithmetic, on the problem of the device that most of them "
      "ran "
      "on. In brackets: share of the ceiling, where the run has one.");
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace

Figure arithmetic() {
  return {"papara/arithmetic", "Rate by variant and arithmetic", kHeading,
          "What narrower scores are worth, and how far each variant is from the rate that the instructions "
          "allow.",
          draw_arithmetic};
}

}  // namespace gpuseq::reports::papara
