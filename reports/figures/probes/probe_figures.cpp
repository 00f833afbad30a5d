#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "reports/bandwidth.hpp"
#include "reports/figure_tools.hpp"

namespace gpuseq::reports {
namespace {

using chart::HeatMap;
using chart::LineChart;
using chart::Mark;
using chart::Panel;

constexpr const char* kKneeNote = "Shaded: knees found, from where the change begins to where it ends.";

Drawing surface(const Figure& figure, const ReportData& data, const Published&) {
  HeatMap map{.x = {.title = "footprint", .unit = Unit::bytes, .log = true},
              .value = {.title = "bandwidth", .unit = Unit::bytes_per_s},
              .row_title = "block"};
  std::vector<const Entry*> used;
  for (const BandwidthPanel& panel : bandwidth_panels(data)) {
    chart::HeatPanel heat{.title = panel.title};
    for (auto curve = panel.curves.rbegin(); curve != panel.curves.rend(); ++curve) {
      const std::string row = format_value(curve->first, Unit::bytes);
      heat.rows.push_back(row);
      for (const auto& [footprint, entry] : curve->second) {
        const Rate rate = bandwidth_of(*entry);
        heat.cells.push_back(
            {footprint, row, rate.value, data.index_of(*entry), tips_of(*entry, rate, Unit::bytes_per_s)});
        used.push_back(entry);
      }
    }
    if (map.panels.size() < kMostPanels) map.panels.push_back(std::move(heat));
  }
  if (used.empty()) return {std::nullopt, why_none(data, "random_access", "footprint_bytes and block_bytes")};
  map.heading = heading(figure, data, used, {"Best over accesses in flight, prefetch and page size."});
  return {chart::draw(map), ""};
}

Drawing lines(const Figure& figure, const ReportData& data, const Published&) {
  BandwidthChart chart = bandwidth_chart(data);
  if (chart.used.empty())
    return {std::nullopt, why_none(data, "random_access", "footprint_bytes and block_bytes")};
  bool any_knee = false;
  for (std::size_t i = 0; i < chart.lines.panels.size(); ++i) {
    chart.lines.panels[i].bands = knee_bands(data, "random_access", chart.shown[i]);
    any_knee = any_knee || !chart.lines.panels[i].bands.empty();
  }
  std::vector<std::string> notes{
      "Best over accesses in flight, prefetch and page size; bars are confidence intervals."};
  if (any_knee) notes.push_back(kKneeNote);
  chart.lines.heading = heading(figure, data, chart.used, notes);
  return {chart::draw(chart.lines), ""};
}

/// Curves over footprint of a probe, a panel per device and a line per name.
Drawing curves(const Figure& figure, const ReportData& data, std::string_view family, chart::Quantity y,
               const std::function<std::string(const Entry&)>& series_of,
               const std::function<Rate(const Entry&)>& value_of, bool smaller_is_better) {
  std::map<std::string, std::map<std::pair<std::string, double>, const Entry*>> devices;
  for (const Entry* entry : data.settled(family))
    if (const auto footprint = number(entry->record.state.point, "footprint_bytes");
        footprint && *footprint > 0)
      keep_fastest(devices[entry->device_name], {series_of(*entry), *footprint}, entry);
  if (devices.empty()) return {std::nullopt, why_none(data, family, "footprint_bytes")};
  LineChart chart{.x = {.title = "footprint", .unit = Unit::bytes, .log = true},
                  .y = std::move(y),
                  .series_title = "curve"};
  std::vector<const Entry*> used;
  std::set<std::string> series;
  for (const auto& [device, points] : devices) {
    if (chart.panels.size() == kMostPanels) break;
    Panel panel{.title = device};
    std::vector<const Entry*> shown;
    for (const auto& [key, entry] : points) {
      Rate value = value_of(*entry);
      series.insert(key.first);
      used.push_back(entry);
      shown.push_back(entry);
      panel.marks.push_back({.x = key.second,
                             .y = value.value,
                             .low = value.low,
                             .high = value.high,
                             .series = key.first,
                             .record = data.index_of(*entry),
                             .tips = tips_of(*entry, value, chart.y.unit)});
    }
    panel.bands = knee_bands(data, family, shown);
    chart.panels.push_back(std::move(panel));
  }
  chart.series.assign(series.begin(), series.end());
  std::vector<std::string> notes{smaller_is_better ? "Lower is better." : "Higher is better."};
  if (std::any_of(chart.panels.begin(), chart.panels.end(), [](const Panel& p) { return !p.bands.empty(); }))
    notes.push_back(kKneeNote);
  chart.heading = heading(figure, data, used, std::move(notes));
  return {chart::draw(chart), ""};
}

/// Names a curve by its operation and by what differs between the records of its probe; over the other axes a
/// curve takes the best.
std::function<std::string(const Entry&)> curve_names(const ReportData& data, std::string_view family) {
  static const std::set<std::string> kBestOver{"footprint_bytes", "in_flight", "prefetch",
                                               "threads_per_block", "blocks_per_sm"};
  std::map<std::pair<std::string, std::string>, std::set<std::string>> values;  // device and axis
  for (const Entry* entry : data.settled(family))
    for (const auto& [axis, value] : entry->record.state.point.values())
      values[{entry->device_name, axis}].insert(to_string(value));
  return [values = std::move(values), family = std::string(family)](const Entry& entry) {
    std::vector<std::string> words;
    for (const auto& [axis, value] : entry.record.state.point.values()) {
      if (kBestOver.contains(axis)) continue;
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

Drawing latency(const Figure& figure, const ReportData& data, const Published&) {
  const auto seconds_per_access = [](const Entry& entry) {
    const Rate rate = rate_of(entry);
    return Rate{1 / rate.value, rate.high > 0 ? 1 / rate.high : 0, rate.low > 0 ? 1 / rate.low : 0};
  };
  return curves(figure, data, "latency", {.title = "time of one dependent access", .unit = Unit::seconds},
                curve_names(data, "latency"), seconds_per_access, true);
}

Drawing sequential(const Figure& figure, const ReportData& data, const Published&) {
  return curves(
      figure, data, "sequential", {.title = "bandwidth", .unit = Unit::bytes_per_s},
      curve_names(data, "sequential"), [](const Entry& entry) { return bandwidth_of(entry); }, false);
}

}  // namespace

std::vector<Figure> probe_figures() {
  const std::string family = "Memory probes";
  return {{"random-access/surface", "Random-access bandwidth over footprint and block size", family,
           "Each cell is the bandwidth of reading whole aligned blocks at random places of the footprint.",
           surface},
          {"random-access/lines", "Random-access bandwidth over footprint", family,
           "A line per block size; where lines of two sizes lie a factor apart, the larger block is free.",
           lines},
          {"latency", "Latency of dependent accesses over footprint", family,
           "Time of one access whose address depends on the one before.", latency},
          {"sequential", "Sequential bandwidth over footprint", family,
           "Bandwidth of reading, writing and copying memory in order.", sequential}};
}

}  // namespace gpuseq::reports
