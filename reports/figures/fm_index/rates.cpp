#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/figure_tools.hpp"
#include "reports/figures/fm_index/figures.hpp"
#include "reports/figures/fm_index/points.hpp"

namespace gpuseq::reports::fm_index {
namespace {

using chart::LineChart;
using chart::Quantity;

constexpr std::size_t kMostSeries = 8;

/// (series, x) -> the fastest record there.
using Fastest = std::map<std::pair<std::string, double>, const Entry*>;

/// A chart of rates out of prepared curves, or what was needed and is not there.
Drawing rate_lines(const Figure& figure, const ReportData& data, const Published& published, FmCurves curves,
                   Quantity x, const char* series_title, std::vector<std::string> notes, const char* need) {
  if (curves.panels.empty()) return {std::nullopt, why_none(data, "fm_index", need)};
  LineChart chart{.x = std::move(x),
                  .y = {.title = "query bases per second", .unit = Unit::bases_per_s},
                  .series_title = series_title};
  chart.panels = std::move(curves.panels);
  chart.series = natural_order({curves.series.begin(), curves.series.end()});
  add_guides(figure, published, chart, notes);
  chart.heading = heading(figure, data, curves.used, std::move(notes));
  return {chart::draw(chart), ""};
}

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

/// Records by device and kind of query: what is compared over reference sizes.
std::map<std::string, std::vector<const Entry*>> by_device_and_queries(const ReportData& data) {
  std::map<std::string, std::vector<const Entry*>> groups;
  for (const Entry* entry : data.settled("fm_index")) {
    const Point& problem = entry->record.state.problem;
    if (!reference_bases(entry->record)) continue;
    std::string title = entry->device_name;
    if (const auto bases = number(problem, "query_bases"); bases && *bases > 0)
      title += fmt::format(": queries of {} bases", *bases);
    if (const auto percent = number(problem, "occurring_percent"); percent && *percent < 100)
      title += fmt::format(", {} % occur", *percent);
    groups[title].push_back(entry);
  }
  return groups;
}

/// Keeps the layouts that come closest to the best at some size, so that a figure of many stays readable.
void keep_leaders(Fastest& fastest) {
  std::map<double, double> best_at;
  for (const auto& [key, entry] : fastest)
    best_at[key.second] = std::max(best_at[key.second], entry->record.statistics->rate);
  std::map<std::string, double> closeness;
  for (const auto& [key, entry] : fastest)
    closeness[key.first] =
        std::max(closeness[key.first], entry->record.statistics->rate / best_at[key.second]);
  std::vector<std::string> names;
  for (const auto& [name, unused] : closeness) names.push_back(name);
  std::stable_sort(names.begin(), names.end(),
                   [&](const auto& a, const auto& b) { return closeness[a] > closeness[b]; });
  if (names.size() <= kMostSeries) return;
  const std::set<std::string> dropped(names.begin() + kMostSeries, names.end());
  std::erase_if(fastest, [&](const auto& item) { return dropped.contains(item.first.first); });
}

Quantity reference_axis() {
  return {.title = "reference size (bases)", .unit = Unit::number_si, .log = true};
}

}  // namespace

// Figure 6: rate over active threads, at the layout that was measured at the most of them.
Drawing threads(const Figure& figure, const ReportData& data, const Published& published) {
  FmCurves curves;
  for (const FmPanel& panel : fm_panels(data)) {
    const auto layout = layout_of_thread_sweep(panel);
    if (!layout) continue;
    Fastest fastest;
    for (const Entry* entry : panel.entries)
      if (const double threads = active_threads(*entry); threads > 0 && layout_of(*entry) == *layout)
        keep_fastest(fastest, {entry->record.state.variant, threads}, entry);
    add_curves(data, curves, fmt::format("{}, {}", panel.title(), to_string(*layout)), fastest, 2);
  }
  return rate_lines(figure, data, published, std::move(curves),
                    {.title = "active threads on the device", .unit = Unit::number_si, .log = true},
                    "variant", {}, "two or more values of active_threads");
}

// Figure 7: rate over sampling distance, the best of each scheme on the 1-step index.
Drawing schemes(const Figure& figure, const ReportData& data, const Published& published) {
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

// Figure 8: rate over reference size on the 1-step index, by sampling distance.
Drawing reference_size(const Figure& figure, const ReportData& data, const Published& published) {
  FmCurves curves;
  for (const auto& [title, entries] : by_device_and_queries(data)) {
    Fastest fastest;
    for (const Entry* entry : entries)
      if (const FmLayout layout = layout_of(*entry);
          layout.k == 1 && layout.d > 0 && entry->record.state.variant != "one_hot")
        keep_fastest(fastest, {fmt::format("d={}", layout.d), *reference_bases(entry->record)}, entry);
    keep_leaders(fastest);
    add_curves(data, curves, title, fastest, 2);
  }
  return rate_lines(figure, data, published, std::move(curves), reference_axis(), "sampling distance",
                    {"k = 1, sampled index; the best variant at each point."},
                    "two or more reference sizes at k=1");
}

// Figure 9: rate over reference size by k, d and counters.
Drawing layouts(const Figure& figure, const ReportData& data, const Published& published) {
  FmCurves curves;
  std::set<std::string> all;
  for (const auto& [title, entries] : by_device_and_queries(data)) {
    Fastest fastest;
    for (const Entry* entry : entries) {
      const std::string one_hot = entry->record.state.variant == "one_hot" ? "one-hot " : "";
      const std::string name = one_hot + to_string(layout_of(*entry));
      all.insert(name);
      keep_fastest(fastest, {name, *reference_bases(entry->record)}, entry);
    }
    keep_leaders(fastest);
    add_curves(data, curves, title, fastest, 2);
  }
  std::vector<std::string> notes{"The best variant at each point."};
  if (all.size() > curves.series.size())
    notes.push_back(
        fmt::format("{} of {} layouts: in each panel the {} that come closest to the best at some size.",
                    curves.series.size(), all.size(), kMostSeries));
  return rate_lines(figure, data, published, std::move(curves), reference_axis(), "layout", std::move(notes),
                    "two or more reference sizes");
}

}  // namespace gpuseq::reports::fm_index
