#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/figure_tools.hpp"
#include "reports/figures/fm_index/curves.hpp"
#include "reports/figures/fm_index/figures.hpp"
#include "reports/figures/fm_index/points.hpp"

namespace gpuseq::reports::fm_index {
namespace {

/// Threads resident on the device: what the launch put there, else 0.
double active_threads(const Entry& entry) {
  return number(entry.record.facts, "resident_threads").value_or(0);
}

/// The layout of a panel that was measured at the most numbers of active threads, when those were limited.
std::optional<FmLayout> layout_of_thread_sweep(const FmPanel& panel) {
  std::map<FmLayout, std::set<double>> measured;
  for (const Entry* entry : panel.entries)
    if (number(entry->record.state.point, "active_threads").value_or(0) > 0 && active_threads(*entry) > 0)
      measured[layout_of(*entry)].insert(active_threads(*entry));
  const auto most = std::max_element(measured.begin(), measured.end(), [](const auto& a, const auto& b) {
    return a.second.size() < b.second.size();
  });
  return most == measured.end() ? std::nullopt : std::optional(most->first);
}

// Rate over active threads, at the layout that was measured at the most of them.
Drawing draw_fig6(const Figure& figure, const ReportData& data, const Published& published) {
  FmCurves curves;
  for (const FmPanel& panel : fm_panels(data)) {
    const auto layout = layout_of_thread_sweep(panel);
    if (!layout) continue;
    Fastest fastest;
    for (const Entry* entry : panel.entries)
      if (const double threads = active_threads(*entry); threads > 0 && layout_of(*entry) == *layout)
        keep_fastest(fastest, {entry->record.state.variant, threads}, entry);
    add_curves(data, curves, fmt::format("{}, {}", panel.title(), layout_text(*layout)), fastest, 2);
  }
  return rate_lines(figure, data, published, std::move(curves),
                    {.title = "active threads on the device", .unit = Unit::number_si, .log = true},
                    "variant", {}, "two or more values of active_threads");
}

}  // namespace

Figure fig6() {
  return {"fm-index/fig6", "Rate over active threads", kHeading,
          "Where a scheme saturates, and whether more threads slow it down.", draw_fig6};
}

}  // namespace gpuseq::reports::fm_index
