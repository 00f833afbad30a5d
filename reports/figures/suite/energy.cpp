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

/// A family and problem: what variants and devices are compared in.
struct EnergyContest {
  std::string title, unit;
  std::map<std::string, const Entry*> best;  // by row
};

/// "one_hot, prefix table of 12, NVIDIA H200"
std::string row_of(const Entry& entry) {
  return fmt::format("{}, {}", with_point_words(entry.record.state.variant, entry), entry.device_name);
}

std::map<std::string, EnergyContest> energy_contests(const ReportData& data) {
  std::map<std::string, EnergyContest> contests;
  for (const std::string& family : data.kernel_families())
    for (const Entry* entry : data.settled(family, Contestants::ours, has_energy)) {
      EnergyContest& contest = contests[family + " " + entry->record.state.problem.to_string()];
      contest.title = fmt::format("{}: {}", family, problem_name(*entry));
      contest.unit = entry->record.work.unit;
      const Entry*& kept = contest.best[row_of(*entry)];
      if (!kept || *work_per_joule(kept->record) < *work_per_joule(entry->record)) kept = entry;
    }
  return contests;
}

/// The reason that most records give for having no energy.
std::string why_not(const ReportData& data) {
  std::map<std::string, int> reasons;
  for (const Entry& entry : data.entries)
    if (entry.record.kind == "kernel" && !entry.record.energy.reason.empty())
      ++reasons[entry.record.energy.reason];
  const auto most = std::max_element(reasons.begin(), reasons.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  const std::string none = why_none_of_kernels(data, "energy");
  return most == reasons.end() ? none : fmt::format("{}: {}", none, most->first);
}

RowMark mark(const ReportData& data, const Entry& entry, const std::string& unit) {
  const double value = *work_per_joule(entry.record);
  chart::Tips tips = tips_of(entry, rate_of(entry), Unit::number_si);
  tips.insert(tips.begin(),
              {"Energy", fmt::format("{} {} per joule", format_value(value, Unit::number_si), unit)});
  return {.row = row_of(entry),
          .value = value,
          .low = value,
          .high = value,
          .series = entry.device_name,
          .label = format_value(value, Unit::number_si),
          .record = data.index_of(entry),
          .tips = std::move(tips)};
}

// Work per joule, the best point of each variant on each device.
Drawing draw_energy(const Figure& figure, const ReportData& data, const Published&) {
  RowChart chart{.series_title = "device"};
  std::vector<const Entry*> used;
  std::set<std::string> devices;
  for (const auto& [key, contest] : energy_contests(data)) {
    if (chart.panels.size() == kMostPanels) break;
    RowPanel panel{
        .title = contest.title,
        .value = chart::Quantity{.title = contest.unit + " per joule", .unit = Unit::number_si, .log = true}};
    for (const auto& [place, entry] : contest.best) {
      panel.marks.push_back(mark(data, *entry, contest.unit));
      devices.insert(entry->device_name);
      used.push_back(entry);
    }
    sort_rows(panel);
    chart.panels.push_back(std::move(panel));
  }
  if (used.empty()) return not_drawn(why_not(data));
  chart.series.assign(devices.begin(), devices.end());
  chart.heading =
      heading(figure, data, used,
              {"The most thrifty point of each variant; energy of the device over a loop of some seconds, "
               "less what it draws when idle."});
  return drawn(std::move(chart));
}

}  // namespace

Figure energy() {
  return {"suite/energy", "Work per joule by variant and device", kHeading,
          "Which variant on which device needs the least energy for its work.", draw_energy};
}

}  // namespace gpuseq::reports::suite
