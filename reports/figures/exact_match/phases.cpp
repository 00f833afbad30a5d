#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "reports/figures/exact_match/figures.hpp"
#include "reports/figures/exact_match/points.hpp"
#include "results/statistics/statistics.hpp"

namespace gpuseq::reports::exact_match {
namespace {

using chart::RowChart;
using chart::RowMark;
using chart::RowPanel;

/// Phases in the order in which they happen, and the side samples that are in them.
struct Phase {
  const char* name;
  std::vector<const char*> samples;
};
constexpr const char *kTree = "tree", *kKernel = "kernel";
const std::array kPhases{Phase{kTree, {"tree"}},
                         Phase{"tables of words", {"words"}},
                         Phase{"tree upload", {"upload_tree"}},
                         Phase{"queries to the GPU", {"strands", "sort", "upload"}},
                         Phase{kKernel, {}},
                         Phase{"download", {"download"}},
                         Phase{"listing", {"listing"}},
                         Phase{"printing", {"printing"}}};

/// Seconds of a phase; 0 where the record does not have it.
double seconds_of(const results::Record& record, const Phase& phase) {
  if (phase.name == kKernel) return record.statistics->median_s;
  double seconds = 0;
  for (const char* name : phase.samples)
    if (const auto found = record.side_samples_s.find(name);
        found != record.side_samples_s.end() && !found->second.empty())
      seconds += results::median(found->second);
  // A tree that all states of a problem share is a fact of the problem.
  if (phase.name == kTree && seconds == 0) return number(record.facts, "tree_s").value_or(0);
  return seconds;
}

bool has_cached_tree(const results::Record& record) {
  return record.facts.is_object() && record.facts.contains("from_cache") &&
         record.facts["from_cache"] == true;
}

std::vector<RowMark> marks_of(const ReportData& data, const std::string& row, const Entry& entry) {
  std::vector<RowMark> marks;
  double total = 0;
  for (const Phase& phase : kPhases) {
    const double seconds = seconds_of(entry.record, phase);
    if (!(seconds > 0)) continue;
    total += seconds;
    marks.push_back({.row = row,
                     .value = seconds,
                     .low = seconds,
                     .high = seconds,
                     .series = phase.name,
                     .record = data.index_of(entry),
                     .tips = tips_of(entry, {seconds, seconds, seconds}, Unit::seconds)});
    marks.back().tips.emplace_back("Phase", phase.name);
  }
  for (RowMark& mark : marks) mark.tips.emplace_back("Share", format_value(mark.value / total, Unit::share));
  marks.back().label = format_value(total, Unit::seconds);
  if (has_cached_tree(entry.record) && marks.front().series == kTree)
    marks.back().detail = "tree from the cache";
  return marks;
}

/// By problem, shorter matches first: the fastest record of each row.
using Rows = std::map<std::string, const Entry*>;
std::map<std::pair<double, std::string>, Rows> problems_of(const ReportData& data) {
  const auto entries = data.settled(kFamily);
  std::map<std::string, std::set<std::string>> devices;
  for (const Entry* entry : entries) devices[row_of(*entry)].insert(entry->device_name);
  // A device is named where its variant ran on several.
  const auto name_of = [&](const Entry& entry) {
    const std::string row = row_of(entry);
    return devices[row].size() > 1 ? fmt::format("{}, {}", row, entry.device_name) : row;
  };
  std::map<std::pair<double, std::string>, Rows> problems;
  for (const Entry* entry : entries)
    keep_fastest(problems[{min_length_of(*entry).value_or(0), entry->record.state.problem.to_string()}],
                 name_of(*entry), entry);
  return problems;
}

/// A row's marks together, the row that takes longest on top.
void add_rows(RowPanel& panel, std::vector<std::vector<RowMark>> rows) {
  const auto total = [](const std::vector<RowMark>& marks) {
    double sum = 0;
    for (const RowMark& mark : marks) sum += mark.value;
    return sum;
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const auto& a, const auto& b) { return total(a) > total(b); });
  for (std::vector<RowMark>& marks : rows) {
    panel.rows.push_back(marks.front().row);
    for (RowMark& mark : marks) panel.marks.push_back(std::move(mark));
  }
}

Drawing draw_phases(const Figure& figure, const ReportData& data, const Published&) {
  RowChart chart{.value = {.title = "time", .unit = Unit::seconds},
                 .bars = true,
                 .stacked = true,
                 .series_title = "phase"};
  std::vector<const Entry*> used;
  std::set<std::string> there;
  for (const auto& [problem, fastest] : problems_of(data)) {
    if (chart.panels.size() == kMostPanels) break;
    RowPanel panel{.title = problem_name(*fastest.begin()->second), .value = chart.value};
    std::vector<std::vector<RowMark>> rows;
    for (const auto& [row, entry] : fastest) {
      rows.push_back(marks_of(data, row, *entry));
      for (const RowMark& mark : rows.back()) there.insert(mark.series);
      used.push_back(entry);
    }
    add_rows(panel, std::move(rows));
    chart.panels.push_back(std::move(panel));
  }
  if (there.size() < 2) return not_drawn(why_none(data, kFamily, "a phase beside the kernel"));
  for (const Phase& phase : kPhases)
    if (there.contains(phase.name)) chart.series.emplace_back(phase.name);
  std::vector<std::string> notes{
      "Each bar: the fastest point of its variant; phases that a record does not have are left out, and "
      "so is compilation. Kernel: on a CPU its search."};
  const auto cached = std::count_if(used.begin(), used.end(),
                                    [](const Entry* entry) { return has_cached_tree(entry->record); });
  if (cached > 0)
    notes.push_back(fmt::format("In {} of {} bars the tree is read from the cache.", cached, used.size()));
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace

Figure phases() {
  return {"exact-match/phases", "Time by phase", kHeading,
          "What a search takes from the reference to the list of matches. In the paper's figure, with the "
          "kernel on the GPU, the output dominates where most reads match.",
          draw_phases};
}

}  // namespace gpuseq::reports::exact_match
