#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/figure_tools.hpp"
#include "reports/figures/suite/figures.hpp"
#include "reports/figures/suite/size_sentences.hpp"
#include "reports/terms.hpp"

namespace gpuseq::reports::suite {
namespace {

using results::SizeCurve;
using results::SizedProblem;

/// The entries of records, which curves point to.
using EntryOf = std::map<const results::Record*, const Entry*>;

/// "profile_hmm, filter=ssv": what tells a problem from the others of its family.
std::string problem_title(const SizedProblem& problem, const std::vector<SizedProblem>& all) {
  std::string title = problem.family;
  for (const auto& [axis, value] : problem.fixed.values()) {
    const auto differs = [&, &axis = axis, &value = value](const SizedProblem& other) {
      return other.family == problem.family && (!other.fixed.has(axis) || other.fixed.at(axis) != value);
    };
    if (std::ranges::any_of(all, differs)) title += fmt::format(", {}={}", axis, to_string(value));
  }
  return title;
}

chart::Mark size_mark(const ReportData& data, const results::SizePoint& point, const SizeCurve& curve,
                      const Entry& entry, const std::string& axis) {
  const Rate rate = rate_of(entry);
  return {.x = static_cast<double>(point.size),
          .y = rate.value,
          .low = rate.low,
          .high = rate.high,
          .series = curve.device,
          .record = data.index_of(entry),
          .tips = tips_of(entry, rate, Unit::number_si),
          .terms = {{axis, "along x"}}};
}

void add_half_size(const SizeCurve& curve, chart::Panel& panel) {
  const Maybe<results::HalfSize> half = results::half_size(curve);
  if (!half.value || half.value->below) return;
  panel.guides.push_back({.at = half.value->size,
                          .label = fmt::format("n½ of {} {}", results::of_cpu(curve) ? "the CPU" : "the GPU",
                                               size_text(half.value->size))});
}

/// What entries over sizes leave, by family: "slots" and "matches" are no curve together.
using LeftBy = std::map<std::string, std::set<std::string>>;

LeftBy left_by_families(const EntryOf& entries) {
  LeftBy left;
  for (const auto& [record, entry] : entries) left[record->state.family].insert(point_words(*entry));
  return left;
}

std::string curve_name(const Entry& entry, const LeftBy& left) {
  const bool several = left.at(entry.record.state.family).size() > 1;
  return several ? with_point_words(entry.device_name, entry) : entry.device_name;
}

/// Where GPUs overtake the CPU, the last of them if there are several.
void add_crossing(const SizedProblem& problem, const EntryOf& entry_of, chart::Panel& panel) {
  const auto leaves = [&](const SizeCurve& curve) {
    return point_words(*entry_of.at(curve.points.front().record));
  };
  for (const auto& [gpu, cpu] : results::rivals(problem)) {
    if (leaves(*gpu) != leaves(*cpu)) continue;
    if (const auto at = results::crossing(*gpu, *cpu))
      panel.guides.push_back(
          {.at = at->size, .label = fmt::format("CPU faster below {}", size_text(at->size))});
  }
}

chart::Panel sizes_panel(const ReportData& data, const SizedProblem& problem, const EntryOf& entry_of,
                         const std::string& title, std::vector<const Entry*>& used) {
  chart::Panel panel{.title = title};
  panel.y = chart::Quantity{.title = problem.rate_unit, .unit = Unit::number_si, .log = true};
  for (const SizeCurve& curve : problem.curves) {
    for (const results::SizePoint& point : curve.points) {
      const Entry& entry = *entry_of.at(point.record);
      panel.marks.push_back(size_mark(data, point, curve, entry, problem.axis));
      used.push_back(&entry);
    }
    add_half_size(curve, panel);
  }
  add_crossing(problem, entry_of, panel);
  return panel;
}

// A panel a problem: the rate of the fastest variant of each device over the size.
Drawing draw_sizes(const Figure& figure, const ReportData& data, const Published&) {
  EntryOf entry_of;
  std::vector<results::OnDevice> records;
  for (const Entry& entry : data.entries)
    if (entry.record.phase == "size") entry_of.emplace(&entry.record, &entry);
  const LeftBy left = left_by_families(entry_of);
  for (const Entry& entry : data.entries)
    if (entry.record.phase == "size") records.emplace_back(&entry.record, curve_name(entry, left));
  const std::vector<SizedProblem> problems = results::sized_problems(records);
  if (problems.empty()) return not_drawn(why_none_of_kernels(data, "its rate over sizes of its problem"));
  chart::LineChart chart{.x = {.title = "size of the problem", .unit = Unit::number_si, .log = true},
                         .y = {.title = "rate", .unit = Unit::number_si, .log = true},
                         .series_title = "device"};
  std::vector<const Entry*> used;
  std::set<std::string> devices;
  for (const SizedProblem& problem : problems) {
    if (chart.panels.size() == kMostPanels) break;
    const std::string title = fmt::format("{}, {}", problem_title(problem, problems), problem.noun);
    chart.panels.push_back(sizes_panel(data, problem, entry_of, title, used));
    for (const SizeCurve& curve : problem.curves) devices.insert(curve.device);
  }
  chart.series.assign(devices.begin(), devices.end());
  std::vector<std::string> notes{
      "The fastest variant of each device at each size. n½: half of the rate of ever larger problems."};
  note_left_out(chart.panels.size(), problems.size(), "problems, the first", notes);
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace

Figure sizes() {
  return {"suite/sizes",
          "Rate over the size of the problem",
          kHeading,
          "How large a problem has to be to fill a device, and from where on a GPU is faster than the CPU.",
          draw_sizes,
          false};
}

}  // namespace gpuseq::reports::suite
