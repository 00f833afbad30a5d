#include <set>

#include "reports/bandwidth.hpp"
#include "reports/figure_tools.hpp"
#include "reports/figures/fm_index/figures.hpp"

namespace gpuseq::reports::fm_index {
namespace {

using chart::LineChart;

constexpr double kPaperBlockBytes = 128;  // an index entry

// Bandwidth at 128-byte blocks, a line per device.
Drawing draw_fig10(const Figure& figure, const ReportData& data, const Published& published) {
  LineChart chart{.x = {.title = "footprint", .unit = Unit::bytes, .log = true},
                  .y = {.title = "random-access bandwidth, 128 B blocks", .unit = Unit::bytes_per_s},
                  .series_title = "device"};
  std::vector<const Entry*> used;
  std::set<std::string> series;
  chart::Panel panel;
  for (const BandwidthPanel& source : bandwidth_panels(data)) {
    const auto curve = source.curves.find(kPaperBlockBytes);
    if (curve == source.curves.end() || source.key.access == "dependent" || source.key.threads == "1")
      continue;
    series.insert(source.key.device_name);
    for (const auto& [footprint, entry] : curve->second) {
      const Rate rate = bandwidth_of(*entry);
      panel.marks.push_back({.x = footprint,
                             .y = rate.value,
                             .low = rate.low,
                             .high = rate.high,
                             .series = source.key.device_name,
                             .record = data.index_of(*entry),
                             .tips = tips_of(*entry, rate, Unit::bytes_per_s)});
      used.push_back(entry);
    }
  }
  if (used.empty())
    return not_drawn(
        why_none(data, "random_access", "blocks of 128 bytes read by independent accesses of all threads"));
  chart.panels.push_back(std::move(panel));
  std::vector<std::string> notes;
  add_guides(figure, published, chart, notes);
  chart.series.assign(series.begin(), series.end());
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace

Figure fig10() {
  return {"fm-index/fig10", "Random-access bandwidth of the devices, 128 B blocks", kHeading,
          "What the memory of each device allows.", draw_fig10};
}

}  // namespace gpuseq::reports::fm_index
