#include "reports/comparison/history_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/chart.hpp"
#include "reports/comparison/words.hpp"
#include "runtime/errors.hpp"

namespace gpuseq::comparison {
namespace {

namespace chart = reports::chart;

constexpr std::size_t kMostSeries = 6;
constexpr std::size_t kMostLabels = 5;  // of commits along an axis
constexpr double kStepWidth = 0.06;     // of the line that marks a step, in commits

/// Places of commits on the axis, from 1 in the order of their first date. Entries without a commit stand
/// for themselves, by date.
struct Commits {
  std::map<std::string, double> places;
  std::vector<std::string> names;
};

std::string commit_of(const HistoryEntry& entry) {
  return entry.commit.empty() ? entry.date : entry.commit;
}

Commits commits_of(const std::vector<HistorySeries>& series) {
  std::map<std::string, std::string> first;
  for (const HistorySeries& one : series)
    for (const HistoryEntry& entry : one.entries) {
      const auto [found, added] = first.emplace(commit_of(entry), entry.date);
      if (!added) found->second = std::min(found->second, entry.date);
    }
  std::vector<std::pair<std::string, std::string>> by_date;
  for (const auto& [commit, date] : first) by_date.emplace_back(date, commit);
  std::sort(by_date.begin(), by_date.end());
  Commits commits;
  for (const auto& [date, commit] : by_date) {
    commits.names.push_back(commit.substr(0, 7));
    commits.places[commit] = static_cast<double>(commits.names.size());
  }
  return commits;
}

chart::Quantity axis_of(const Commits& commits) {
  const std::size_t count = commits.names.size(), step = (count + kMostLabels - 1) / kMostLabels;
  chart::Quantity axis{.title = "commit"};
  for (std::size_t i = 0; i < count; i += step) axis.ticks.push_back(static_cast<double>(i + 1));
  axis.labels = nlohmann::json(commits.names).dump() + "[datum.value - 1]";
  return axis;
}

/// "one_hot_simd, reference_bases=1000000, k=2 on AMD EPYC" would be too long: the variant names the panel,
/// and what else tells it apart from the other panels stands in its tooltip.
chart::Panel panel_of(const HistorySeries& series, const Commits& commits, const std::string& title) {
  chart::Panel panel{.title = title};
  const double level = series.steps.empty() ? series.entries.front().median_s : series.steps.front().before;
  for (const HistoryEntry& entry : series.entries)
    panel.marks.push_back({.x = commits.places.at(commit_of(entry)),
                           .y = entry.median_s / level,
                           .low = entry.low_s / level,
                           .high = entry.high_s / level,
                           .series = "median",
                           .tips = {{"Time", change(entry.median_s / level)},
                                    {"Commit", entry.commit},
                                    {"Date", entry.date},
                                    {"State", entry.state},
                                    {"Device", entry.device_name}}});
  for (const results::Step& step : series.steps) {
    const double at = commits.places.at(commit_of(series.entries[step.place])) - 0.5;
    panel.bands.push_back({at - kStepWidth / 2, at + kStepWidth / 2, change(step.after / step.before)});
  }
  return panel;
}

}  // namespace

nlohmann::ordered_json draw_history(const std::vector<HistorySeries>& series) {
  if (series.empty()) throw UsageError("no state of the history is chosen, so there is nothing to draw");
  const std::vector<HistorySeries> drawn(
      series.begin(), series.begin() + static_cast<std::ptrdiff_t>(std::min(series.size(), kMostSeries)));
  const Commits commits = commits_of(drawn);
  chart::LineChart picture;
  picture.heading.title = "Times over commits";
  picture.heading.notes = {
      "Relative to the level before the first step, with intervals; shaded lines: steps."};
  if (drawn.size() < series.size())
    picture.heading.notes.push_back(
        fmt::format("{} of {} states, those with the largest steps.", drawn.size(), series.size()));
  picture.heading.description = "Relative time of states over commits, with steps.";
  picture.x = axis_of(commits);
  picture.y = {.title = "relative time"};
  picture.series_title = "state";
  picture.series = {"median"};
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    picture.panels.push_back(panel_of(drawn[i], commits, fmt::format("({})", i + 1)));
    picture.heading.notes.push_back(fmt::format("({}) {}", i + 1, drawn[i].entries.front().state));
  }
  return chart::draw(picture);
}

}  // namespace gpuseq::comparison
