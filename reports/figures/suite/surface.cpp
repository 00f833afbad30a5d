#include "reports/bandwidth.hpp"
#include "reports/figures/suite/figures.hpp"

namespace gpuseq::reports::suite {
namespace {

Drawing draw_surface(const Figure& figure, const ReportData& data, const Published&) {
  chart::HeatMap map{.x = {.title = "footprint", .unit = Unit::bytes, .log = true},
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
        heat.cells.push_back({.x = footprint,
                              .row = row,
                              .value = rate.value,
                              .low = rate.low,
                              .high = rate.high,
                              .record = data.index_of(*entry),
                              .tips = tips_of(*entry, rate, Unit::bytes_per_s)});
        used.push_back(entry);
      }
    }
    if (map.panels.size() < kMostPanels) map.panels.push_back(std::move(heat));
  }
  if (used.empty()) return not_drawn(why_none(data, "random_access", "footprint_bytes and block_bytes"));
  map.heading = heading(figure, data, used, {"Best over accesses in flight, prefetch and page size."});
  return drawn(std::move(map));
}

}  // namespace

Figure surface() {
  return {"suite/surface", "Random-access bandwidth over footprint and block size", kHeading,
          "Each cell is the bandwidth of reading whole aligned blocks at random places of the footprint.",
          draw_surface};
}

}  // namespace gpuseq::reports::suite
