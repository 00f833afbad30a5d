#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "reports/figures/exact_match/figures.hpp"
#include "reports/figures/exact_match/phase_times.hpp"

namespace gpuseq::reports::exact_match {
namespace {

using chart::RowChart;
using chart::RowMark;
using chart::RowPanel;

constexpr const char* kPhaseNote =
    "Each bar: the point of its variant that searches fastest; phases that a record does not have are left "
    "out, "
    "and so is compilation. Kernel: on a CPU its search.";
constexpr const char* kLockingNote =
    "Locking of pages: what the first download takes longer than later ones. 'Queries to the GPU' holds the "
    "locking of the queries' pages, which no record has apart.";
constexpr const char* kWordsNote =
    "Tables of words are timed where they are made and charged to every bar that uses them; those of a CPU "
    "are "
    "not timed apart.";

/// A problem with one state of the tree; shorter matches first.
struct PanelKey {
  double min_length = 0;
  std::string problem, tree;
  friend auto operator<=>(const PanelKey&, const PanelKey&) = default;
};

/// The fastest record of each row.
using Rows = std::map<std::string, const Entry*>;

std::map<PanelKey, Rows> panels_of(const ReportData& data) {
  std::map<PanelKey, Rows> panels;
  for (const Entry* entry : data.settled(kFamily))
    keep_fastest(panels[{min_length_of(*entry).value_or(0), entry->record.state.problem.to_string(),
                         tree_words(*entry)}],
                 fmt::format("{}, {}", row_of(*entry), entry->device_name), entry);
  return panels;
}

std::vector<RowMark> marks_of(const ReportData& data, const PhaseTimes& times, const std::string& row,
                              const Entry& entry) {
  std::vector<RowMark> marks;
  double total = 0;
  for (const auto& [phase, seconds] : times.of(entry)) {
    total += seconds;
    marks.push_back({.row = row,
                     .value = seconds,
                     .low = seconds,
                     .high = seconds,
                     .series = phase_name(phase),
                     .record = data.index_of(entry),
                     .tips = tips_of(entry, {seconds, seconds, seconds}, Unit::seconds),
                     .terms = {{"timed", phase_name(phase)}, {"tree", tree_words(entry)}}});
    marks.back().tips.emplace_back("Phase", phase_name(phase));
    if (phase == Phase::words && times.words_of_another(entry))
      marks.back().tips.emplace_back("Timed", "in another state with the same tables");
  }
  for (RowMark& mark : marks) mark.tips.emplace_back("Share", format_value(mark.value / total, Unit::share));
  marks.back().label = format_value(total, Unit::seconds);
  return marks;
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

std::string title_of(const PanelKey& key, const Entry& entry) {
  std::string title = problem_name(entry);
  if (!key.tree.empty()) title += key.tree == "built" ? ": tree built" : ": tree from the cache";
  return title;
}

/// What of the chart needs explaining.
std::vector<std::string> notes_of(const std::set<std::string>& there, std::size_t panels, std::size_t drawn) {
  std::vector<std::string> notes{kPhaseNote};
  if (there.contains(phase_name(Phase::locking))) notes.emplace_back(kLockingNote);
  if (there.contains(phase_name(Phase::words))) notes.emplace_back(kWordsNote);
  if (drawn < panels) notes.push_back(fmt::format("{} of {} panels.", drawn, panels));
  return notes;
}

Drawing draw_phases(const Figure& figure, const ReportData& data, const Published&) {
  RowChart chart{.value = {.title = "time", .unit = Unit::seconds},
                 .bars = true,
                 .stacked = true,
                 .series_title = "phase"};
  std::vector<const Entry*> used;
  std::set<std::string> there;
  const PhaseTimes times(data);
  const std::map<PanelKey, Rows> panels = panels_of(data);
  for (const auto& [key, fastest] : panels) {
    if (chart.panels.size() == kMostPanels) break;
    RowPanel panel{.title = title_of(key, *fastest.begin()->second), .value = chart.value};
    std::vector<std::vector<RowMark>> rows;
    for (const auto& [row, entry] : fastest) {
      rows.push_back(marks_of(data, times, row, *entry));
      for (const RowMark& mark : rows.back()) there.insert(mark.series);
      used.push_back(entry);
    }
    add_rows(panel, std::move(rows));
    chart.panels.push_back(std::move(panel));
  }
  if (there.size() < 2) return not_drawn(why_none(data, kFamily, "a phase beside the kernel"));
  for (const Phase phase : kPhases)
    if (there.contains(phase_name(phase))) chart.series.emplace_back(phase_name(phase));
  chart.heading = heading(figure, data, used, notes_of(there, panels.size(), chart.panels.size()));
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
