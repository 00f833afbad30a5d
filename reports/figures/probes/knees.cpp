#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "reports/figure_tools.hpp"
#include "reports/figures/probes/figures.hpp"

namespace gpuseq::reports::probes {
namespace {

constexpr const char* kSeries = "knee";

/// The axes in which the curves of a probe differ.
std::map<std::string, std::set<std::string>> differing_axes(const ReportData& data) {
  std::map<std::pair<std::string, std::string>, std::set<std::string>> values;  // by probe and axis
  for (const KneeMark& knee : data.knees)
    if (knee.point.is_object())
      for (const auto& [axis, value] : knee.point.items())
        values[{knee.probe, axis}].insert(value_text(value));
  std::map<std::string, std::set<std::string>> axes;
  for (const auto& [place, found] : values)
    if (found.size() > 1) axes[place.first].insert(place.second);
  return axes;
}

std::string curve_of(const KneeMark& knee, const std::set<std::string>& axes) {
  std::string name = knee.device_name + ", " + knee.probe;
  for (const std::string& axis : axes)
    if (knee.point.is_object() && knee.point.contains(axis))
      name += fmt::format(", {} {}", axis, value_text(knee.point[axis]));
  return name;
}

/// The folder of a run: what tells runs of one config apart.
std::string row_of(const Run& run) {
  const std::string folder = run.dir.filename().string();
  return folder.empty() ? run.dir.parent_path().filename().string() : folder;
}

chart::RowMark mark(const KneeMark& knee, std::string row) {
  const auto bytes = [](double value) { return format_value(value, Unit::bytes); };
  const double at = knee.at_bytes > 0 ? knee.at_bytes : std::sqrt(knee.low_bytes * knee.high_bytes);
  return {.row = std::move(row),
          .value = at,
          .low = knee.low_bytes,
          .high = knee.high_bytes,
          .series = kSeries,
          .tips = {{"Knee", bytes(at)},
                   {"Interval", fmt::format("{} to {}", bytes(knee.low_bytes), bytes(knee.high_bytes))},
                   {"Changes", fmt::format("from {} to {}, {}", bytes(knee.from_bytes), bytes(knee.to_bytes),
                                           knee.hard ? "hard" : "soft")},
                   {"Confidence", format_value(knee.confidence, Unit::share)}}};
}

// A panel per curve, a row per run: whether runs on one machine find the same knees.
Drawing draw_knees(const Figure& figure, const ReportData& data, const Published&) {
  if (data.knees.empty() || data.entries.empty()) return not_drawn("no record of a probe, or no knee found");
  const auto axes = differing_axes(data);
  std::map<std::string, chart::RowPanel> panels;
  std::set<std::string> probes;
  for (const KneeMark& knee : data.knees) {
    if (!(knee.low_bytes > 0)) continue;
    const auto differing = axes.find(knee.probe);
    const std::string curve =
        curve_of(knee, differing == axes.end() ? std::set<std::string>() : differing->second);
    panels[curve].marks.push_back(mark(knee, row_of(data.runs[knee.run])));
    probes.insert(knee.probe);
  }
  chart::RowChart chart{.value = {.title = "footprint", .unit = Unit::bytes, .log = true},
                        .series_title = "",
                        .series = {kSeries}};
  for (auto& [curve, panel] : panels) {
    if (chart.panels.size() == kMostPanels) break;
    panel.title = curve;
    for (const Run& run : data.runs) panel.rows.push_back(row_of(run));
    chart.panels.push_back(std::move(panel));
  }
  std::vector<const Entry*> used;
  for (const std::string& probe : probes)
    for (const Entry* entry : data.settled(probe)) used.push_back(entry);
  chart.heading = heading(figure, data, used, {"A dot per knee; its line is the interval."});
  return drawn(std::move(chart));
}

}  // namespace

Figure knees() {
  return {
      "probes/knees", "Knees of probe curves by run", kHeading,
      "Whether runs find the same knees: on a shared machine a curve's dents come and go, its knees stay.",
      draw_knees};
}

}  // namespace gpuseq::reports::probes
