#include <algorithm>
#include <map>
#include <set>

#include "reports/figure_tools.hpp"
#include "reports/figures/probes/curves.hpp"
#include "reports/figures/probes/figures.hpp"

namespace gpuseq::reports::probes {
namespace {

double load_bytes_per_s(const Entry& entry) {
  return number(*entry.record.facts, "load_bytes_per_s").value_or(0);
}

std::string load_of(const Entry& entry) {
  return entry.device_name + ", others " + axis_text(entry, "operation");
}

bool is_loaded(const Entry& entry) {
  return load_bytes_per_s(entry) > 0;
}

chart::Mark loaded_mark(const ReportData& data, const Entry& entry) {
  const Rate seconds = seconds_per_access(entry);
  return {.x = load_bytes_per_s(entry),
          .y = seconds.value,
          .low = seconds.low,
          .high = seconds.high,
          .series = load_of(entry),
          .record = data.index_of(entry),
          .tips = tips_of(entry, seconds, Unit::seconds)};
}

/// A line per device and load, from rest to the most that the loaders reach.
chart::Panel panel_of(const ReportData& data, const std::vector<const Entry*>& entries,
                      std::set<std::string>& series) {
  chart::Panel panel;
  for (const Entry* entry : entries)
    if (is_loaded(*entry)) series.insert(load_of(*entry));
  for (const Entry* entry : entries) {
    panel.marks.push_back(loaded_mark(data, *entry));
    if (is_loaded(*entry)) continue;
    // Every load begins at rest.
    const chart::Mark rest = panel.marks.back();
    for (const std::string& load : series)
      if (load.starts_with(entry->device_name + ",") && load != rest.series) {
        panel.marks.push_back(rest);
        panel.marks.back().series = load;
      }
    series.insert(rest.series);
  }
  std::ranges::stable_sort(panel.marks, {}, &chart::Mark::x);
  return panel;
}

// Processors and GPUs in panels of their own: a GPU streams ten times as much, and takes ten times as long.
Drawing draw_loaded_latency(const Figure& figure, const ReportData& data, const Published&) {
  chart::LineChart chart{.x = {.title = "what the others stream", .unit = Unit::bytes_per_s},
                         .y = {.title = "time of one dependent access", .unit = Unit::seconds},
                         .series_title = "device, and what the others do"};
  const std::vector<const Entry*> used = data.settled("loaded_latency");
  if (used.empty()) return not_drawn(why_none(data, "loaded_latency", "a time"));
  std::map<bool, std::vector<const Entry*>> kinds;
  for (const Entry* entry : used) kinds[on_gpu(*entry)].push_back(entry);
  std::set<std::string> series;
  for (const auto& [gpus, entries] : kinds) {
    chart.panels.push_back(panel_of(data, entries, series));
    chart.panels.back().title = gpus ? "GPUs" : "processors";
  }
  chart.series.assign(series.begin(), series.end());
  chart.heading =
      heading(figure, data, used,
              {"One thread follows pointers while the others stream memory of their own, with pauses "
               "of several lengths."});
  return drawn(std::move(chart));
}

}  // namespace

Figure loaded_latency() {
  return {"probes/loaded-latency", "Latency while memory is busy", kHeading,
          "How much longer a dependent access takes the more the rest of the device streams.",
          draw_loaded_latency};
}

}  // namespace gpuseq::reports::probes
