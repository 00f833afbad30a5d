#include "reports/figures/ladder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "reports/terms.hpp"

namespace gpuseq::reports::ladders {
namespace {

using chart::RowChart;
using chart::RowMark;
using chart::RowPanel;

/// The fastest record by steps taken.
using Rungs = std::map<std::size_t, const Entry*>;

/// A panel's rungs, of each ladder.
struct Candidate {
  std::string title;
  std::vector<Rungs> ladders;

  std::size_t rows() const {
    std::size_t rows = 0;
    for (const Rungs& rungs : ladders) rows += rungs.size();
    return rows;
  }
  const Entry& any() const {
    return *std::ranges::find_if(ladders, [](const Rungs& rungs) { return !rungs.empty(); })->begin()->second;
  }
};

bool matters(const Step& step, const Entry& entry) {
  return !step.matters || step.matters(entry);
}

void take(std::map<std::string_view, std::string>& values, const std::vector<Setting>& settings) {
  for (const Setting& setting : settings) values[setting.axis] = setting.value;
}

/// Steps that a record's kernel has taken, all before the others; nullopt: it is none of the ladder.
std::optional<std::size_t> steps_taken(const LadderChart& of, const Ladder& ladder, const Entry& entry) {
  std::map<std::string_view, std::string> values, last;
  take(values, ladder.published);
  last = values;
  for (const Step& step : ladder.steps) take(last, step.changes);
  const auto is_at = [&](const auto& value) {
    const std::string found =
        value.first == "variant" ? entry.record.state.variant : of.value(entry, value.first);
    return (found.empty() ? last.at(value.first) : found) == value.second;
  };
  for (std::size_t taken = 0; taken <= ladder.steps.size(); ++taken) {
    if (taken > 0) take(values, ladder.steps[taken - 1].changes);
    if (!std::ranges::all_of(values, is_at)) continue;
    const bool nothing_new = taken > 0 && !matters(ladder.steps[taken - 1], entry);
    return nothing_new ? std::nullopt : std::optional(taken);
  }
  return std::nullopt;
}

/// The panel of each place and device, of the problem with most rows.
std::vector<Candidate> shown(const LadderChart& of, const ReportData& data) {
  std::map<std::pair<std::string, std::string>, std::map<std::string, Candidate>> panels;
  for (const Entry* entry : data.settled(of.family)) {
    const std::optional<Place> place = of.place(*entry);
    if (!place || !on_gpu(*entry)) continue;
    for (std::size_t i = 0; i < of.ladders.size(); ++i)
      if (const auto taken = steps_taken(of, of.ladders[i], *entry)) {
        Candidate& panel = panels[{entry->device_name, place->key}]
                                 [with_point_words(entry->record.state.problem.to_string(), *entry)];
        panel.title = place->title;
        panel.ladders.resize(of.ladders.size());
        keep_fastest(panel.ladders[i], *taken, entry);
      }
  }
  std::vector<Candidate> best;
  for (auto& [place, problems] : panels) {
    for (auto& [problem, panel] : problems)
      for (Rungs& rungs : panel.ladders)
        if (!rungs.contains(0)) rungs.clear();
    std::erase_if(problems, [](const auto& problem) {
      return std::ranges::none_of(problem.second.ladders,
                                  [](const Rungs& rungs) { return rungs.size() > 1; });
    });
    if (problems.empty()) continue;
    const auto worth = [&](const auto& problem) {
      return std::pair(problem.second.rows(), of.worth(problem.second.any()));
    };
    best.push_back(std::ranges::max_element(problems, {}, worth)->second);
  }
  return best;
}

/// "naive: chunks = needed", with the steps before it that no record took alone.
std::string row_of(const Ladder& ladder, const Entry& entry, std::size_t before, std::size_t taken) {
  std::string row = taken == 0 ? ladder.published_row : "";
  for (std::size_t i = before; i < taken; ++i)
    if (matters(ladder.steps[i], entry)) row += (row.empty() ? "" : ", ") + ladder.steps[i].row;
  return ladder.name.empty() ? row : fmt::format("{}: {}", ladder.name, row);
}

void add_rows(const LadderChart& of, const ReportData& data, const Ladder& ladder, const Rungs& rungs,
              RowPanel& panel) {
  std::size_t taken_before = 0;
  double rate_before = 0;
  for (const auto& [taken, entry] : rungs) {
    const Rate rate = rate_of(*entry, of.factor);
    RowMark mark{.row = row_of(ladder, *entry, taken_before, taken),
                 .value = rate.value,
                 .low = rate.low,
                 .high = rate.high,
                 .series = ladder.name.empty() ? entry->device_name : ladder.series,
                 .label = format_value(rate.value, of.quantity.unit),
                 .record = data.index_of(*entry),
                 .tips = of.tips(*entry)};
    if (rate_before > 0) mark.detail = format_value(rate.value / rate_before, Unit::ratio);
    taken_before = taken;
    rate_before = rate.value;
    panel.rows.push_back(mark.row);
    panel.marks.push_back(std::move(mark));
  }
}

void add_series(RowChart& chart) {
  for (const RowPanel& panel : chart.panels)
    for (const RowMark& mark : panel.marks)
      if (std::ranges::find(chart.series, mark.series) == chart.series.end())
        chart.series.push_back(mark.series);
}

}  // namespace

chart::Quantity rates(std::string title) {
  return {.title = std::move(title), .unit = Unit::number, .log = true};
}

Drawing draw(const LadderChart& of, const Figure& figure, const ReportData& data) {
  const std::vector<Candidate> panels = shown(of, data);
  if (panels.empty())
    return not_drawn(why_none(data, of.family, "a counterpart as published, and a step from it"));
  RowChart chart{.value = of.quantity, .series_title = of.ladders.size() == 1 ? "device" : "scheme"};
  std::vector<const Entry*> used;
  std::set<std::string> abouts;
  for (const Candidate& panel : panels) abouts.insert(of.about(panel.any()));
  for (const Candidate& of_panel : panels) {
    if (chart.panels.size() == kMostPanels) break;
    RowPanel panel{.title =
                       of_panel.title + (of_panel.title.empty() ? "" : ", ") + of_panel.any().device_name};
    if (abouts.size() > 1) panel.title += fmt::format(": {}", of.about(of_panel.any()));
    for (std::size_t i = 0; i < of.ladders.size(); ++i) {
      add_rows(of, data, of.ladders[i], of_panel.ladders[i], panel);
      for (const auto& [taken, entry] : of_panel.ladders[i]) used.push_back(entry);
    }
    chart.panels.push_back(std::move(panel));
  }
  add_series(chart);
  std::vector<std::string> notes;
  if (abouts.size() == 1) notes.push_back(*abouts.begin() + ".");
  notes.push_back(
      "From the top, each row has what those above it have, and one thing more; beside its rate: over the "
      "row "
      "before.");
  notes.insert(notes.end(), of.notes.begin(), of.notes.end());
  note_left_out(chart.panels.size(), panels.size(), "panels", notes);
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace gpuseq::reports::ladders
