#include "reports/bandwidth.hpp"
#include "reports/figure_tools.hpp"
#include "reports/figures/fm_index/figures.hpp"

namespace gpuseq::reports::fm_index {
namespace {

// The random-access curves, with the paper's inflection points.
Drawing draw_fig3(const Figure& figure, const ReportData& data, const Published& published) {
  BandwidthChart chart = bandwidth_chart(data);
  if (chart.used.empty())
    return not_drawn(why_none(data, "random_access", "footprint_bytes and block_bytes"));
  std::vector<std::string> notes;
  add_guides(figure, published, chart.lines, notes);
  chart.lines.heading = heading(figure, data, chart.used, std::move(notes));
  return drawn(std::move(chart.lines));
}

}  // namespace

Figure fig3() {
  return {"fm-index/fig3", "Random-access bandwidth by block size", kHeading,
          "Over the footprint, beside the inflection points of the paper's GPU.", draw_fig3};
}

}  // namespace gpuseq::reports::fm_index
