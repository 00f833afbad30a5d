#include "reports/figures/probes/curves.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/bandwidth.hpp"
#include "reports/device_levels.hpp"

namespace gpuseq::reports::probes {
namespace {

std::function<std::string(const Entry&)> curve_names(const ReportData& data, std::string_view family,
                                                     const std::string& over) {
  static const std::set<std::string> kBestOver{"in_flight", "prefetch", "threads_per_block", "blocks_per_sm"};
  std::map<std::pair<std::string, std::string>, std::set<std::string>> values;  // device and axis
  for (const Entry* entry : data.settled(family))
    for (const auto& [axis, value] : entry->record.state.point.values())
      values[{entry->device_name, axis}].insert(to_string(value));
  return [values = std::move(values), family = std::string(family), over](const Entry& entry) {
    std::vector<std::string> words;
    for (const auto& [axis, value] : entry.record.state.point.values()) {
      if (axis == over || kBestOver.contains(axis)) continue;
      if (axis != "operation" && values.at({entry.device_name, axis}).size() < 2) continue;
      const std::string text = to_string(value);
      if (axis == "threads")
        words.push_back(text == "0" ? "all threads" : text == "1" ? "1 thread" : text + " threads");
      else if (axis == "pages")
        words.push_back(text + " pages");
      else if (std::holds_alternative<std::string>(value))
        words.push_back(text);
      else
        words.push_back(fmt::format("{} {}", axis, text));
    }
    return words.empty() ? family : fmt::format("{}", fmt::join(words, ", "));
  };
}

}  // namespace

Drawing curves(const Figure& figure, const ReportData& data, std::string_view family, CurveValue value) {
  const auto series_of = curve_names(data, family, value.over);
  std::map<std::string, std::map<std::pair<std::string, double>, const Entry*>> devices;
  for (const Entry* entry : data.settled(family))
    if (const auto bytes = number(entry->record.state.point, value.over); bytes && *bytes > 0)
      keep_fastest(devices[entry->device_name], {series_of(*entry), *bytes}, entry);
  if (devices.empty()) return not_drawn(why_none(data, family, value.over));
  chart::LineChart chart{.x = {.title = value.over_title, .unit = Unit::bytes, .log = true},
                         .y = std::move(value.quantity),
                         .series_title = "curve"};
  std::vector<const Entry*> used;
  std::set<std::string> series;
  for (const auto& [device, points] : devices) {
    if (chart.panels.size() == kMostPanels) break;
    chart::Panel panel{.title = device};
    std::vector<const Entry*> shown;
    for (const auto& [key, entry] : points) {
      const Rate rate = value.of(*entry);
      series.insert(key.first);
      used.push_back(entry);
      shown.push_back(entry);
      panel.marks.push_back({.x = key.second,
                             .y = rate.value,
                             .low = rate.low,
                             .high = rate.high,
                             .series = key.first,
                             .disturbed = entry->disturbed,
                             .record = data.index_of(*entry),
                             .tips = tips_of(*entry, rate, chart.y.unit)});
    }
    if (family == "latency") panel.bands = level_bands(data, shown);
    chart.panels.push_back(std::move(panel));
  }
  chart.series.assign(series.begin(), series.end());
  std::vector<std::string> notes{value.smaller_is_better ? "Lower is better." : "Higher is better."};
  if (std::any_of(chart.panels.begin(), chart.panels.end(),
                  [](const chart::Panel& p) { return !p.bands.empty(); }))
    notes.push_back(kKneeNote);
  std::ranges::move(value.notes, std::back_inserter(notes));
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace gpuseq::reports::probes
