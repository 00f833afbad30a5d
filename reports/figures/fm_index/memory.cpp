#include <fmt/format.h>

#include <set>
#include <tuple>

#include "reports/bandwidth.hpp"
#include "reports/figure_tools.hpp"
#include "reports/figures/fm_index/figures.hpp"
#include "reports/figures/fm_index/points.hpp"

namespace gpuseq::reports::fm_index {
namespace {

using chart::LineChart;
using chart::Mark;

constexpr double kPaperBlockBytes = 128;  // figure 10: an index entry of 128 bytes

/// Marks of figure 2, one a layout; layouts that several records have count once.
class FootprintMarks {
 public:
  /// False if the layout has its mark already.
  bool add(const FmLayout& layout, const std::string& variant, double bits, bool published,
           chart::RecordIndex record, chart::Tips tips) {
    const std::string series = fmt::format("{}k={}", variant == "one_hot" ? "one-hot " : "", layout.k);
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
                      .tips = std::move(tips)});
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

}  // namespace

// Figure 2: bits per base by layout and sampling distance.
Drawing footprint(const Figure& figure, const ReportData& data, const Published& published) {
  FootprintMarks marks;
  std::vector<const Entry*> used;
  for (const Entry& entry : data.entries) {
    const FmLayout layout = layout_of(entry);
    const auto bits = number(entry.record.facts, "bits_per_base");
    if (entry.record.state.family != "fm_index" || !bits || *bits <= 0 || layout.d == 0) continue;
    chart::Tips tips{{"Value", format_value(*bits, Unit::bits_per_base)},
                     {"Index of 3 Gbases", fmt::format("{:.3g} GB", *bits * 0.375)},
                     {"Point", entry.record.state.point.to_string()}};
    if (marks.add(layout, entry.record.state.variant, *bits, false, data.index_of(entry), std::move(tips)))
      used.push_back(&entry);
  }
  if (used.empty()) return {std::nullopt, why_none(data, "fm_index", "the fact bits_per_base")};
  std::vector<std::string> notes;
  const auto facts = published.find(figure.name, "value");
  for (const Fact* fact : facts)
    marks.add(layout_of(*fact), "", fact->value, true, {}, tips_of(*fact, published, Unit::bits_per_base));
  if (!facts.empty())
    notes.push_back(
        fmt::format("Large hollow marks: published, {} ({}).", published.paper, facts.front()->source));
  LineChart chart = std::move(marks).chart();
  chart.heading = heading(figure, data, used, std::move(notes));
  return {chart::draw(chart), ""};
}

// Figure 3: the random-access curves, with the paper's inflection points.
Drawing random_access(const Figure& figure, const ReportData& data, const Published& published) {
  BandwidthChart chart = bandwidth_chart(data);
  if (chart.used.empty())
    return {std::nullopt, why_none(data, "random_access", "footprint_bytes and block_bytes")};
  std::vector<std::string> notes;
  add_guides(figure, published, chart.lines, notes);
  chart.lines.heading = heading(figure, data, chart.used, std::move(notes));
  return {chart::draw(chart.lines), ""};
}

// Figure 10: bandwidth at 128-byte blocks, a line per device.
Drawing devices(const Figure& figure, const ReportData& data, const Published& published) {
  LineChart chart{.x = {.title = "footprint", .unit = Unit::bytes, .log = true},
                  .y = {.title = "random-access bandwidth, 128 B blocks", .unit = Unit::bytes_per_s},
                  .series_title = "device"};
  std::vector<const Entry*> used;
  std::set<std::string> series;
  chart::Panel panel;
  for (const BandwidthPanel& source : bandwidth_panels(data)) {
    const auto curve = source.curves.find(kPaperBlockBytes);
    if (curve == source.curves.end() || source.key.access == "dependent" || source.key.threads == "1")
      continue;
    series.insert(source.key.device_name);
    for (const auto& [footprint, entry] : curve->second) {
      const Rate rate = bandwidth_of(*entry);
      panel.marks.push_back({.x = footprint,
                             .y = rate.value,
                             .low = rate.low,
                             .high = rate.high,
                             .series = source.key.device_name,
                             .record = data.index_of(*entry),
                             .tips = tips_of(*entry, rate, Unit::bytes_per_s)});
      used.push_back(entry);
    }
  }
  if (used.empty())
    return {std::nullopt, why_none(data, "random_access",
                                   "blocks of 128 bytes read by independent accesses of all threads")};
  chart.panels.push_back(std::move(panel));
  std::vector<std::string> notes;
  add_guides(figure, published, chart, notes);
  chart.series.assign(series.begin(), series.end());
  chart.heading = heading(figure, data, used, std::move(notes));
  return {chart::draw(chart), ""};
}

}  // namespace gpuseq::reports::fm_index
