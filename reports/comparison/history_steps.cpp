#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "reports/comparison/history.hpp"
#include "reports/comparison/words.hpp"
#include "reports/units.hpp"
#include "runtime/io/expression.hpp"

namespace gpuseq::comparison {
namespace {

double largest_step(const HistorySeries& series) {
  double largest = 0;
  for (const results::Step& step : series.steps)
    largest = std::max(largest, std::abs(std::log(step.after / step.before)));
  return largest;
}

std::string seconds(double value) {
  return reports::format_value(value, reports::Unit::seconds);
}

std::string line(const HistorySeries& series, const results::Step& step) {
  const HistoryEntry& entry = series.entries[step.place];
  return fmt::format("  {:>8}  {} -> {}  at commit {}, {}, confidence {:.3f}\n",
                     change(step.after / step.before), seconds(step.before), seconds(step.after),
                     entry.commit.empty() ? "(not recorded)" : entry.commit.substr(0, 10), entry.date,
                     step.confidence);
}

}  // namespace

std::vector<HistorySeries> history_series(const std::vector<HistoryEntry>& entries, const std::string& state,
                                          double confidence) {
  const Expression wanted(state, "--state ");
  std::map<std::pair<std::string, std::string>, HistorySeries> by_state;
  for (const HistoryEntry& entry : entries)
    if (wanted.is_in(entry.state)) by_state[{entry.state, entry.device_hash}].entries.push_back(entry);
  std::vector<HistorySeries> all;
  for (auto& [key, series] : by_state) {
    std::stable_sort(series.entries.begin(), series.entries.end(),
                     [](const HistoryEntry& a, const HistoryEntry& b) { return a.date < b.date; });
    std::vector<double> medians;
    for (const HistoryEntry& entry : series.entries) medians.push_back(entry.median_s);
    series.steps = results::find_steps(medians, confidence);
    all.push_back(std::move(series));
  }
  std::stable_sort(all.begin(), all.end(), [](const HistorySeries& a, const HistorySeries& b) {
    return largest_step(a) > largest_step(b);
  });
  return all;
}

std::string to_text(const std::vector<HistorySeries>& series) {
  std::string text;
  std::set<std::string> commits;
  std::size_t steps = 0;
  for (const HistorySeries& one : series) {
    for (const HistoryEntry& entry : one.entries) commits.insert(entry.commit);
    steps += one.steps.size();
    if (one.steps.empty()) continue;
    text += fmt::format("{} ({})\n", one.entries.front().state, one.entries.front().device_name);
    for (const results::Step& step : one.steps) text += line(one, step);
  }
  const auto counted = [](std::size_t count, const char* noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
  };
  return text + fmt::format("{} over {}: {}\n", counted(series.size(), "state"),
                            counted(commits.size(), "commit"), counted(steps, "step"));
}

}  // namespace gpuseq::comparison
