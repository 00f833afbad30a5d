#include "reports/page/device_curve.hpp"

#include <fmt/format.h>

#include <map>

#include "reports/bandwidth.hpp"
#include "reports/figure_tools.hpp"
#include "reports/figures/probes/curves.hpp"

namespace gpuseq::reports {
namespace {

constexpr const char* kLatency = "latency, one access after another";

void cross(chart::Panel& panel, const std::vector<DeviceLevel>& levels) {
  for (const DeviceLevel& level : levels) {
    const std::string size = format_value(level.at_bytes, Unit::bytes);
    if (level.high_bytes > level.low_bytes) panel.bands.push_back({level.low_bytes, level.high_bytes, ""});
    panel.guides.push_back(
        {.at = level.at_bytes,
         .label = level.name.empty() ? size
                                     : fmt::format("{}{} {}", level.name, level.uncertain ? "?" : "", size)});
  }
}

chart::Mark mark_of(const ReportData& data, const Entry& entry, double footprint, const Rate& rate, Unit unit,
                    const std::string& series) {
  return {.x = footprint,
          .y = rate.value,
          .low = rate.low,
          .high = rate.high,
          .series = series,
          .disturbed = entry.disturbed,
          .record = data.index_of(entry),
          .tips = tips_of(entry, rate, unit)};
}

void add_bandwidth(chart::LineChart& chart, const ReportData& data, const BandwidthPanel& source) {
  chart::Panel panel{
      .title = source.key.threads.empty()
                   ? "Random bandwidth"
                   : fmt::format("Random bandwidth, {}",
                                 thread_words(source.key.threads == "all" ? "0" : source.key.threads)),
      .guided = false};
  for (const double block : usual_blocks(source)) {
    chart.series.push_back(format_value(block, Unit::bytes) + " blocks");
    for (const auto& [footprint, entry] : source.curves.at(block))
      panel.marks.push_back(
          mark_of(data, *entry, footprint, bandwidth_of(*entry), Unit::bytes_per_s, chart.series.back()));
  }
  chart.panels.push_back(std::move(panel));
}

void add_latency(chart::LineChart& chart, const ReportData& data, const std::string& device_name) {
  std::map<double, const Entry*> fastest;
  for (const Entry* entry : data.settled("latency"))
    if (const auto bytes = number(entry->record.state.point, "footprint_bytes");
        bytes && *bytes > 0 && entry->device_name == device_name)
      keep_fastest(fastest, *bytes, entry);
  if (fastest.empty()) return;
  chart::Panel panel{.title = "Latency",
                     .guided = false,
                     .y = chart::Quantity{.title = "time of one access", .unit = Unit::seconds, .log = true}};
  chart.series.push_back(kLatency);
  for (const auto& [footprint, entry] : fastest)
    panel.marks.push_back(
        mark_of(data, *entry, footprint, probes::seconds_per_access(*entry), Unit::seconds, kLatency));
  chart.panels.push_back(std::move(panel));
}

}  // namespace

std::string level_words(const DeviceLevel& level) {
  std::string beside;
  if (level.high_bytes > level.low_bytes)
    beside = fmt::format("{} to {}", format_value(level.low_bytes, Unit::bytes),
                         format_value(level.high_bytes, Unit::bytes));
  if (level.stated_bytes > 0)
    beside +=
        fmt::format("{}stated {}", beside.empty() ? "" : ", ", format_value(level.stated_bytes, Unit::bytes));
  if (level.uncertain) beside += fmt::format("{}uncertain", beside.empty() ? "" : ", ");
  return fmt::format("{}: {}{}", level.name, format_value(level.at_bytes, Unit::bytes),
                     beside.empty() ? "" : " (" + beside + ")");
}

Drawing device_curve(const ReportData& data, const std::string& device_name,
                     const std::vector<DeviceLevel>& levels) {
  chart::LineChart chart{
      .heading = {.title = device_name,
                  .description = "Random bandwidth, and the latency of dependent accesses, over footprint"},
      .x = {.title = "footprint", .unit = Unit::bytes, .log = true},
      .y = {.title = "random bandwidth", .unit = Unit::bytes_per_s, .log = true},
      .series_title = ""};
  if (const auto source = main_panel(data, device_name)) add_bandwidth(chart, data, *source);
  add_latency(chart, data, device_name);
  if (chart.panels.empty()) return not_drawn("no probe of its memory");
  for (chart::Panel& panel : chart.panels) cross(panel, levels);
  return drawn(std::move(chart));
}

}  // namespace gpuseq::reports
