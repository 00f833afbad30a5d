#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "reports/figures/profile_hmm/figures.hpp"
#include "reports/figures/profile_hmm/points.hpp"

namespace gpuseq::reports::profile_hmm {
namespace {

using chart::RowChart;
using chart::RowMark;
using chart::RowPanel;

/// An axis of video_warp: as published, and as it is by itself, also in records from before it was an axis.
struct Choice {
  std::string_view axis, published, ours;
};

/// What one step of the ladder replaces.
struct Step {
  std::string_view row;
  std::vector<Choice> choices;
  bool of_viterbi_only = false;
};

constexpr const char* kFirstRow = "as published, ahead of time";

const std::vector<Step>& steps() {
  static const std::vector<Step> steps{
      {"by NVRTC", {{"compiled_by", "nvcc", "nvrtc"}}},
      {"stripes = constant", {{"stripes", "variable", "constant"}}},
      {"resident warps as they fit", {{"resident_warps", "32", "0"}, {"warps_per_block", "32", "0"}}},
      {"assignment = queue", {{"assignment", "static", "queue"}}},
      {"order = sorted", {{"order", "file", "sorted"}}},
      {"residues = registers", {{"residues", "shared", "registers"}}},
      {"reduction = skipped", {{"reduction", "each_row", "skipped"}}},
      {"deletions = in_row", {{"deletions", "lazy_f", "in_row"}}, true},
      {"loads = wide", {{"loads", "words", "wide"}}},
      {"costs, steps = auto", {{"costs", "read_only", "auto"}, {"steps", "read_only", "auto"}}}};
  return steps;
}

bool all_are(std::string_view Choice::*value, const Step& step, const Entry& entry) {
  return std::ranges::all_of(step.choices, [&](const Choice& choice) {
    const std::string found = axis_text(entry, choice.axis);
    return (found.empty() ? choice.ours : found) == choice.*value;
  });
}

/// Steps of the ladder that a record's kernel has taken, all before the others; nullopt: it is none of them.
std::optional<std::size_t> steps_taken(const Entry& entry) {
  const std::string row = axis_text(entry, "row");
  if (!on_gpu(entry) || entry.record.state.variant != "video_warp" || (row != "auto" && !row.empty()))
    return std::nullopt;
  const bool viterbi = filter_of(entry) == "viterbi";
  std::size_t taken = 0;
  bool before = true;
  for (const Step& step : steps()) {
    before = before && all_are(&Choice::ours, step, entry);
    if (before)
      ++taken;
    else if (!all_are(&Choice::published, step, entry) && !(step.of_viterbi_only && !viterbi))
      return std::nullopt;
  }
  return taken;
}

/// The fastest record by steps taken.
using Ladder = std::map<std::size_t, const Entry*>;

/// Of a filter on a device: a ladder for each problem.
using Ladders = std::map<std::pair<std::string, std::size_t>, std::map<std::string, Ladder>>;

Ladders ladders_of(const ReportData& data) {
  Ladders ladders;
  for (const Entry* entry : data.settled("profile_hmm")) {
    const auto taken = steps_taken(*entry);
    const std::size_t filter = filter_index(filter_of(*entry));
    if (!taken || !model_length_of(*entry)) continue;
    const bool nothing_new =
        *taken > 0 && steps()[*taken - 1].of_viterbi_only && kFilters[filter] != "viterbi";
    if (nothing_new) continue;
    keep_fastest(ladders[{place_of(*entry), filter}][entry->record.state.problem.to_string()], *taken, entry);
  }
  return ladders;
}

/// The one with most steps; of such, that of a length near the paper's usual one (figure 2).
const Ladder& shown(const std::map<std::string, Ladder>& of_problems) {
  constexpr double kUsualLength = 400;
  const auto worth = [](const auto& problem) {
    const double length = *model_length_of(*problem.second.begin()->second);
    return std::pair(problem.second.size(), -std::abs(std::log(length / kUsualLength)));
  };
  return std::max_element(of_problems.begin(), of_problems.end(),
                          [&](const auto& a, const auto& b) { return worth(a) < worth(b); })
      ->second;
}

/// "SSV, 400 states, NVIDIA H200".
std::string title_of(const std::string& place, const Entry& entry) {
  return fmt::format("{}, {} states, {}", filter_title(filter_of(entry)), *model_length_of(entry), place);
}

RowPanel panel_of(const ReportData& data, const std::string& place, const Ladder& ladder) {
  RowPanel panel{.title = title_of(place, *ladder.begin()->second)};
  double before = 0;
  for (const auto& [taken, entry] : ladder) {
    const Rate rate = rate_of(*entry, 1 / kGiga);
    RowMark mark{.row = std::string(taken == 0 ? kFirstRow : steps()[taken - 1].row),
                 .value = rate.value,
                 .low = rate.low,
                 .high = rate.high,
                 .series = entry->device_name,
                 .label = format_value(rate.value, Unit::number),
                 .record = data.index_of(*entry),
                 .tips = gcups_tips(*entry)};
    if (before > 0) mark.detail = format_value(rate.value / before, Unit::ratio);
    before = rate.value;
    panel.rows.push_back(mark.row);
    panel.marks.push_back(std::move(mark));
  }
  return panel;
}

Drawing draw_ladder(const Figure& figure, const ReportData& data, const Published&) {
  RowChart chart{.value = {.title = kGcupsTitle, .unit = Unit::number, .log = true},
                 .series_title = "device"};
  std::vector<const Entry*> used;
  for (const auto& [of, problems] : ladders_of(data)) {
    const Ladder& ladder = shown(problems);
    if (ladder.size() < 2 || chart.panels.size() == kMostPanels) continue;
    chart.panels.push_back(panel_of(data, of.first, ladder));
    for (const auto& [taken, entry] : ladder) {
      used.push_back(entry);
      if (std::ranges::find(chart.series, entry->device_name) == chart.series.end())
        chart.series.push_back(entry->device_name);
    }
  }
  if (used.empty()) return not_drawn(why_none(data, "profile_hmm", "two steps from the published kernel"));
  chart.heading =
      heading(figure, data, used,
              {sequences_of(*used.front()) + ".",
               "From the top, each row has what those above it have, and one thing more; beside its "
               "rate: over the row before. The published kernel of SSV and MSV is that with stripes "
               "= constant, that of Viterbi the one before."});
  return drawn(std::move(chart));
}

}  // namespace

Figure ladder() {
  return {"profile-hmm/ladder", "From the published kernel to video_warp", kHeading,
          "What each difference between the paper's kernel and ours of the same design is worth on this GPU.",
          draw_ladder};
}

}  // namespace gpuseq::reports::profile_hmm
