#include <fmt/format.h>

#include <map>
#include <set>

#include "reports/device_levels.hpp"
#include "reports/figure_tools.hpp"
#include "reports/figures/probes/figures.hpp"

namespace gpuseq::reports::probes {
namespace {

constexpr const char* kSeries = "knee";

/// The folder of a run: what tells runs of one config apart.
std::string row_of(const Run& run) {
  const std::string folder = run.dir.filename().string();
  return folder.empty() ? run.dir.parent_path().filename().string() : folder;
}

chart::RowMark mark(const DeviceLevel& level, std::string row) {
  const auto bytes = [](double value) { return format_value(value, Unit::bytes); };
  return {.row = std::move(row),
          .value = level.at_bytes,
          .low = level.low_bytes,
          .high = level.high_bytes,
          .series = kSeries,
          .tips = {{"Level", level.name},
                   {"Ends at", bytes(level.at_bytes)},
                   {"Interval", fmt::format("{} to {}", bytes(level.low_bytes), bytes(level.high_bytes))}}};
}

// A panel per level of a device, a row per run: whether runs on one machine find the same knees.
Drawing draw_knees(const Figure& figure, const ReportData& data, const Published&) {
  std::map<std::pair<std::size_t, std::string>, std::string> devices;  // names by run and id
  std::vector<const Entry*> used;
  for (const char* probe : {"random_access", "latency"})
    for (const Entry* entry : data.settled(probe)) {
      used.push_back(entry);
      devices.try_emplace({entry->run, entry->record.state.device}, entry->device_name);
    }
  std::map<std::string, chart::RowPanel> panels;
  for (const auto& [place, name] : devices)
    for (const DeviceLevel& level : device_levels(data, {place}))
      panels[fmt::format("{}, {}", name, level.name)].marks.push_back(
          mark(level, row_of(data.runs[place.first])));
  if (panels.empty()) return not_drawn("no record of a probe, or no level of memory found");
  chart::RowChart chart{.value = {.title = "footprint", .unit = Unit::bytes, .log = true},
                        .series_title = "",
                        .series = {kSeries}};
  for (auto& [title, panel] : panels) {
    if (chart.panels.size() == kMostPanels) break;
    panel.title = title;
    for (const Run& run : data.runs) panel.rows.push_back(row_of(run));
    chart.panels.push_back(std::move(panel));
  }
  chart.heading = heading(figure, data, used, {"A dot per run; its line is the interval of 95 %."});
  return drawn(std::move(chart));
}

}  // namespace

Figure knees() {
  return {"probes/knees", "Knees of the memory hierarchy by run", kHeading,
          "Footprints at which levels of memory end: whether runs on one machine find the same ones.",
          draw_knees};
}

}  // namespace gpuseq::reports::probes
