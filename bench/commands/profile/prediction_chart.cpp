#include "bench/commands/profile/prediction_chart.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gpuseq::bench {
namespace {

using chart::LineChart;
using chart::Panel;

std::string title_of(const PredictedContest& contest) {
  return fmt::format("{}, {}: rank correlation {:.2f}, median error {:.1f} %, regret {:.1f} %",
                     contest.problem_label, contest.name_there, contest.accuracy->rank_correlation,
                     100 * contest.accuracy->median_error, 100 * contest.accuracy->regret);
}

Panel panel_of(const PredictedContest& contest) {
  Panel panel{.title = title_of(contest)};
  for (std::size_t i = 0; i < contest.ranking.size(); ++i) {
    const Prediction& one = contest.ranking[i];
    if (!contest.measured[i]) continue;
    panel.marks.push_back({.x = one.rate,
                           .y = *contest.measured[i] / one.rate,
                           .series = one.state.variant,
                           .tips = {{"Variant", one.state.variant}, {"Point", one.state.point.to_string()}}});
  }
  return panel;
}

}  // namespace

LineChart prediction_chart(std::span<const PredictedContest> contests) {
  LineChart chart{.heading = {.title = "Rates that were predicted from the machine's probes",
                              .notes = {"Each mark: a point of the space. Its rate elsewhere and the bounds "
                                        "of both machines predict it."},
                              .description = "Measured rate over predicted rate, by predicted rate"},
                  .x = {.title = "predicted rate", .unit = Unit::number_si, .log = true},
                  .y = {.title = "measured / predicted", .unit = Unit::ratio, .log = true},
                  .series_title = "variant",
                  .guides = {{.vertical = false, .at = 1, .label = "as predicted"}},
                  .connected = false};
  for (const PredictedContest& contest : contests) {
    if (!contest.accuracy) continue;
    chart.panels.push_back(panel_of(contest));
    for (const chart::Mark& mark : chart.panels.back().marks)
      if (std::ranges::find(chart.series, mark.series) == chart.series.end())
        chart.series.push_back(mark.series);
  }
  return chart;
}

}  // namespace gpuseq::bench
