#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "reports/figure_tools.hpp"
#include "reports/figures/fm_index/figures.hpp"
#include "reports/figures/fm_index/points.hpp"

namespace gpuseq::reports::fm_index {
namespace {

using chart::RowChart;
using chart::RowMark;
using chart::RowPanel;

constexpr const char* kInstructions = "sm__inst_executed.sum";
constexpr std::size_t kMostSchemes = 8;

RowMark rate_mark(const ReportData& data, std::string row, const Entry& entry) {
  const Rate rate = rate_of(entry);
  return {.row = std::move(row),
          .value = rate.value,
          .low = rate.low,
          .high = rate.high,
          .series = entry.device_name,
          .label = fmt::format("{}  {}{}", format_value(rate.value, Unit::bases_per_s),
                               to_string(layout_of(entry)), is_synthetic(entry) ? "  synthetic" : ""),
          .record = data.index_of(entry),
          .tips = tips_of(entry, rate, Unit::bases_per_s)};
}

void sort_rows(RowPanel& panel) {
  std::stable_sort(panel.marks.begin(), panel.marks.end(),
                   [](const RowMark& a, const RowMark& b) { return a.value > b.value; });
  for (const RowMark& mark : panel.marks) panel.rows.push_back(mark.row);
}

/// Panels of one problem each, with the fastest record of each variant on each device.
struct BestOfProblem {
  std::string title;
  double reference_bases = 0;
  std::map<std::pair<std::string, std::string>, const Entry*> fastest;  // variant, device
};

std::vector<BestOfProblem> best_of_problems(const ReportData& data) {
  std::map<std::string, BestOfProblem> problems;
  for (const FmPanel& panel : fm_panels(data))
    for (const Entry* entry : panel.entries) {
      BestOfProblem& problem = problems[entry->record.state.problem.to_string()];
      problem.title = panel.problem;
      problem.reference_bases = panel.reference_bases;
      keep_fastest(problem.fastest, {entry->record.state.variant, entry->device_name}, entry);
    }
  std::vector<BestOfProblem> list;
  for (auto& [key, problem] : problems) list.push_back(std::move(problem));
  std::stable_sort(list.begin(), list.end(), [](const BestOfProblem& a, const BestOfProblem& b) {
    return a.reference_bases > b.reference_bases;
  });
  return list;
}

std::string scheme_of(const std::string& variant, const FmLayout& layout) {
  return fmt::format("{}, k={}{}", variant, layout.k, layout.counters == "alternate" ? " alternate" : "");
}

/// Table 2 as it fills: a panel per sampling distance.
struct InstructionPanels {
  std::map<int, RowPanel> by_distance;

