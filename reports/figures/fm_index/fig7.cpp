#include "reports/figure_tools.hpp"
#include "reports/figures/fm_index/curves.hpp"
#include "reports/figures/fm_index/figures.hpp"
#include "reports/figures/fm_index/points.hpp"

namespace gpuseq::reports::fm_index {
namespace {

using chart::Quantity;

// Rate over sampling distance, the best of each scheme on the 1-step index.
Drawing draw_fig7(const Figure& figure, const ReportData& data, const Published& published) {
  FmCurves curves;
  for (const FmPanel& panel : fm_panels(data)) {
    Fastest fastest;
    for (const Entry* entry : panel.entries)
      if (const FmLayout layout = layout_of(*entry); layout.k == 1 && layout.d > 0)
        keep_fastest(fastest, {entry->record.state.variant, static_cast<double>(layout.d)}, entry);
    add_curves(data, curves, panel.title(), fastest, 2);
  }
  Quantity x{.title = "sampling distance d", .log = true};
  x.ticks.assign(curves.xs.begin(), curves.xs.end());
  return rate_lines(figure, data, published, std::move(curves), std::move(x), "variant",
                    {"k = 1; the best of each variant over its other axes."},
                    "two or more values of d at k=1");
}

}  // namespace

Figure fig7() {
  return {"fm-index/fig7", "Rate over sampling distance by scheme", kHeading,
          "How each scheme bears larger blocks.", draw_fig7};
}

}  // namespace gpuseq::reports::fm_index
