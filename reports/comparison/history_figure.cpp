#include "reports/comparison/history_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "reports/charts/chart.hpp"
#include "reports/comparison/words.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::comparison {
namespace {

namespace chart = reports::chart;

constexpr std::size_t kMostSeries = 6;
constexpr std::size_t kMostLabels = 5;     // of commits along an axis
constexpr double kStepWidth = 0.3;         // of the line that marks a step, in commits
constexpr double kMostTicks = 18;          // of relative time
constexpr std::size_t kTitleLetters = 66;  // of a panel

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
  by_date.reserve(first.size());
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

/// Parts of the name of a state: family, variant, and its axes with their values.
std::vector<std::string> parts_of(const std::string& state) {
  std::vector<std::string> parts(1);
  for (const char c : state) {
    if (c != '/' && c != ',')
      parts.back().push_back(c);
    else if (!parts.back().empty())
      parts.emplace_back();
  }
  return parts;
}

/// What the states have in common, for a note, and what tells each apart, for the title of its panel.
struct Names {
  std::string common;
  std::vector<std::string> own;
};

std::string joined(const std::vector<std::string>& parts, const std::set<std::string>& of, bool within) {
  std::string text;
  for (const std::string& part : parts)
    if (of.contains(part) == within) text.append(text.empty() ? "" : ", ").append(part);
  return text;
}

Names names_of(const std::vector<HistorySeries>& drawn) {
  std::set<std::string> common;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const std::vector<std::string> parts = parts_of(drawn[i].entries.front().state);
    const std::set<std::string> here(parts.begin(), parts.end());
    if (i == 0) common = here;
    std::erase_if(common, [&](const std::string& part) { return !here.contains(part); });
  }
  Names names;
  for (const HistorySeries& series : drawn) {
    const std::vector<std::string> parts = parts_of(series.entries.front().state);
    if (names.common.empty()) names.common = joined(parts, common, true);
    std::string own = joined(parts, common, false);
    if (own.empty()) own = series.entries.front().device_name;
    if (own.size() > kTitleLetters) own.replace(kTitleLetters - 3, own.npos, "...");
    names.own.push_back(std::move(own));
  }
  return names;
}

/// Logarithmic, so that the same factor is the same distance and the axis need not begin at 0.
chart::Quantity times_of(const std::vector<chart::Panel>& panels) {
  double low = 1, high = 1;
  for (const chart::Panel& panel : panels)
    for (const chart::Mark& mark : panel.marks) {
      low = std::min(low, mark.low);
      high = std::max(high, mark.high);
    }
  // Panels have ranges of their own but labels in common: as close as the widest range allows.
  double step = 0.01;
  for (const double wider : {0.02, 0.05, 0.1, 0.2, 0.5, 1.0})
    if ((high - low) / step > kMostTicks) step = wider;
  chart::Quantity times{.title = "relative time", .log = true};
  if ((high - low) / step > kMostTicks) return times;  // the chart chooses decades
  const double first = std::ceil(low * 0.9 / step), behind = std::ceil(high * 1.1 / step);
  for (int i = 0; first + i < behind; ++i) times.ticks.push_back(step * (first + i));
  return times;
}

chart::Panel panel_of(const HistorySeries& series, const Commits& commits, const std::string& title) {
  chart::Panel panel{.title = title};
  const double level = series.steps.empty() ? series.entries.front().median_s : series.steps.front().before;
  for (const HistoryEntry& entry : series.entries)
    panel.marks.push_back({.x = commits.places.at(commit_of(entry)),
                           .y = entry.median_s / level,
                           .low = (entry.interval ? entry.interval->low : entry.median_s) / level,
                           .high = (entry.interval ? entry.interval->high : entry.median_s) / level,
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

chart::LineChart draw_history(const std::vector<HistorySeries>& series) {
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
  picture.series_title = "time";
  picture.series = {"median"};
  const Names names = names_of(drawn);
  picture.heading.notes.push_back(fmt::format("All: {}.", names.common));
  for (std::size_t i = 0; i < drawn.size(); ++i)
    picture.panels.push_back(panel_of(drawn[i], commits, names.own[i]));
  picture.y = times_of(picture.panels);
  return picture;
}

}  // namespace gpuseq::comparison
