#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "reports/figures/exact_match/figures.hpp"
#include "reports/figures/exact_match/points.hpp"
#include "reports/variant_rows.hpp"

namespace gpuseq::reports::exact_match {
namespace {

using chart::LineChart;
using chart::Mark;
using chart::Panel;

/// Problems that differ by the length of their queries only.
struct Group {
  std::string problem, cpu;
  friend auto operator<=>(const Group&, const Group&) = default;
};

/// The fastest record by length of queries, and by series and length.
struct Curves {
  std::map<double, const Entry*> base;
  std::map<std::pair<std::string, double>, const Entry*> fastest;
};

std::string problem_of(const Entry& entry) {
  return without(entry.record.state.problem, {"query_bases", "query_count", "min_length"});
}

/// The traversal as the paper ported it to the CPU: one query after the other on one thread.
bool is_base(const Entry& entry) {
  return entry.record.state.variant == "tree" && axis_text(entry, "threads") == "1" &&
         axis_text(entry, "in_flight") == "1";
}

std::string series_of(const Entry& entry) {
  return fmt::format("{}, {}", variant_row(entry), entry.device_name);
}

std::map<Group, Curves> curves_of(const ReportData& data) {
  std::vector<const Entry*> entries;
  for (const Entry* entry : data.settled(kFamily))
    if (of_whole_queries(*entry) && axis_text(*entry, "result") != "matches") entries.push_back(entry);
  std::map<Group, Curves> groups;
  for (const Entry* entry : entries)
    if (is_base(*entry))
      keep_fastest(groups[{problem_of(*entry), entry->device_name}].base, *query_length_of(*entry), entry);
  for (auto& [group, curves] : groups)
    for (const Entry* entry : entries) {
      const double length = *query_length_of(*entry);
      if (problem_of(*entry) == group.problem && curves.base.contains(length) && !is_base(*entry))
        keep_fastest(curves.fastest, {series_of(*entry), length}, entry);
    }
  std::erase_if(groups, [](const auto& group) { return group.second.fastest.empty(); });
  return groups;
}

Mark mark_of(const ReportData& data, const std::pair<std::string, double>& key, const Entry& entry,
             const Entry& base) {
  const Rate own = rate_of(entry), other = rate_of(base);
  const Rate ratio{own.value / other.value, own.low / other.high, own.high / other.low};
  Mark mark{.x = key.second,
            .y = ratio.value,
            .low = ratio.low,
            .high = ratio.high,
            .series = key.first,
            .record = data.index_of(entry),
            .tips = tips_of(entry, ratio, Unit::ratio)};
  mark.tips.emplace_back("Rate", rate_text(own.value, entry.record.statistics->rate_unit));
  mark.tips.emplace_back(
      "Over", fmt::format("{} of {}, {}", rate_text(other.value, base.record.statistics->rate_unit),
                          base.device_name, base.record.state.point.to_string()));
  return mark;
}

/// "1 is tree on one thread of AMD EPYC, a query at a time: 6.2 M to 234 M query bases/s."
std::string base_note(const Group& group, const Curves& curves) {
  double low = 0, high = 0;
  std::string unit;
  for (const auto& [length, entry] : curves.base) {
    const double rate = entry->record.statistics->rate;
    low = low > 0 ? std::min(low, rate) : rate;
    high = std::max(high, rate);
    unit = entry->record.statistics->rate_unit;
  }
  const std::string rates =
      low < high ? rate_text(low, unit) + " to " + rate_text(high, unit) : rate_text(high, unit);
  return fmt::format("1 is tree on one thread of {}, a query at a time: {}.", group.cpu, rates);
}

Drawing draw_speedup(const Figure& figure, const ReportData& data, const Published& published) {
  LineChart chart{.x = {.title = "bases of a query, and of a match", .unit = Unit::number, .log = true},
                  .y = {.title = "rate over that of one CPU thread", .unit = Unit::ratio, .log = true},
                  .series_title = "variant"};
  std::vector<const Entry*> used;
  std::set<std::pair<bool, std::string>> series;  // those of GPUs first
  std::set<double> lengths;
  std::vector<std::string> notes{"Each mark: the fastest point of a variant that leaves slots."};
  for (const auto& [group, curves] : curves_of(data)) {
    if (chart.panels.size() == kMostPanels) break;
    const Point& problem = curves.base.begin()->second->record.state.problem;
    Panel panel{.title = fmt::format("queries in {}, {}, over {}", word(problem, "reference"),
                                     errors_of(problem), group.cpu),
                .guided = false};
    for (const auto& [key, entry] : curves.fastest) {
      panel.marks.push_back(mark_of(data, key, *entry, *curves.base.at(key.second)));
      panel.guided = panel.guided || on_gpu(*entry);
      series.insert({!on_gpu(*entry), key.first});
      lengths.insert(key.second);
      used.push_back(entry);
    }
    notes.push_back(base_note(group, curves));
    chart.panels.push_back(std::move(panel));
  }
  if (used.empty())
    return not_drawn(why_none(data, kFamily,
                              "matches of whole queries beside those of one CPU thread, a query at a time"));
  chart.x.ticks.assign(lengths.begin(), lengths.end());
  for (const auto& [cpu, name] : series) chart.series.push_back(name);
  add_guides(figure, published, chart, notes);
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace

Figure speedup() {
  return {"exact-match/speedup", "Speedup over one CPU thread by length of queries", kHeading,
          "How many times faster a variant is than the same traversal on one CPU thread, for matches as "
          "long as the reads. The paper's figure, without errors: over 10 times, transfers "
          "included, and less for longer reads; its values are not in the text.",
          draw_speedup};
}

}  // namespace gpuseq::reports::exact_match
