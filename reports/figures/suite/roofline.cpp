#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/figure_tools.hpp"
#include "reports/figures/suite/figures.hpp"
#include "reports/terms.hpp"

namespace gpuseq::reports::suite {
namespace {

using chart::LineChart;
using chart::Mark;
using chart::Panel;

/// Memory that a launch touches at random: what its ceiling was read at.
std::optional<double> footprint_of(const results::Record& record) {
  if (record.traffic && record.traffic->footprint_bytes > 0)
    return static_cast<double>(record.traffic->footprint_bytes);
  for (const char* fact : {"index_bytes", "footprint_bytes"})
    if (const auto bytes = number(record.facts, fact); bytes && *bytes > 0) return bytes;
  return std::nullopt;
}

bool has_place(const Entry& entry) {
  return entry.record.ceiling.value && entry.record.ceiling.value->fraction > 0 && footprint_of(entry.record);
}

/// The fastest record of each variant stands out in its panel.
using Leaders = std::map<std::string, const Entry*>;

/// Records of one panel: of one device on one problem with one prefix table or kind of result.
std::string panel_of(const Entry& entry) {
  return fmt::format("{} {} {} {}", entry.device_name, entry.record.state.family,
                     entry.record.state.problem.to_string(), point_words(entry));
}

std::string contest_of(const Entry& entry) {
  return panel_of(entry) + " " + entry.record.state.variant;
}

std::string title_of(const Entry& entry, std::size_t families) {
  const std::string problem = with_point_words(problem_name(entry), entry);
  return families > 1 ? fmt::format("{}: {}: {}", entry.device_name, entry.record.state.family, problem)
                      : fmt::format("{}: {}", entry.device_name, problem);
}

/// The panels with the most records, as many as one figure shows.
std::vector<Panel> largest_panels(std::map<std::string, Panel>&& panels) {
  std::vector<Panel> list;
  list.reserve(panels.size());
  for (auto& [key, panel] : panels) list.push_back(std::move(panel));
  std::stable_sort(list.begin(), list.end(),
                   [](const Panel& a, const Panel& b) { return a.marks.size() > b.marks.size(); });
  if (list.size() > kMostPanels) list.resize(kMostPanels);
  return list;
}

Mark mark(const ReportData& data, const Entry& entry, const std::string& series, bool minor) {
  const results::Ceiling& ceiling = *entry.record.ceiling.value;
  const Rate rate = rate_of(entry, 1 / ceiling.rate);
  return {.x = *footprint_of(entry.record),
          .y = ceiling.fraction,
          .low = minor ? 0 : rate.low,
          .high = minor ? 0 : rate.high,
          .series = series,
          .synthetic = is_synthetic(entry) && !minor,
          .minor = minor,
          .record = data.index_of(entry),
          .tips = tips_of(entry, rate, Unit::share)};
}

/// Names of variants; with the family before them where there are several.
std::string series_of(const Entry& entry, std::size_t families) {
  const results::StateKey& state = entry.record.state;
  return families > 1 ? fmt::format("{}: {}", state.family, state.variant) : state.variant;
}

// Every kernel record against the rate that the probes of its run allow at its footprint.
Drawing draw_roofline(const Figure& figure, const ReportData& data, const Published&) {
  std::vector<const Entry*> used;
  std::set<std::string> families, series;
  Leaders leaders;
  for (const std::string& family : data.kernel_families())
    for (const Entry* entry : data.settled(family)) {
      if (entry->record.kind != "kernel" || !has_place(*entry)) continue;
      used.push_back(entry);
      families.insert(family);
      keep_fastest(leaders, contest_of(*entry), entry);
    }
  if (used.empty()) return not_drawn(why_none_of_kernels(data, "a ceiling and a footprint"));
  std::map<std::string, Panel> panels;
  for (const Entry* entry : used) {
    Panel& panel = panels[panel_of(*entry)];
    panel.title = title_of(*entry, families.size());
    const std::string name = series_of(*entry, families.size());
    panel.marks.push_back(mark(data, *entry, name, leaders.at(contest_of(*entry)) != entry));
  }
  const std::size_t all_panels = panels.size();
  LineChart chart{.x = {.title = "memory footprint of the kernel", .unit = Unit::bytes, .log = true},
                  .y = {.title = "rate as a share of its ceiling", .unit = Unit::share},
                  .series_title = "variant",
                  .guides = {{.vertical = false, .at = 1, .label = "ceiling"}},
                  .connected = false};
  chart.panels = largest_panels(std::move(panels));
  std::vector<const Entry*> shown;
  for (const Panel& panel : chart.panels)
    for (const Mark& of_record : panel.marks) {
      series.insert(of_record.series);
      shown.push_back(&data.entries[*of_record.record]);
    }
  chart.series.assign(series.begin(), series.end());
  std::vector<std::string> notes{
      "Large: the fastest record of a variant; small: every other. What lies above the line refutes its "
      "ceiling."};
  note_left_out(chart.panels.size(), all_panels, "problems, those with the most records", notes);
  chart.heading = heading(figure, data, shown, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace

Figure roofline() {
  return {"suite/roofline", "All kernels against the ceilings of their runs", kHeading,
          "The ceiling is what the probes of the same run allow at the kernel's footprint and block size.",
          draw_roofline};
}

}  // namespace gpuseq::reports::suite
