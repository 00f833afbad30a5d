#include "reports/bandwidth.hpp"
#include "reports/device_levels.hpp"
#include "reports/figures/probes/curves.hpp"
#include "reports/figures/probes/figures.hpp"

namespace gpuseq::reports::probes {
namespace {

Drawing draw_random_access(const Figure& figure, const ReportData& data, const Published&) {
  BandwidthChart chart = bandwidth_chart(data);
  if (chart.used.empty())
    return not_drawn(why_none(data, "random_access", "footprint_bytes and block_bytes"));
  bool any_knee = false;
  for (std::size_t i = 0; i < chart.lines.panels.size(); ++i) {
    chart.lines.panels[i].bands = level_bands(data, chart.shown[i]);
    any_knee = any_knee || !chart.lines.panels[i].bands.empty();
  }
  std::vector<std::string> notes{
      "Best over accesses in flight, prefetch and page size; bars are confidence intervals."};
  if (any_knee) notes.push_back(kKneeNote);
  chart.lines.heading = heading(figure, data, chart.used, notes);
  return drawn(std::move(chart.lines));
}

}  // namespace

Figure random_access() {
  return {"random-access/lines", "Random-access bandwidth over footprint", kHeading,
          "A line per block size; where lines of two sizes lie a factor apart, the larger block is free.",
          draw_random_access};
}

}  // namespace gpuseq::reports::probes
