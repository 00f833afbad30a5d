#include "reports/figures/pairwise_distance/variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace gpuseq::reports::pairwise_distance {
namespace {

constexpr const char* kFamily = "pairwise_distance";

std::string word(const Entry& entry, const char* axis) {
  for (const auto& [name, value] : entry.record.state.point.values())
    if (name == axis) return to_string(value);
  return "";
}

chart::RowMark mark_of(const Shown& shown, const ReportData& data, const Entry& entry) {
  const Rate value = shown.value(entry);
  return {.row = row_of(entry),
          .value = value.value,
          .low = value.low,
          .high = value.high,
          .series = entry.device_name,
          .label = format_value(value.value, shown.quantity.unit) + shown.label_unit,
          .detail = shown.detail(entry),
          .record = data.index_of(entry),
          .tips = tips_of(entry, value, shown.quantity.unit)};
}

/// What the paper states of this shape.
std::vector<chart::RowMark> marks_of(const std::vector<const Fact*>& facts, const Entry& entry,
                                     const std::string& series, Unit unit) {
  std::vector<chart::RowMark> marks;
  const auto shape = shape_of(entry);
  for (const Fact* fact : facts) {
    if (!shape || number(fact->at, "instances") != shape->first ||
        number(fact->at, "attributes") != shape->second)
      continue;
    marks.push_back({.row = fact->label + ", " + fact->device,
                     .value = fact->value,
                     .low = fact->value,
                     .high = fact->value,
                     .series = series,
                     .label = format_value(fact->value, unit),
                     .hollow = true,
                     .tips = tips_of(*fact, unit)});
  }
  return marks;
}

}  // namespace

std::optional<std::pair<double, double>> shape_of(const Entry& entry) {
  const auto instances = number(entry.record.facts, "instance_count"),
             attributes = number(entry.record.facts, "attribute_count");
  if (!instances || !attributes) return std::nullopt;
  return std::pair{*instances, *attributes};
}

std::string row_of(const Entry& entry) {
  std::string row = contestant(entry);
  if (on_gpu(entry)) return row;
  if (const std::string target = word(entry, "target"); !target.empty()) row += ", " + target;
  const std::string threads = word(entry, "threads");
  if (threads == "0") return row + ", all threads";
  return row + (threads.empty() || threads == "1" ? ", 1 thread" : ", " + threads + " threads");
}

Drawing by_variant(const Shown& shown, const Figure& figure, const ReportData& data,
                   const Published& published) {
  // By size, and then by name: a run may have several problems of one size.
  std::map<std::pair<double, std::string>, std::map<std::string, const Entry*>> problems;
  for (const Entry* entry : data.settled(kFamily))
    keep_fastest(problems[{entry->record.work.amount, entry->record.state.problem.to_string()}],
                 entry->device_name + row_of(*entry), entry);
  if (problems.empty()) return not_drawn(why_none(data, kFamily, "rate"));
  chart::RowChart chart{.value = shown.quantity, .series_title = "device"};
  const auto facts = published.find(figure.name, "value");
  const std::string theirs = fmt::format("published ({})", papers_of(facts));
  std::vector<const Entry*> used;
  std::set<std::string> series;
  bool with_theirs = false;
  for (const auto& [problem, best] : problems) {
    if (chart.panels.size() == kMostPanels) break;
    const Entry& first = *best.begin()->second;
    chart::RowPanel panel{.title = problem_name(first)};
    for (const auto& [row, entry] : best) {
      panel.marks.push_back(mark_of(shown, data, *entry));
      series.insert(entry->device_name);
      used.push_back(entry);
    }
    const auto stated = marks_of(facts, first, theirs, shown.quantity.unit);
    with_theirs = with_theirs || !stated.empty();
    panel.marks.insert(panel.marks.end(), stated.begin(), stated.end());
    sort_rows(panel);
    chart.panels.push_back(std::move(panel));
  }
  chart.series.assign(series.begin(), series.end());
  std::vector<std::string> notes{"Each mark: the fastest point of its variant."};
  if (with_theirs) {
    chart.series.push_back(theirs);
    notes.push_back(fmt::format("Hollow: published, {}.", credit(facts)));
  }
  note_peers(used, notes);
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace gpuseq::reports::pairwise_distance
