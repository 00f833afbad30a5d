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

std::string scheme_of(const std::string& variant, const FmLayout& layout) {
  return fmt::format("{}, k={}{}", variant, layout.k, layout.counters == "alternate" ? " alternate" : "");
}

/// "full_cooperative, k=1, 4 lanes": lanes share a query's work, and each executes instructions.
std::string row_of(const std::string& scheme, const Entry& entry) {
  const double lanes = number(entry.record.state.point, "lanes_per_query").value_or(1);
  return lanes > 1 ? fmt::format("{}, {} lanes", scheme, lanes) : scheme;
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
  /// @param of  what all have in common
  std::vector<RowPanel> panels(const std::string& of) && {
    std::vector<RowPanel> panels;
    for (auto& [d, panel] : by_distance) {
      panel.title = d > 0 ? fmt::format("d = {}: {}", d, of) : of;
      panel.rows = natural_order(std::move(panel.rows));
      panels.push_back(std::move(panel));
    }
    return panels;
  }
};

bool has_instructions(const results::Record& record) {
  return record.counters.value && record.counters.value->contains(kInstructions) && record.work.amount > 0;
}

/// The records with counted instructions on one problem with one prefix table: the largest reference, as the
/// paper's is a whole genome, and of its tables none, as in the paper, or the smallest that there is.
std::vector<const Entry*> counted_problem(const ReportData& data) {
  std::vector<const Entry*> chosen;
  const auto rank = [](const Entry& entry) {
    return std::pair(reference_bases(entry.record).value_or(0),
                     -number(entry.record.state.point, "prefix_symbols").value_or(0));
  };
  for (std::vector<const Entry*>& group :
       like_groups(data.settled("fm_index", Contestants::ours, has_instructions)))
    if (chosen.empty() || rank(*group.front()) > rank(*chosen.front())) chosen = std::move(group);
  return chosen;
}

struct CountedKey {
  std::string device, scheme, row;
  int d = 0;
  friend auto operator<=>(const CountedKey&, const CountedKey&) = default;
};
using Counted = std::map<CountedKey, const Entry*>;

/// The fastest of these records of each scheme, number of lanes and d. Where the schemes are many, those of
/// the paper and the fastest of the others.
Counted counted_instructions(const std::vector<const Entry*>& entries,
                             const std::vector<const Fact*>& facts) {
  Counted fastest;
  std::map<std::string, double> priority;
  for (const Entry* entry : entries) {
    const FmLayout layout = layout_of(*entry);
    const std::string scheme = scheme_of(entry->record.state.variant, layout);
    priority[scheme] = std::max(priority[scheme], entry->record.statistics->rate);
    keep_fastest(fastest, {entry->device_name, scheme, row_of(scheme, *entry), layout.d}, entry);
  }
  for (const Fact* fact : facts) priority[scheme_of(text(fact->at, "variant"), layout_of(*fact))] = INFINITY;
  std::vector<std::string> schemes;
  for (const auto& [scheme, unused] : priority) schemes.push_back(scheme);
  std::stable_sort(schemes.begin(), schemes.end(),
                   [&](const auto& a, const auto& b) { return priority[a] > priority[b]; });
  if (schemes.size() > kMostSchemes) {
    const std::set<std::string> dropped(schemes.begin() + kMostSchemes, schemes.end());
    std::erase_if(fastest, [&](const auto& item) { return dropped.contains(item.first.scheme); });
  }
  return fastest;
}

// Warp instructions per query base.
Drawing draw_table2(const Figure& figure, const ReportData& data, const Published& published) {
  const auto facts = published.find(figure.name, "value");
  const std::vector<const Entry*> entries = counted_problem(data);
  const Counted counted = counted_instructions(entries, facts);
  if (counted.empty()) return not_drawn(why_none(data, "fm_index", "the counter sm__inst_executed.sum"));
  InstructionPanels panels;
  std::vector<const Entry*> used;
  std::set<std::string> devices;
  for (const auto& [key, entry] : counted) {
    const double value = entry->record.counters.value->at(kInstructions) / entry->record.work.amount;
    chart::Tips tips = tips_of(*entry, rate_of(*entry), Unit::bases_per_s);
    tips.insert(tips.begin(), {"Instructions", fmt::format("{} a base", format_value(value, Unit::number))});
    panels.add(key.d, {.row = key.row,
                       .value = value,
                       .series = key.device,
                       .record = data.index_of(*entry),
                       .tips = std::move(tips)});
    devices.insert(key.device);
    used.push_back(entry);
  }
  RowChart chart{
      .value = {.title = "warp instructions per query base"}, .bars = true, .series_title = "source"};
  chart.series.assign(devices.begin(), devices.end());
  std::vector<std::string> notes{
      "sm__inst_executed.sum over the query bases of one launch, at the fastest point of each scheme and "
      "number of "
      "lanes."};
  if (!facts.empty()) {
    chart.series.push_back(fmt::format("published, {}", facts.front()->device));
    notes.push_back(fmt::format("Grey: published, {}.", credit(facts)));
  }
  for (const Fact* fact : facts) {
    const FmLayout layout = layout_of(*fact);
    panels.add(layout.d, {.row = scheme_of(text(fact->at, "variant"), layout),
                          .value = fact->value,
                          .series = chart.series.back(),
                          .tips = tips_of(*fact, Unit::number)});
  }
  chart.panels = std::move(panels).panels(with_point_words(problem_name(*entries.front()), *entries.front()));
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace

Figure table2() {
  return {"fm-index/table2",
          "Warp instructions per query base",
          kHeading,
          "What a base costs in instructions, by scheme and lanes of a query; a prefix table would save the "
          "first of "
          "them.",
          draw_table2,
          /*of_samples=*/false};
}

}  // namespace gpuseq::reports::fm_index
