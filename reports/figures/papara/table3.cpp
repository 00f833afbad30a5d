#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/figures/papara/figures.hpp"
#include "reports/figures/papara/points.hpp"

namespace gpuseq::reports::papara {
namespace {

using chart::RowChart;
using chart::RowMark;
using chart::RowPanel;

constexpr const char* kAlone = "a part alone";

/// Records of one problem: the hybrid one, and the fastest of each part alone.
struct Dataset {
  const Entry* hybrid = nullptr;
  const Entry* cpu = nullptr;
  const Entry* gpu = nullptr;
};

void keep(const Entry*& kept, const Entry* entry) {
  if (!kept || entry->record.statistics->rate > kept->record.statistics->rate) kept = entry;
}

/// By problem, those with a hybrid record; the largest first.
std::vector<Dataset> datasets_of(const ReportData& data) {
  std::map<std::string, Dataset> by_problem;
  for (const Entry* entry : data.settled("papara")) {
    Dataset& dataset = by_problem[entry->record.state.problem.to_string()];
    keep(is_hybrid(*entry) ? dataset.hybrid : on_gpu(*entry) ? dataset.gpu : dataset.cpu, entry);
  }
  std::vector<Dataset> datasets;
  for (const auto& [problem, dataset] : by_problem)
    if (dataset.hybrid) datasets.push_back(dataset);
  std::stable_sort(datasets.begin(), datasets.end(), [](const Dataset& a, const Dataset& b) {
    return a.hybrid->record.work.amount > b.hybrid->record.work.amount;
  });
  return datasets;
}

/// `share` of the rate of a record.
RowMark mark_of(const ReportData& data, std::string row, const Entry& entry, double share,
                const std::string& series, std::string detail) {
  const Rate rate = rate_of(entry, share / kGiga);
  return {.row = std::move(row),
          .value = rate.value,
          .low = rate.low,
          .high = rate.high,
          .series = series,
          .label = format_value(rate.value, Unit::number),
          .detail = std::move(detail),
          .record = data.index_of(entry),
          .tips = gcups_tips(entry)};
}

/// "94 % of the parts alone, 2 % of the time waited"
std::string whole_detail(const Dataset& dataset) {
  std::string detail;
  if (dataset.cpu && dataset.gpu)
    detail = fmt::format(
        "{} of the sum of its parts alone",
        format_value(dataset.hybrid->record.statistics->rate /
                         (dataset.cpu->record.statistics->rate + dataset.gpu->record.statistics->rate),
                     Unit::share));
  if (const auto imbalance = number(dataset.hybrid->record.facts, "imbalance"))
    detail +=
        fmt::format("{}imbalance {}", detail.empty() ? "" : ", ", format_value(*imbalance, Unit::share));
  return detail;
}

void add_hybrid(const ReportData& data, const Dataset& dataset, RowPanel& panel) {
  const Entry& hybrid = *dataset.hybrid;
  panel.marks.push_back(mark_of(data, "CPU and GPU", hybrid, 1, hybrid.device_name, whole_detail(dataset)));
  for (const auto& [part, fact] : {std::pair("CPU", "cpu_share"), std::pair("GPU", "gpu_share")})
    if (const auto share = number(hybrid.record.facts, fact); share && *share > 0)
      panel.marks.push_back(mark_of(data, fmt::format("of this, {}", part), hybrid, *share,
                                    hybrid.device_name,
                                    fmt::format("{} of the cells", format_value(*share, Unit::share))));
  for (const Entry* alone : {dataset.cpu, dataset.gpu})
    if (alone)
      panel.marks.push_back(mark_of(data, fmt::format("{} alone", on_gpu(*alone) ? "GPU" : "CPU"), *alone, 1,
                                    kAlone, alone->record.state.variant));
}

/// The published values of the dataset with these references.
void add_published(const std::vector<const Fact*>& facts, const Entry& hybrid, const std::string& series,
                   RowPanel& panel) {
  const auto shape = shape_of(hybrid);
  for (const Fact* fact : facts) {
    if (!shape || number(fact->at, "sites") != shape->sites) continue;
    panel.marks.push_back({.row = fact->label,
                           .value = fact->value,
                           .low = fact->value,
                           .high = fact->value,
                           .series = series,
                           .label = format_value(fact->value, Unit::number),
                           .tips = gcups_tips(*fact)});
  }
}

// What CPU and GPUs do together, and of that each.
Drawing draw(const Figure& figure, const ReportData& data, const Published& published) {
  RowChart chart{.value = {.title = "GCUPS (1e9 cells a second)", .unit = Unit::number, .log = true},
                 .series_title = "source"};
  const auto facts = published.find(figure.name, "value");
  const std::string theirs = fmt::format("published ({})", papers_of(facts));
  std::vector<const Entry*> used;
  std::set<std::string> series;
  for (const Dataset& dataset : datasets_of(data)) {
    if (chart.panels.size() == kMostPanels) break;
    RowPanel panel{.title = problem_name(*dataset.hybrid)};
    add_hybrid(data, dataset, panel);
    for (const Entry* entry : {dataset.hybrid, dataset.cpu, dataset.gpu})
      if (entry) used.push_back(entry);
    add_published(facts, *dataset.hybrid, theirs, panel);
    for (const RowMark& mark : panel.marks) {
      panel.rows.push_back(mark.row);
      series.insert(mark.series);
    }
    chart.panels.push_back(std::move(panel));
  }
  if (used.empty()) return not_drawn(why_none(data, "papara", "the variant hybrid"));
  chart.series.assign(series.begin(), series.end());
  std::vector<std::string> notes{
      "A part's rate is its share of the cells over the time of the whole, waiting included."};
  if (series.contains(theirs))
    notes.push_back(fmt::format("Grey: published, {}, cells of the band.", credit(facts)));
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace

Figure table3() {
  return {"papara/table3", "CPU and GPU together", kHeading,
          "What sharing the work between CPU and GPU gains over either, who did how much, and how long they "
          "waited for "
          "each other.",
          draw};
}

}  // namespace gpuseq::reports::papara
