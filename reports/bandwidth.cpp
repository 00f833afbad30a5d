#include "reports/bandwidth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace gpuseq::reports {
namespace {

std::string threads_of(const std::string& threads) {
  return threads == "0" ? "all" : threads;
}

CurveKey key_of(const Entry& entry) {
  const Point& point = entry.record.state.point;
  return {entry.device_name, word(point, "access"), threads_of(word(point, "threads"))};
}

std::string title_of(const CurveKey& key) {
  std::string title = key.device_name;
  if (!key.access.empty()) title += fmt::format(", {} accesses", key.access);
  if (!key.threads.empty())
    title += key.threads == "1" ? ", 1 thread" : fmt::format(", {} threads", key.threads);
  return title;
}

/// Random accesses at one footprint, of a device that has curves over several, are no curve: they are there
/// to look at something else, such as how many accesses are in flight.
std::vector<const Entry*> in_curves(const std::vector<const Entry*>& entries) {
  using Curve = std::pair<std::string, std::string>;  // device, and the point but the footprint
  const auto curve_of = [](const Entry& entry) {
    Point fixed = entry.record.state.point;
    fixed.set("footprint_bytes", std::int64_t{0});
    return Curve{entry.device_name, entry.record.state.problem.to_string() + " " + fixed.to_string()};
  };
  std::map<Curve, std::set<std::string>> footprints;
  for (const Entry* entry : entries)
    footprints[curve_of(*entry)].insert(word(entry->record.state.point, "footprint_bytes"));
  std::set<std::string> with_curves;
  for (const auto& [curve, found] : footprints)
    if (found.size() > 1) with_curves.insert(curve.first);
  std::vector<const Entry*> kept = entries;
  std::erase_if(kept, [&](const Entry* entry) {
    return with_curves.contains(entry->device_name) && footprints[curve_of(*entry)].size() == 1;
  });
  return kept;
}

}  // namespace

Rate bandwidth_of(const Entry& entry) {
  const std::string& unit = entry.record.work.unit;
  if (unit == "bytes") return rate_of(entry);
  return rate_of(entry, number(entry.record.state.point, "block_bytes").value_or(1));
}

std::vector<BandwidthPanel> bandwidth_panels(const ReportData& data) {
  std::map<CurveKey, BandwidthPanel> panels;
  for (const Entry* entry : in_curves(data.settled("random_access"))) {
    const auto footprint = number(entry->record.state.point, "footprint_bytes");
    const auto block = number(entry->record.state.point, "block_bytes");
    if (!footprint || !block || *footprint <= 0 || *block <= 0) continue;
    const CurveKey key = key_of(*entry);
    BandwidthPanel& panel = panels[key];
    panel.key = key;
    panel.title = title_of(key);
    keep_fastest(panel.curves[*block], *footprint, entry);
  }
  std::vector<BandwidthPanel> list;
  list.reserve(panels.size());
  for (auto& [key, panel] : panels) list.push_back(std::move(panel));
  // What a kernel can use comes first: independent accesses, all threads.
  std::stable_sort(list.begin(), list.end(), [](const BandwidthPanel& a, const BandwidthPanel& b) {
    const auto rank = [](const CurveKey& key) {
      return (key.access == "dependent" ? 2 : 0) + (key.threads == "1" ? 1 : 0);
    };
    return rank(a.key) < rank(b.key);
  });
  return list;
}

BandwidthChart bandwidth_chart(const ReportData& data) {
  BandwidthChart chart{.lines = {.x = {.title = "footprint", .unit = Unit::bytes, .log = true},
                                 .y = {.title = "random-access bandwidth", .unit = Unit::bytes_per_s},
                                 .series_title = "block"}};
  std::map<double, std::string> blocks;
  for (const BandwidthPanel& source : bandwidth_panels(data)) {
    if (chart.lines.panels.size() == kMostPanels) break;
    chart::Panel panel{.title = source.title};
    std::vector<const Entry*> shown;
    for (const auto& [block, curve] : source.curves) {
      const std::string name = format_value(block, Unit::bytes);
      blocks[block] = name;
      for (const auto& [footprint, entry] : curve) {
        const Rate rate = bandwidth_of(*entry);
        panel.marks.push_back({.x = footprint,
                               .y = rate.value,
                               .low = rate.low,
                               .high = rate.high,
                               .series = name,
                               .disturbed = entry->disturbed,
                               .record = data.index_of(*entry),
                               .tips = tips_of(*entry, rate, Unit::bytes_per_s)});
        chart.used.push_back(entry);
        shown.push_back(entry);
        panel.guided = on_gpu(*entry);
      }
    }
    chart.shown.push_back(std::move(shown));
    chart.lines.panels.push_back(std::move(panel));
  }
  chart.lines.series = unique_in_order(blocks);
  return chart;
}

std::optional<BandwidthPanel> main_panel(const ReportData& data, const std::string& device_name) {
  for (BandwidthPanel& panel : bandwidth_panels(data))
    if (panel.key.device_name == device_name) return std::move(panel);
  return std::nullopt;
}

std::vector<double> usual_blocks(const BandwidthPanel& panel) {
  const bool gpu = on_gpu(*panel.curves.begin()->second.begin()->second);
  std::vector<double> blocks;
  for (const double usual : gpu ? std::vector<double>{32, 128} : std::vector<double>{64}) {
    const auto nearest = std::ranges::min_element(
        panel.curves, {}, [&](const auto& curve) { return std::abs(std::log(curve.first / usual)); });
    if (std::ranges::find(blocks, nearest->first) == blocks.end()) blocks.push_back(nearest->first);
  }
  return blocks;
}

}  // namespace gpuseq::reports
