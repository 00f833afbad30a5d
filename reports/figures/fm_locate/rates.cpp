#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/figure_tools.hpp"
#include "reports/figures/fm_locate/figures.hpp"

namespace gpuseq::reports::fm_locate {
namespace {

constexpr const char* kFamily = "fm_locate";

/// (variant and order of its samples, suffixes a sample) -> its fastest point.
using Fastest = std::map<std::pair<std::string, double>, const Entry*>;

/// A problem on a device.
struct RatesPanel {
  std::string title = {};
  double reference_bases = 0;
  Fastest fastest = {};
};

/// "walk, text"
std::string series_of(const Entry& entry) {
  return fmt::format("{}, {}", entry.record.state.variant, axis_text(entry, "sa_sampling"));
}

/// Of the index with its samples.
std::optional<double> bytes_per_base(const Entry& entry) {
  const auto bits = number(entry.record.facts, "bits_per_base");
  return bits && *bits > 0 ? std::optional(*bits / 8) : std::nullopt;
}

/// The largest reference first.
std::vector<RatesPanel> panels_of(const ReportData& data) {
  std::map<std::pair<std::string, std::string>, RatesPanel> panels;
  for (const Entry* entry : data.settled(kFamily)) {
    const auto rate = number(entry->record.state.point, "sa_rate");
    if (!rate || !bytes_per_base(*entry)) continue;
    RatesPanel& panel = panels[{entry->device_name, entry->record.state.problem.to_string()}];
    panel.title = fmt::format("{}: {}", entry->device_name, problem_name(*entry));
    panel.reference_bases = reference_bases(entry->record).value_or(0);
    keep_fastest(panel.fastest, {series_of(*entry), *rate}, entry);
  }
  std::vector<RatesPanel> list;
  list.reserve(panels.size());
  for (auto& [key, panel] : panels) list.push_back(std::move(panel));
  std::ranges::stable_sort(list, std::ranges::greater(), &RatesPanel::reference_bases);
  return list;
}

chart::Mark mark_of(const ReportData& data, const Entry& entry, const std::string& series, double sa_rate) {
  const Rate rate = rate_of(entry);
  const auto& ceiling = entry.record.ceiling.value;
  chart::Mark mark{.x = *bytes_per_base(entry),
                   .y = rate.value,
                   .low = rate.low,
                   .high = rate.high,
                   .series = series,
                   .ceiling = ceiling ? ceiling->rate : 0,
                   .label = fmt::format("{}", sa_rate),
                   .record = data.index_of(entry),
                   .tips = tips_of(entry, rate, Unit::number_si)};
  mark.tips.emplace_back("Index with samples", fmt::format("{:.3g} bytes a base", mark.x));
  return mark;
}

// What positions a second cost in bytes, by how far samples are apart and in which order they are taken.
Drawing draw_rates(const Figure& figure, const ReportData& data, const Published&) {
  const std::vector<RatesPanel> sources = panels_of(data);
  if (sources.empty())
    return not_drawn(why_none(data, kFamily, "a rate of samples and the bytes that its index takes"));
  chart::LineChart chart{.x = {.title = "index with its samples (bytes a base)",
                               .unit = Unit::number,
                               .log = true,
                               .ticks = {0.25, 0.5, 1, 2, 4, 8}},
                         .y = {.title = "positions per second", .unit = Unit::number_si, .log = true},
                         .series_title = "variant, order of samples"};
  std::vector<const Entry*> used;
  std::set<std::string> series;
  for (const RatesPanel& source : sources) {
    if (chart.panels.size() == kMostPanels) break;
    chart::Panel panel{.title = source.title};
    for (const auto& [key, entry] : source.fastest) {
      panel.marks.push_back(mark_of(data, *entry, key.first, key.second));
      series.insert(key.first);
      used.push_back(entry);
    }
    chart.panels.push_back(std::move(panel));
  }
  chart.series.assign(series.begin(), series.end());
  std::vector<std::string> notes{
      "Numbers: suffixes a sample (sa_rate), each with its fastest point. Ticks: their ceilings."};
  note_left_out(chart.panels.size(), sources.size(), "panels, the largest references", notes);
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace

Figure rates() {
  return {"fm-locate/rates", "Positions located over the bytes of the index", kHeading,
          "How many suffixes a sample may stand for within so many bytes, and whether samples of the text or "
          "of rows are worth them.",
          draw_rates};
}

}  // namespace gpuseq::reports::fm_locate
