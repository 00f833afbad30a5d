#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/figure_tools.hpp"
#include "reports/figures/fm_index/figures.hpp"
#include "reports/figures/fm_index/points.hpp"
#include "reports/figures/fm_index/rows.hpp"

namespace gpuseq::reports::fm_index {
namespace {

using chart::RowChart;
using chart::RowPanel;

/// Panels of one problem each, with the fastest record of each variant with each prefix table on each device.
struct BestOfProblem {
  std::string title;
  double reference_bases = 0;
  std::map<std::pair<std::string, std::string>, const Entry*> fastest = {};  // contestant, device
};

std::vector<BestOfProblem> best_of_problems(const ReportData& data) {
  std::map<std::string, BestOfProblem> problems;
  for (const Entry* entry : data.settled("fm_index", Contestants::with_peers)) {
    BestOfProblem& problem = problems[entry->record.state.problem.to_string()];
    problem.title = problem_name(*entry);
    problem.reference_bases = reference_bases(entry->record).value_or(0);
    keep_fastest(problem.fastest, {with_point_words(contestant(*entry), *entry), entry->device_name}, entry);
  }
  std::vector<BestOfProblem> list;
  list.reserve(problems.size());
  for (auto& [key, problem] : problems) list.push_back(std::move(problem));
  std::stable_sort(list.begin(), list.end(), [](const BestOfProblem& a, const BestOfProblem& b) {
    return a.reference_bases > b.reference_bases;
  });
  return list;
}

chart::RowMark fact_mark(const Fact& fact, const std::string& series) {
  return {.row = fmt::format("{}, {}", fact.label, fact.device),
          .value = fact.value,
          .low = fact.value,
          .high = fact.value,
          .series = series,
          .label = format_value(fact.value, Unit::bases_per_s),
          .detail = fact.derived ? "from a ratio" : "",
          .tips = tips_of(fact, Unit::bases_per_s)};
}

// The best of each variant on each device.
Drawing draw_fig5(const Figure& figure, const ReportData& data, const Published& published) {
  RowChart chart{.value = {.title = "query bases per second", .unit = Unit::bases_per_s, .log = true},
                 .series_title = "device"};
  std::vector<const Entry*> used;
  std::set<std::string> devices;
  const auto facts = published.find(figure.name, "value");
  const std::string published_series = fmt::format("published ({})", papers_of(facts));
  const std::vector<BestOfProblem> problems = best_of_problems(data);
  for (const BestOfProblem& problem : problems) {
    if (chart.panels.size() == kMostPanels) break;
    RowPanel panel{.title = problem.title};
    for (const auto& [key, entry] : problem.fastest) {
      panel.marks.push_back(rate_mark(data, fmt::format("{}, {}", key.first, key.second), *entry));
      devices.insert(entry->device_name);
      used.push_back(entry);
    }
    if (chart.panels.empty())  // beside the reference that is nearest in size to the paper's human genome
      for (const Fact* fact : facts) panel.marks.push_back(fact_mark(*fact, published_series));
    sort_rows(panel);
    chart.panels.push_back(std::move(panel));
  }
  if (used.empty()) return not_drawn(why_none(data, "fm_index", "a rate"));
  chart.series.assign(devices.begin(), devices.end());
  const bool one_size = problems.front().reference_bases == problems.back().reference_bases;
  std::vector<std::string> notes{fmt::format("The fastest point of each variant with each prefix table{}.",
                                             one_size ? "" : "; the largest reference comes first")};
  note_left_out(chart.panels.size(), problems.size(), "problems", notes);
  if (!facts.empty()) {
    chart.series.push_back(published_series);
    notes.push_back(fmt::format("Published, in grey: human genome of 3 Gbases, {}.", credit(facts)));
  }
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace

Figure fig5() {
  return {"fm-index/fig5", "Best rate of each variant and device", kHeading,
          "The rate of the fastest point of each variant.", draw_fig5};
}

}  // namespace gpuseq::reports::fm_index
