#include <fmt/format.h>

#include <set>

#include "reports/figure_tools.hpp"
#include "reports/figures/fm_index/curves.hpp"
#include "reports/figures/fm_index/figures.hpp"
#include "reports/figures/fm_index/points.hpp"

namespace gpuseq::reports::fm_index {
namespace {

// Rate over reference size by k, d and counters.
Drawing draw_fig9(const Figure& figure, const ReportData& data, const Published& published) {
  FastestByPanel panels;
  std::set<std::string> all;
  for (const auto& [title, entries] : by_device_and_queries(data))
    for (const Entry* entry : entries) {
      const std::string name = layout_kind(*entry) + layout_text(layout_of(*entry));
      all.insert(name);
      keep_fastest(panels[title], {name, *reference_bases(entry->record)}, entry);
    }
  keep_leaders(panels);
  FmCurves curves;
  for (const auto& [title, fastest] : panels) add_curves(data, curves, title, fastest, 2);
  std::vector<std::string> notes{"The best variant at each point."};
  if (all.size() > curves.series.size())
    notes.push_back(fmt::format("{} of {} layouts: those that come closest to the best at some size.",
                                curves.series.size(), all.size()));
  return rate_lines(figure, data, published, std::move(curves), reference_axis(), "layout", std::move(notes),
                    "two or more reference sizes");
}

}  // namespace

Figure fig9() {
  return {"fm-index/fig9", "Rate over reference size by layout", kHeading,
          "Which layout to choose for which reference.", draw_fig9};
}

}  // namespace gpuseq::reports::fm_index
