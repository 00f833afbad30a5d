#include "reports/overlay/overlay.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "reports/figure_tools.hpp"

namespace gpuseq::reports {
namespace {

using chart::Chart;
using chart::HeatMap;
using chart::LineChart;
using chart::RowChart;

/// What a panel is of: its device and its kind, and its title without the device's name.
struct Subject {
  std::string device = {}, title = {};
  bool gpu = false;
};

template <typename Panel>
const Entry* entry_of(const Panel& panel, const ReportData& data) {
  for (const auto& mark : panel.marks)
    if (mark.record) return &data.entries.at(*mark.record);
  return nullptr;
}

/// The title of a panel of one device names it, and what is beside it is the rest.
Subject subject_of(const chart::Panel& panel, const ReportData& data) {
  Subject subject{.title = panel.title};
  const Entry* entry = entry_of(panel, data);
  if (entry == nullptr) return subject;
  subject.gpu = on_gpu(*entry);
  const std::size_t at = panel.title.find(entry->device_name);
  if (at == std::string::npos) return subject;
  subject.device = entry->device_name;
  subject.title.erase(at, subject.device.size());
  return subject;
}

/// Places of panels.
using Places = std::set<std::size_t>;

/// The devices of some panels.
template <typename Kind>
std::string devices_of(const Kind& chart, const ReportData& data, const Places& places) {
  std::set<std::string> names;
  for (const std::size_t place : places)
    for (const auto& mark : chart.panels.at(place).marks)
      if (mark.record) names.insert(data.entries.at(*mark.record).device_name);
  return fmt::format("{}", fmt::join(names, ", "));
}

template <typename Kind>
Places all_places(const Kind& chart) {
  Places places;
  for (std::size_t i = 0; i < chart.panels.size(); ++i) places.insert(places.end(), i);
  return places;
}

std::string runs_of(const ReportData& data) {
  std::vector<std::string> names;
  for (const Run& run : data.runs) names.push_back(run.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

void add_names(std::vector<std::string>& names, const std::vector<std::string>& more) {
  // Published ones stay last.
  const auto published = std::ranges::find_if(names, chart::is_published);
  std::vector<std::string> fresh;
  for (const std::string& name : more)
    if (std::ranges::find(names, name) == names.end()) fresh.push_back(name);
  names.insert(published, fresh.begin(), fresh.end());
}

/// The marks of a panel of lines as they stand behind another's.
void lay_behind(chart::Panel& panel, chart::Panel behind) {
  for (chart::Mark& mark : behind.marks) {
    if (mark.published) continue;  // the panel over it has them
    mark.behind = true;
    mark.record.reset();
    panel.marks.push_back(std::move(mark));
  }
}

/// @returns the panels of `behind` that are
Places lay_behind(LineChart& chart, const ReportData& data, LineChart behind, const ReportData& other) {
  Places taken;
  for (chart::Panel& panel : chart.panels) {
    const Subject subject = subject_of(panel, data);
    for (std::size_t i = 0; i < behind.panels.size(); ++i) {
      const Subject theirs = subject_of(behind.panels[i], other);
      if (taken.contains(i) || theirs.title != subject.title || theirs.gpu != subject.gpu ||
          y_of(behind, behind.panels[i]).title != y_of(chart, panel).title)
        continue;
      taken.insert(i);
      if (!theirs.device.empty() && theirs.device != subject.device) panel.title += ", over " + theirs.device;
      lay_behind(panel, std::move(behind.panels[i]));
      break;
    }
  }
  if (taken.empty()) return taken;
  add_names(chart.dashes, behind.dashes);
  chart.x.ticks.insert(chart.x.ticks.end(), behind.x.ticks.begin(), behind.x.ticks.end());
  std::ranges::sort(chart.x.ticks);
  chart.x.ticks.erase(std::unique(chart.x.ticks.begin(), chart.x.ticks.end()), chart.x.ticks.end());
  return taken;
}

/// Rows of both, the largest on top where the chart's own are so.
void merge_rows(chart::RowPanel& panel, chart::RowPanel behind, bool dots) {
  const std::set<std::string> ours(panel.rows.begin(), panel.rows.end());
  const auto renamed = [&](const std::string& row) { return ours.contains(row) ? row + ", before" : row; };
  std::vector<std::string> published;
  for (chart::RowMark& mark : behind.marks) {
    if (chart::is_published(mark.series)) {
      published.push_back(mark.row);
      continue;
    }
    mark.row = renamed(mark.row);
    mark.hollow = dots && !mark.minor;
    mark.record.reset();
    panel.marks.push_back(std::move(mark));
  }
  const auto value = [&](const std::string& row) {
    double highest = 0;
    for (const chart::RowMark& mark : panel.marks)
      if (mark.row == row && !mark.minor) highest = std::max(highest, mark.value);
    return highest;
  };
  const bool sorted = std::ranges::is_sorted(panel.rows, std::ranges::greater{}, value);
  for (const std::string& row : behind.rows)
    if (std::ranges::find(published, row) == published.end()) panel.rows.push_back(renamed(row));
  if (sorted) std::ranges::stable_sort(panel.rows, std::ranges::greater{}, value);
}

Places lay_behind(RowChart& chart, const ReportData&, RowChart behind, const ReportData&) {
  Places taken;
  for (std::size_t i = 0; i < behind.panels.size(); ++i) {
    const auto panel = std::ranges::find(chart.panels, behind.panels[i].title, &chart::RowPanel::title);
    if (panel == chart.panels.end()) continue;
    merge_rows(*panel, std::move(behind.panels[i]), !chart.bars);
    taken.insert(i);
  }
  return taken;
}

/// Colours cannot be laid over each other: the maps stand beside each other.
Places lay_behind(HeatMap& chart, const ReportData&, HeatMap behind, const ReportData&) {
  for (chart::HeatPanel& panel : behind.panels) {
    panel.title += ", before";
    for (chart::Cell& cell : panel.cells) cell.record.reset();
    chart.panels.push_back(std::move(panel));
  }
  return all_places(behind);
}

/// "NVIDIA H200, run gpu-papara"
template <typename Kind>
std::string origin_of(const Kind& chart, const ReportData& data, const Places& places) {
  if constexpr (std::is_same_v<Kind, HeatMap>)
    return fmt::format("run {}", runs_of(data));
  else
    return fmt::format("{}, run {}", devices_of(chart, data, places), runs_of(data));
}

/// Those of `behind` that a mark of the chart has.
template <typename Kind>
std::vector<std::string> series_shown(const Kind& chart, const std::vector<std::string>& behind) {
  std::set<std::string> of_marks;
  for (const auto& panel : chart.panels)
    for (const auto& mark : panel.marks) of_marks.insert(mark.series);
  std::vector<std::string> shown;
  std::ranges::copy_if(behind, std::back_inserter(shown),
                       [&](const std::string& name) { return of_marks.contains(name); });
  return shown;
}

template <typename Kind>
Drawing overlaid_kind(Kind chart, const ReportData& data, const Kind& behind, const ReportData& other) {
  const std::string front = origin_of(chart, data, all_places(chart));
  const Places taken = lay_behind(chart, data, behind, other);
  if constexpr (!std::is_same_v<Kind, HeatMap>) add_names(chart.series, series_shown(chart, behind.series));
  std::vector<std::string>& notes = chart.heading.notes;
  if (taken.empty()) {
    notes.insert(notes.begin(), fmt::format("{} alone: no panel of run {} is of such a device and problem.",
                                            front, runs_of(other)));
    return drawn(std::move(chart));
  }
  notes.insert(notes.begin(), fmt::format("Filled: {}. Hollow or faint, behind: {}.", front,
                                          origin_of(behind, other, taken)));
  if (const std::size_t left_out = behind.panels.size() - taken.size(); left_out > 0)
    notes.push_back(fmt::format("{} of {} panels of run {} have no counterpart and are left out.", left_out,
                                behind.panels.size(), runs_of(other)));
  return drawn(std::move(chart));
}

Drawing alone(const DrawnFrom& one, const std::string& note) {
  Chart chart = *one.drawing.chart;
  std::visit([&](auto& kind) { kind.heading.notes.insert(kind.heading.notes.begin(), note); }, chart);
  return drawn(std::move(chart));
}

}  // namespace

Drawing overlaid(const DrawnFrom& front, const DrawnFrom& behind) {
  if (!front.drawing.chart && !behind.drawing.chart) return front.drawing;
  if (!behind.drawing.chart)
    return alone(front,
                 fmt::format("Run {} does not draw it: {}.", runs_of(behind.data), behind.drawing.reason));
  if (!front.drawing.chart)
    return alone(behind, fmt::format("Run {} alone: run {} does not draw it: {}.", runs_of(behind.data),
                                     runs_of(front.data), front.drawing.reason));
  return std::visit(
      [&](const auto& ours) {
        using Kind = std::decay_t<decltype(ours)>;
        // A figure makes one kind of chart.
        return overlaid_kind(ours, front.data, std::get<Kind>(*behind.drawing.chart), behind.data);
      },
      *front.drawing.chart);
}

}  // namespace gpuseq::reports
