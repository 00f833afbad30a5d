#include "reports/figures/papara/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace gpuseq::reports::papara {
namespace {

using chart::LineChart;
using chart::Mark;
using chart::Panel;

/// A device with a number of threads, and the sizes that its records have in common.
struct Place {
  bool cpu = false;  // GPUs come first
  std::string name, rest;
  bool of_protein = false;
  friend auto operator<=>(const Place&, const Place&) = default;
};

/// The fastest record by variant, width of scores and size.
using Fastest = std::map<std::tuple<std::string, std::string, double>, const Entry*>;

std::map<Place, Fastest> panels_of(const Sweep& sweep, const ReportData& data) {
  std::map<Place, Fastest> panels;
  for (const Entry* entry : data.settled("papara")) {
    const auto shape = shape_of(*entry);
    if (!shape || is_hybrid(*entry)) continue;
    keep_fastest(panels[{!on_gpu(*entry), place_of(*entry), sweep.rest(*shape), shape->of_protein}],
                 {entry->record.state.variant, width_of(*entry), (*shape).*sweep.size}, entry);
  }
  std::erase_if(panels, [](const auto& panel) {
    std::set<double> sizes;
    for (const auto& [key, entry] : panel.second) sizes.insert(std::get<2>(key));
    return sizes.size() < 2;
  });
  return panels;
}

/// Alignments a second in cells of the whole matrix, which does not depend on what is counted.
struct Speed {
  double value = 0;
  double size = 0;
};

/// How many times faster than the paper's programs at that size, by their published seconds.
chart::Tips speed_ups(const Sweep& sweep, const std::vector<const Fact*>& seconds, const Speed& speed) {
  chart::Tips tips;
  for (const Fact* fact : seconds) {
    const auto shape = shape_of(*fact);
    if (!shape || (*shape).*sweep.size != speed.size || fact->unit != "s") continue;
    const double ratio = speed.value / (shape->all_cells() / fact->value);
    tips.emplace_back(fmt::format("Over {} (published)", text(fact->at, "column")),
                      format_value(ratio, Unit::ratio));
  }
  return tips;
}

Mark mark_of(const Sweep& sweep, const ReportData& data, const Entry& entry,
             const std::vector<const Fact*>& seconds) {
  const Rate rate = rate_of(entry, 1 / kGiga);
  const Shape shape = *shape_of(entry);
  Mark mark{.x = shape.*sweep.size,
            .y = rate.value,
            .low = rate.low,
            .high = rate.high,
            .series = entry.record.state.variant,
            .dash = width_of(entry),
            .record = data.index_of(entry),
            .tips = gcups_tips(entry)};
  if (shape.bases > 0 && !shape.of_protein) {
    const Speed speed{shape.all_cells() / entry.record.statistics->median_s, mark.x};
    for (auto& tip : speed_ups(sweep, seconds, speed)) mark.tips.push_back(std::move(tip));
  }
  return mark;
}

/// The published marks of a column, and what they say of the other columns.
void add_published(const Sweep& sweep, const std::vector<const Fact*>& rates,
                   const std::vector<const Fact*>& seconds, const std::string& column,
                   const std::string& series, Panel& panel) {
  for (const Fact* fact : rates) {
    const auto shape = shape_of(*fact);
    if (!shape || text(fact->at, "column") != column) continue;
    Mark mark{.x = (*shape).*sweep.size,
              .y = fact->value,
              .low = fact->value,
              .high = fact->value,
              .series = series,
              .published = true,
              .tips = gcups_tips(*fact)};
    for (const Fact* own : seconds)
      if (own->at == fact->at)
        for (auto& tip : speed_ups(sweep, seconds, {shape->all_cells() / own->value, mark.x}))
          mark.tips.push_back(std::move(tip));
    panel.marks.push_back(std::move(mark));
  }
}

}  // namespace

Drawing rates_over(const Sweep& sweep, const Figure& figure, const ReportData& data,
                   const Published& published) {
  const auto rates = published.find(figure.name, "value"), seconds = published.find(figure.name, "listed");
  const std::string theirs = fmt::format("published ({})", papers_of(rates));
  LineChart chart{.x = sweep.x,
                  .y = {.title = "GCUPS (1e9 cells a second)", .unit = Unit::number, .log = true},
                  .series_title = "variant",
                  .dash_title = "scores"};
  std::vector<const Entry*> used;
  std::set<std::string> series, dashes, rests;
  std::set<double> sizes;
  const auto panels = panels_of(sweep, data);
  for (const auto& [place, fastest] : panels) rests.insert(place.rest);
  for (const auto& [place, fastest] : panels) {
    if (chart.panels.size() == kMostPanels) break;
    Panel panel{.title = rests.size() == 1 ? place.name : fmt::format("{}: {}", place.name, place.rest)};
    for (const auto& [unused, entry] : fastest) {
      panel.marks.push_back(mark_of(sweep, data, *entry, seconds));
      series.insert(panel.marks.back().series);
      dashes.insert(panel.marks.back().dash);
      used.push_back(entry);
    }
    if (!place.of_protein)
      add_published(sweep, rates, seconds, column_of(*fastest.begin()->second), theirs, panel);
    for (const Mark& mark : panel.marks) sizes.insert(mark.x);
    chart.panels.push_back(std::move(panel));
  }
  if (used.empty()) return not_drawn(why_none(data, "papara", sweep.need));
  chart.x.ticks.assign(sizes.begin(), sizes.end());
  chart.series.assign(series.begin(), series.end());
  for (const std::string& width : widths())
    if (dashes.contains(width)) chart.dashes.push_back(width);
  std::vector<std::string> notes;
  if (rests.size() == 1) notes.push_back(*rests.begin() + ".");
  notes.push_back("The fastest point of each variant in each width of scores. Counted: the band.");
  if (!rates.empty() && std::ranges::any_of(panels, [](const auto& of) { return !of.first.of_protein; })) {
    chart.series.push_back(theirs);
    notes.push_back(fmt::format(
        "Grey: published, {}; Seq beside one thread, SSE(4) beside more, GPU beside GPUs. Seq and SSE(4) "
        "count all m n cells, GPU the band.",
        credit(rates)));
  }
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace gpuseq::reports::papara
