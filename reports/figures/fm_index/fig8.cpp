#include <fmt/format.h>

#include "reports/figure_tools.hpp"
#include "reports/figures/fm_index/curves.hpp"
#include "reports/figures/fm_index/figures.hpp"
#include "reports/figures/fm_index/points.hpp"

namespace gpuseq::reports::fm_index {
namespace {

// Rate over reference size on the 1-step index, by sampling distance.
Drawing draw_fig8(const Figure& figure, const ReportData& data, const Published& published) {
  FastestByPanel panels;
  for (const auto& [title, entries] : by_device_and_queries(data))
    for (const Entry* entry : entries)
      if (const FmLayout layout = layout_of(*entry);
          layout.k == 1 && layout.d > 0 && !entry->record.state.variant.starts_with("one_hot"))
        keep_fastest(panels[title], {fmt::format("d={}", layout.d), *reference_bases(entry->record)}, entry);
  keep_leaders(panels);
  FmCurves curves;
  for (const auto& [title, fastest] : panels) add_curves(data, curves, title, fastest, 2);
  return rate_lines(figure, data, published, std::move(curves), reference_axis(), "sampling distance",
                    {"k = 1, sampled index; the best variant at each point."},
                    "two or more reference sizes at k=1");
}

}  // namespace

Figure fig8() {
  return {"fm-index/fig8", "Rate over reference size, 1-step index", kHeading,
          "How the footprint slows the search down.", draw_fig8};
}

}  // namespace gpuseq::reports::fm_index
