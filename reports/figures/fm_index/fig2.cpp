#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "reports/figure_tools.hpp"
#include "reports/figures/fm_index/figures.hpp"
#include "reports/figures/fm_index/points.hpp"

namespace gpuseq::reports::fm_index {
namespace {

using chart::LineChart;
using chart::Mark;

/// The panel of figure 2, one mark a layout; layouts that several records have count once.
class FootprintMarks {
 public:
  /// False if the layout has its mark already.
  bool add(const FmLayout& layout, const std::string& kind, double bits, bool published,
           chart::RecordIndex record, chart::Tips tips) {
    const std::string series = fmt::format("{}k={}", kind, layout.k);
    const std::string counters = layout.counters == "alternate" ? "alternate" : "full";
    if (!seen_.emplace(published, series, counters, layout.d).second) return false;
    series_.push_back(series);
    alternate_ = alternate_ || counters == "alternate";
    distances_.insert(layout.d);
    marks_.push_back({.x = static_cast<double>(layout.d),
                      .y = bits,
                      .low = bits,
                      .high = bits,
                      .series = series,
                      .dash = counters,
                      .published = published,
                      .record = record,
                      .tips = std::move(tips),
                      .terms = {{"prefix table", "not counted"}}});
    return true;
  }

  LineChart chart() && {
    LineChart chart{
        .x = {.title = "sampling distance d (bases per block)", .log = true},
        .y = {.title = "bits per base (index of 3 Gbases)",
              .unit = Unit::bits_per_base,
              .log = true,
              .labels = "format(datum.value, '.3~g') + ' (' + format(datum.value * 0.375, '.3~g') + ' GB)'"}};
    chart.x.ticks.assign(distances_.begin(), distances_.end());
    chart.series_title = "bases a step";
    chart.series = natural_order(std::move(series_));
    chart.dash_title = "counters";
    chart.dashes = {"full"};
    if (alternate_) chart.dashes.push_back("alternate");
    chart.panels.push_back({.marks = std::move(marks_)});
    return chart;
  }

 private:
  std::set<std::tuple<bool, std::string, std::string, int>> seen_;
  std::vector<Mark> marks_;
  std::vector<std::string> series_;
  std::set<double> distances_;
  bool alternate_ = false;
};

/// The records of layouts of one reference on one device, with all their prefix tables: those with the most
/// layouts.
std::vector<const Entry*> layouts_of_one_problem(const ReportData& data) {
  std::map<std::pair<std::string, std::string>, std::vector<const Entry*>> by_place;
  for (const Entry& entry : data.entries)
    if (entry.record.state.family == "fm_index" && layout_of(entry).d > 0 &&
        number(entry.record.facts, "bits_per_base").value_or(0) > 0)
      by_place[{entry.device_name, entry.record.state.problem.to_string()}].push_back(&entry);
  const auto rank = [](const std::vector<const Entry*>& entries) {
    std::set<FmLayout> layouts;
    for (const Entry* entry : entries) layouts.insert(layout_of(*entry));
    return std::pair(layouts.size(), reference_bases(entries.front()->record).value_or(0));
  };
  const auto most = std::max_element(by_place.begin(), by_place.end(), [&](const auto& a, const auto& b) {
    return rank(a.second) < rank(b.second);
  });
  return most == by_place.end() ? std::vector<const Entry*>{} : most->second;
}

// bits per base by layout and sampling distance.
Drawing draw_fig2(const Figure& figure, const ReportData& data, const Published& published) {
  FootprintMarks marks;
  std::vector<const Entry*> used;
  for (const Entry* of_layout : layouts_of_one_problem(data)) {
    const Entry& entry = *of_layout;
    const FmLayout layout = layout_of(entry);
    const auto bits = number(entry.record.facts, "bits_per_base");
    chart::Tips tips{{"Value", format_value(*bits, Unit::bits_per_base)},
                     {"Index of 3 Gbases", fmt::format("{:.3g} GB", *bits * 0.375)},
                     {"Point", entry.record.state.point.to_string()}};
    if (marks.add(layout, layout_kind(entry), *bits, false, data.index_of(entry), std::move(tips)))
      used.push_back(&entry);
  }
  if (used.empty()) return not_drawn(why_none(data, "fm_index", "the fact bits_per_base"));
  std::vector<std::string> notes{problem_name(*used.front()) + ", without the prefix tables."};
  const auto facts = published.find(figure.name, "value");
  for (const Fact* fact : facts)
    marks.add(layout_of(*fact), "", fact->value, true, {}, tips_of(*fact, Unit::bits_per_base));
  if (!facts.empty()) notes.push_back(fmt::format("Large hollow marks: published, {}.", credit(facts)));
  LineChart chart = std::move(marks).chart();
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace

Figure fig2() {
  return {"fm-index/fig2", "Footprint of the index by layout",
          kHeading,        "Bits per base of each layout; in brackets the index of 3 Gbases.",
          draw_fig2,       /*of_samples=*/false};
}

}  // namespace gpuseq::reports::fm_index