  void add(int d, RowMark mark) {
    RowPanel& panel = by_distance[d];
    if (std::find(panel.rows.begin(), panel.rows.end(), mark.row) == panel.rows.end())
      panel.rows.push_back(mark.row);
    mark.low = mark.high = mark.value;
    mark.label = format_value(mark.value, Unit::number);
    panel.marks.push_back(std::move(mark));
  }
  std::vector<RowPanel> panels() && {
    std::vector<RowPanel> panels;
    for (auto& [d, panel] : by_distance) {
      panel.title = fmt::format("d = {}", d);
      panel.rows = natural_order(std::move(panel.rows));
      panels.push_back(std::move(panel));
    }
    return panels;
  }
};

using Counted = std::map<std::tuple<std::string, std::string, int>, const Entry*>;  // device, scheme, d

/// The fastest record with counted instructions of each scheme and d. Where the schemes are many, those of
/// the paper and the fastest of the others.
Counted counted_instructions(const ReportData& data, const std::vector<const Fact*>& facts) {
  Counted fastest;
  std::map<std::string, double> priority;
  for (const Entry* entry : data.settled("fm_index")) {
    const FmLayout layout = layout_of(*entry);
    const auto& counters = entry->record.counters.value;
    if (!counters || !counters->contains(kInstructions) || entry->record.work.amount <= 0) continue;
    const std::string scheme = scheme_of(entry->record.state.variant, layout);
    priority[scheme] = std::max(priority[scheme], entry->record.statistics->rate);
    keep_fastest(fastest, {entry->device_name, scheme, layout.d}, entry);
  }
  for (const Fact* fact : facts) priority[scheme_of(text(fact->at, "variant"), layout_of(*fact))] = INFINITY;
  std::vector<std::string> schemes;
  for (const auto& [scheme, unused] : priority) schemes.push_back(scheme);
  std::stable_sort(schemes.begin(), schemes.end(),
                   [&](const auto& a, const auto& b) { return priority[a] > priority[b]; });
  if (schemes.size() > kMostSchemes) {
    const std::set<std::string> dropped(schemes.begin() + kMostSchemes, schemes.end());
    std::erase_if(fastest, [&](const auto& item) { return dropped.contains(std::get<1>(item.first)); });
  }
  return fastest;
}

}  // namespace

// Figure 5: the best of each variant on each device.
Drawing best(const Figure& figure, const ReportData& data, const Published& published) {
  RowChart chart{.value = {.title = "query bases per second", .unit = Unit::bases_per_s, .log = true},
                 .series_title = "device"};
  std::vector<const Entry*> used;
  std::set<std::string> devices;
  const auto facts = published.find(figure.name, "value");
  const std::string published_series = fmt::format("published ({})", published.paper);
  for (const BestOfProblem& problem : best_of_problems(data)) {
    if (chart.panels.size() == kMostPanels) break;
    RowPanel panel{.title = problem.title};
    for (const auto& [key, entry] : problem.fastest) {
      panel.marks.push_back(rate_mark(data, fmt::format("{}, {}", key.first, key.second), *entry));
      devices.insert(entry->device_name);
      used.push_back(entry);
    }
    if (chart.panels.empty())  // beside the reference that is nearest in size to the paper's human genome
      for (const Fact* fact : facts)
        panel.marks.push_back(
            {.row = fmt::format("{}, {}", fact->label, fact->device),
             .value = fact->value,
             .low = fact->value,
             .high = fact->value,
             .series = published_series,
             .label = format_value(fact->value, Unit::bases_per_s) + (fact->derived ? "  from a ratio" : ""),
             .tips = tips_of(*fact, published, Unit::bases_per_s)});
    sort_rows(panel);
    chart.panels.push_back(std::move(panel));
  }
  if (used.empty()) return {std::nullopt, why_none(data, "fm_index", "a rate")};
  chart.series.assign(devices.begin(), devices.end());
  std::vector<std::string> notes{"The fastest point of each variant; the largest reference comes first."};
  if (!facts.empty()) {
    chart.series.push_back(published_series);
    notes.push_back(fmt::format("Published, in grey: human genome of 3 Gbases, {} ({}).", published.paper,
                                facts.front()->source));
  }
  chart.heading = heading(figure, data, used, std::move(notes));
  return {chart::draw(chart), ""};
}

// Table 2: warp instructions per query base.
Drawing instructions(const Figure& figure, const ReportData& data, const Published& published) {
  const auto facts = published.find(figure.name, "value");
  const Counted counted = counted_instructions(data, facts);
  if (counted.empty()) return {std::nullopt, why_none(data, "fm_index", "the counter sm__inst_executed.sum")};
  InstructionPanels panels;
  std::vector<const Entry*> used;
  std::set<std::string> devices;
  for (const auto& [key, entry] : counted) {
    const auto& [device, scheme, d] = key;
    const double value = entry->record.counters.value->at(kInstructions) / entry->record.work.amount;
    chart::Tips tips = tips_of(*entry, rate_of(*entry), Unit::bases_per_s);
    tips.insert(tips.begin(), {"Instructions", fmt::format("{} a base", format_value(value, Unit::number))});
    panels.add(d, {.row = scheme,
                   .value = value,
                   .series = device,
                   .record = data.index_of(*entry),
                   .tips = std::move(tips)});
    devices.insert(device);
    used.push_back(entry);
  }
  RowChart chart{
      .value = {.title = "warp instructions per query base"}, .bars = true, .series_title = "source"};
  chart.series.assign(devices.begin(), devices.end());
  std::vector<std::string> notes{
      "sm__inst_executed.sum over the query bases of one launch, at the fastest point of each scheme."};
  if (!facts.empty()) {
    chart.series.push_back(fmt::format("published, {}", facts.front()->device));
    notes.push_back(fmt::format("Grey: published, {} ({}).", published.paper, facts.front()->source));
  }
  for (const Fact* fact : facts) {
    const FmLayout layout = layout_of(*fact);
    panels.add(layout.d, {.row = scheme_of(text(fact->at, "variant"), layout),
                          .value = fact->value,
                          .series = chart.series.back(),
                          .tips = tips_of(*fact, published, Unit::number)});
  }
  chart.panels = std::move(panels).panels();
  chart.heading = heading(figure, data, used, std::move(notes));
  return {chart::draw(chart), ""};
}

// Rates as fractions of what this run's probes allow.
Drawing ceilings(const Figure& figure, const ReportData& data, const Published&) {
  RowChart chart{.value = {.title = "fraction of the ceiling", .unit = Unit::share},
                 .series_title = "variant"};
  std::vector<const Entry*> used;
  std::set<std::string> variants;
  for (const FmPanel& source : fm_panels(data)) {
    std::map<std::string, const Entry*> fastest;
    for (const Entry* entry : source.entries)
      if (entry->record.ceiling.value) keep_fastest(fastest, entry->record.state.variant, entry);
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
  if (used.empty()) return {std::nullopt, why_none(data, "fm_index", "a ceiling")};
  chart.series.assign(variants.begin(), variants.end());
  chart.heading = heading(figure, data, used,
                          {"Thin ticks: every record; large mark: the fastest record of the variant, with "
                           "its rate. The ceiling is "
                           "blocks touched per base over the random-access bandwidth of this run."});
  return {chart::draw(chart), ""};
}

}  // namespace gpuseq::reports::fm_index
