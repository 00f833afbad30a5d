#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/figure_tools.hpp"
#include "reports/figures/fm_index/figures.hpp"
#include "reports/figures/fm_index/points.hpp"
#include "reports/figures/fm_index/rows.hpp"

namespace gpuseq::reports::fm_index {
namespace {

using chart::RowChart;
using chart::RowMark;
using chart::RowPanel;

// Rates as fractions of what this run's probes allow.
Drawing draw_ceiling(const Figure& figure, const ReportData& data, const Published&) {
  RowChart chart{.value = {.title = "fraction of the ceiling", .unit = Unit::share},
                 .series_title = "variant"};
  std::vector<const Entry*> used;
  std::set<std::string> variants;
  std::size_t with_ceiling = 0;
  for (const FmPanel& source : fm_panels(data)) {
    std::map<std::string, const Entry*> fastest;
    for (const Entry* entry : source.entries)
      if (entry->record.ceiling.value) keep_fastest(fastest, entry->record.state.variant, entry);
    if (!fastest.empty()) ++with_ceiling;
    if (fastest.empty() || chart.panels.size() == kMostPanels) continue;
    RowPanel panel{.title = source.title()};
    for (const Entry* entry : source.entries) {
      if (!entry->record.ceiling.value) continue;
      const std::string& variant = entry->record.state.variant;
      RowMark mark = rate_mark(data, variant, *entry);
      mark.series = variant;
      mark.value = mark.low = mark.high = entry->record.ceiling.value->fraction;
      mark.minor = fastest[variant] != entry;
      if (mark.minor) mark.label.clear();
      panel.marks.push_back(std::move(mark));
      variants.insert(variant);
      used.push_back(entry);
    }
    for (const auto& [variant, unused] : fastest) panel.rows.push_back(variant);
    std::stable_sort(panel.rows.begin(), panel.rows.end(), [&](const auto& a, const auto& b) {
      return fastest[a]->record.statistics->rate > fastest[b]->record.statistics->rate;
    });
    chart.panels.push_back(std::move(panel));
  }
  if (used.empty()) return not_drawn(why_none(data, "fm_index", "a ceiling"));
  chart.series.assign(variants.begin(), variants.end());
  std::vector<std::string> notes{
      "Thin ticks: every record; large mark: the fastest record of the variant, with its rate. The ceiling "
      "is "
      "blocks touched per base over the random-access bandwidth of this run."};
  if (with_ceiling > chart.panels.size())
    notes.push_back(
        fmt::format("{} of {} panels, the largest references.", chart.panels.size(), with_ceiling));
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace

Figure ceiling() {
  return {"fm-index/ceiling", "Fraction of the random-access ceiling", kHeading,
          "How far each variant is from what the memory allows.", draw_ceiling};
}

}  // namespace gpuseq::reports::fm_index
