#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/figure_tools.hpp"
#include "reports/figures/suite/figures.hpp"
#include "reports/terms.hpp"
#include "results/obstacles.hpp"
#include "runtime/contract/counters.hpp"

namespace gpuseq::reports::suite {
namespace {

using chart::RowChart;
using chart::RowMark;
using chart::RowPanel;

bool has_warp_times(const results::Record& record) {
  return record.counters.value && !results::warp_times(*record.counters.value).empty();
}

/// The fastest record of each variant with its terms.
using FastestOfRows = std::map<std::string, const Entry*>;

/// Panels of one problem on one device, in their order.
using Panels = std::map<std::pair<ProblemOrder, std::string>, FastestOfRows>;

Panels panels_of(const ReportData& data) {
  Panels panels;
  for (const std::string& family : data.kernel_families())
    for (const Entry* entry : data.settled(family, Contestants::ours, has_warp_times))
      keep_fastest(panels[{problem_order(*entry), entry->device_name}],
                   with_point_words(entry->record.state.variant, *entry), entry);
  return panels;
}

std::string label_of(const Entry& entry) {
  const Maybe<results::Ceiling>& ceiling = entry.record.ceiling;
  return ceiling.value ? fmt::format("{} of {}", format_value(ceiling.value->fraction, Unit::share),
                                     ceiling.value->bound_by)
                       : "no ceiling";
}

std::vector<RowMark> marks_of(const ReportData& data, const std::string& row, const Entry& entry) {
  const std::map<std::string, double>& counters = *entry.record.counters.value;
  const std::string said = results::obstacles(counters);
  std::vector<RowMark> marks;
  for (const results::WarpTime& time : results::warp_times(counters)) {
    marks.push_back({.row = row,
                     .value = time.share,
                     .low = time.share,
                     .high = time.share,
                     .series = std::string(time.words),
                     .record = data.index_of(entry),
                     .tips = tips_of(entry, rate_of(entry), Unit::number_si),
                     .terms = {{"warps", std::string(time.words)}}});
    marks.back().tips.insert(marks.back().tips.begin(),
                             {std::string(time.words), format_value(time.share, Unit::share)});
    marks.back().tips.emplace_back("Counters", said);
  }
  marks.back().label = label_of(entry);
  return marks;
}

/// FastestOfRows by the share of their ceiling, the best on top; those without one below.
std::vector<std::pair<std::string, const Entry*>> by_fraction(const FastestOfRows& rows) {
  const auto fraction = [](const Entry& entry) {
    return entry.record.ceiling.value ? entry.record.ceiling.value->fraction : -1;
  };
  std::vector<std::pair<std::string, const Entry*>> sorted(rows.begin(), rows.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const auto& a, const auto& b) { return fraction(*a.second) > fraction(*b.second); });
  return sorted;
}

// What the warps of each variant's fastest point do with their time.
Drawing draw_why(const Figure& figure, const ReportData& data, const Published&) {
  RowChart chart{.value = {.title = "share of the warps' time", .unit = Unit::share},
                 .bars = true,
                 .stacked = true,
                 .series_title = "warps are"};
  std::vector<const Entry*> used;
  std::set<std::string> there;
  const Panels panels = panels_of(data);
  for (const auto& [key, rows] : panels) {
    if (chart.panels.size() == kMostPanels) break;
    const Entry& first = *rows.begin()->second;
    RowPanel panel{
        .title = fmt::format("{}: {}: {}", first.device_name, first.record.state.family, problem_name(first)),
        .value = chart.value};
    for (const auto& [row, entry] : by_fraction(rows)) {
      panel.rows.push_back(row);
      for (RowMark& mark : marks_of(data, row, *entry)) {
        there.insert(mark.series);
        panel.marks.push_back(std::move(mark));
      }
      used.push_back(entry);
    }
    chart.panels.push_back(std::move(panel));
  }
  if (used.empty()) return not_drawn(why_none_of_kernels(data, "counters of what its warps wait for"));
  for (const WarpState& state : kWarpStates)
    if (const std::string words(state.words); there.erase(words) > 0) chart.series.push_back(words);
  std::vector<std::string> notes{
      "The fastest point of each variant that was counted; behind the bar its rate as a share of its "
      "ceiling."};
  note_left_out(chart.panels.size(), panels.size(), "problems", notes);
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace

Figure why() {
  return {"suite/why", "What keeps kernels from their ceilings", kHeading,
          "What the warps of a kernel do with their time, by the counters of the same state. A kernel at its "
          "ceiling of instructions issues or waits for a pipe; one at that of memory waits for memory.",
          draw_why};
}

}  // namespace gpuseq::reports::suite
