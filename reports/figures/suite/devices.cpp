#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/figure_tools.hpp"
#include "reports/figures/suite/figures.hpp"
#include "reports/terms.hpp"

namespace gpuseq::reports::suite {
namespace {

using chart::RowChart;
using chart::RowMark;
using chart::RowPanel;

/// The fastest of each device on one problem, with each prefix table or kind of result, and of each other
/// program on it.
struct Contest {
  std::string title;
  std::map<std::string, const Entry*> fastest;  // by row
  double slowest = 0;                           // rate of the slowest of ours
  std::set<std::string> devices = {};
  double reference_bases = 0;  // large problems come first
};

std::vector<Contest> contests(const ReportData& data) {
  std::map<ProblemOrder, Contest> by_problem;
  for (const std::string& family : data.kernel_families())
    for (const Entry* entry : data.settled(family, Contestants::with_peers)) {
      Contest& contest = by_problem[problem_order(*entry)];
      contest.title = fmt::format("{}: {}", family, problem_name(*entry));
      contest.reference_bases = reference_bases(entry->record).value_or(0);
      const std::string row = is_peer(*entry) ? fmt::format("{}, {}", contestant(*entry), entry->device_name)
                                              : with_point_words(entry->device_name, *entry);
      keep_fastest(contest.fastest, row, entry);
    }
  std::vector<Contest> contests;
  for (auto& [key, contest] : by_problem) {
    for (const auto& [row, entry] : contest.fastest) {
      if (is_peer(*entry)) continue;
      const double rate = entry->record.statistics->rate;
      contest.slowest = contest.devices.empty() ? rate : std::min(contest.slowest, rate);
      contest.devices.insert(entry->device_name);
    }
    const bool peers = std::any_of(contest.fastest.begin(), contest.fastest.end(),
                                   [](const auto& row) { return is_peer(*row.second); });
    if (!contest.devices.empty() && (contest.devices.size() > 1 || peers))
      contests.push_back(std::move(contest));
  }
  std::stable_sort(contests.begin(), contests.end(), [](const Contest& a, const Contest& b) {
    return std::pair(a.devices.size(), a.reference_bases) > std::pair(b.devices.size(), b.reference_bases);
  });
  return contests;
}

RowMark mark(const ReportData& data, const std::string& row, const Entry& entry, double slowest) {
  const Rate ratio = rate_of(entry, 1 / slowest);
  return {.row = row,
          .value = ratio.value,
          .low = ratio.low,
          .high = ratio.high,
          .series = entry.device_name,
          .label = format_value(ratio.value, Unit::ratio),
          .detail = rate_text(entry.record.statistics->rate, entry.record.statistics->rate_unit) +
                    (is_peer(entry) ? "" : ", " + entry.record.state.variant),
          .hollow = is_peer(entry),
          .record = data.index_of(entry),
          .tips = tips_of(entry, rate_of(entry), Unit::number_si)};
}

// Devices by their fastest variant on each problem.
Drawing draw_devices(const Figure& figure, const ReportData& data, const Published&) {
  RowChart chart{.value = {.title = "rate over that of our slowest", .unit = Unit::ratio, .log = true},
                 .series_title = "device"};
  std::vector<const Entry*> used;
  std::set<std::string> devices;
  const std::vector<Contest> all = contests(data);
  for (const Contest& contest : all) {
    if (chart.panels.size() == kMostPanels) break;
    RowPanel panel{.title = contest.title};
    for (const auto& [row, entry] : contest.fastest) {
      panel.marks.push_back(mark(data, row, *entry, contest.slowest));
      devices.insert(entry->device_name);
      used.push_back(entry);
    }
    sort_rows(panel);
    chart.panels.push_back(std::move(panel));
  }
  if (used.empty())
    return not_drawn(why_none_of_kernels(data, "a problem that a second device or program has"));
  chart.series.assign(devices.begin(), devices.end());
  std::vector<std::string> notes{
      "The fastest variant of each device; 1 is the slowest of ours on the problem."};
  note_left_out(chart.panels.size(), all.size(), "problems", notes);
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace

Figure devices() {
  return {"suite/devices", "Devices by their best rate on each problem", kHeading,
          "How far apart the devices are, each with the variant and point that suit it.", draw_devices};
}

}  // namespace gpuseq::reports::suite
