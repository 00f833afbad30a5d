#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "reports/figures/exact_match/figures.hpp"
#include "reports/figures/exact_match/phase_times.hpp"
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

/// The thread's fastest record by length of queries, and all others by series and length.
struct Curves {
  std::map<double, const Entry*> base;
  std::map<std::pair<std::string, double>, std::vector<const Entry*>> others;
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
      const auto base = curves.base.find(length);
      if (base != curves.base.end() && base->second->record.state.problem == entry->record.state.problem &&
          !is_base(*entry))
        curves.others[{series_of(*entry), length}].push_back(entry);
    }
  std::erase_if(groups, [](const auto& group) { return group.second.others.empty(); });
  return groups;
}

/// What is compared: the search alone, or phases around it too. Their names are what published values say in
/// `timed`.
struct Timing {
  const char* name;
  std::vector<Phase> phases;  // beside the kernel
};
const std::vector<Phase> kTransfers{Phase::upload_index, Phase::queries, Phase::locking, Phase::download};
const std::array kTimings{Timing{"kernel alone", {}}, Timing{"with transfers", kTransfers},
                          Timing{"with transfers and output",
                                 {Phase::upload_index, Phase::queries, Phase::locking, Phase::download,
                                  Phase::listing, Phase::printing}}};

/// Seconds of what a timing counts; none where a record has not all of it.
std::optional<double> seconds_of(const PhaseTimes& times, const Entry& entry, const Timing& timing) {
  double seconds = entry.record.statistics->median_s;
  std::set<Phase> there;
  for (const auto& [phase, of_phase] : times.of(entry))
    if (std::find(timing.phases.begin(), timing.phases.end(), phase) != timing.phases.end()) {
      seconds += of_phase;
      there.insert(phase);
    }
  for (const Phase phase : timing.phases) {
    const bool transfer = std::find(kTransfers.begin(), kTransfers.end(), phase) != kTransfers.end();
    // A CPU transfers nothing, and pages that were locked before take no time.
    if (phase == Phase::locking || (transfer && !on_gpu(entry))) continue;
    if (!there.contains(phase)) return std::nullopt;
  }
  return seconds;
}

/// The rate of a record over that of the thread; with more than the kernel without an interval, as what is
/// around it was timed once or twice.
std::optional<Rate> ratio_of(const PhaseTimes& times, const Entry& entry, const Entry& base,
                             const Timing& timing) {
  const Rate own = rate_of(entry), other = rate_of(base);
  if (timing.phases.empty()) return Rate{own.value / other.value, own.low / other.high, own.high / other.low};
  const auto seconds = seconds_of(times, entry, timing), over = seconds_of(times, base, timing);
  if (!seconds || !over) return std::nullopt;
  const double ratio = entry.record.work.amount / *seconds / (base.record.work.amount / *over);
  return Rate{ratio, ratio, ratio};
}

Mark mark_of(const ReportData& data, const std::pair<std::string, double>& key, const Entry& entry,
             const Entry& base, const Rate& ratio, const Timing& timing) {
  Mark mark{.x = key.second,
            .y = ratio.value,
            .low = ratio.low,
            .high = ratio.high,
            .series = key.first,
            .record = data.index_of(entry),
            .tips = tips_of(entry, ratio, Unit::ratio),
            .terms = {{"timed", timing.name}}};
  const auto rate = [](const Entry& of) {
    return rate_text(of.record.statistics->rate, of.record.statistics->rate_unit);
  };
  mark.tips.emplace_back("Timed", timing.name);
  mark.tips.emplace_back("Kernel's rate", rate(entry));
  mark.tips.emplace_back(
      "Over", fmt::format("{} of {}, {}", rate(base), base.device_name, base.record.state.point.to_string()));
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

bool of_gpus(const ReportData& data, const Panel& panel) {
  return std::any_of(panel.marks.begin(), panel.marks.end(),
                     [&](const Mark& mark) { return on_gpu(data.entries[*mark.record]); });
}

/// One timing of one group; no marks where its records do not have it, or are all of CPUs, which transfer
/// nothing.
Panel panel_of(const ReportData& data, const PhaseTimes& times, const Group& group, const Curves& curves,
               const Timing& timing) {
  const Point& problem = curves.base.begin()->second->record.state.problem;
  Panel panel{.title = fmt::format("{}: queries in {}, {}, over {}", timing.name, word(problem, "reference"),
                                   errors_of(problem), group.cpu),
              .guided = false};
  for (const auto& [key, entries] : curves.others) {
    const Entry& base = *curves.base.at(key.second);
    const Entry* best = nullptr;
    Rate highest;
    for (const Entry* entry : entries)
      if (const auto ratio = ratio_of(times, *entry, base, timing); ratio && ratio->value > highest.value) {
        best = entry;
        highest = *ratio;
      }
    if (best) panel.marks.push_back(mark_of(data, key, *best, base, highest, timing));
  }
  if (!timing.phases.empty() && !of_gpus(data, panel)) panel.marks.clear();
  return panel;
}

/// Published values of GPUs stand in the panels of GPUs, and of what they timed.
void add_published(const Figure& figure, const ReportData& data, const Published& published, LineChart& chart,
                   std::vector<std::string>& notes) {
  std::vector<const Fact*> drawn;
  for (Panel& panel : chart.panels) {
    if (!of_gpus(data, panel)) continue;
    for (const Fact* fact : published.find(figure.name, "guide")) {
      const std::pair<std::string, std::string> timed{"timed", text(fact->at, "timed")};
      if (panel.marks.front().terms.front() != timed) continue;
      panel.guides.push_back({fact->axis == "x", fact->value, fact->label, {timed}});
      if (std::find(drawn.begin(), drawn.end(), fact) == drawn.end()) drawn.push_back(fact);
    }
  }
  if (!drawn.empty()) notes.push_back(fmt::format("Dashed grey lines: published, {}.", credit(drawn)));
}

Drawing draw_speedup(const Figure& figure, const ReportData& data, const Published& published) {
  LineChart chart{.x = {.title = "bases of a query, and of a match", .unit = Unit::number, .log = true},
                  .y = {.title = "rate over that of one CPU thread", .unit = Unit::ratio, .log = true},
                  .series_title = "variant"};
  std::set<const Entry*> used;
  std::set<std::pair<bool, std::string>> series;  // those of GPUs first
  std::set<double> lengths;
  std::vector<std::string> notes{
      "Each mark: the fastest point, by what is timed, of a variant that leaves slots. Transfers: tree and "
      "queries "
      "to the GPU, slots back, pages locked for them. Output: matches listed by all threads and printed by "
      "one, "
      "on either side."};
  const PhaseTimes times(data);
  for (const auto& [group, curves] : curves_of(data)) {
    for (const Timing& timing : kTimings) {
      Panel panel = panel_of(data, times, group, curves, timing);
      if (panel.marks.empty() || chart.panels.size() == kMostPanels) continue;
      for (const Mark& mark : panel.marks) {
        used.insert(&data.entries[*mark.record]);
        series.insert({!on_gpu(data.entries[*mark.record]), mark.series});
        lengths.insert(mark.x);
      }
      chart.panels.push_back(std::move(panel));
    }
    notes.push_back(base_note(group, curves));
  }
  if (used.empty())
    return not_drawn(why_none(data, kFamily,
                              "matches of whole queries beside those of one CPU thread, a query at a time"));
  chart.x.ticks.assign(lengths.begin(), lengths.end());
  for (const auto& [cpu, name] : series) chart.series.push_back(name);
  add_published(figure, data, published, chart, notes);
  chart.heading = heading(figure, data, {used.begin(), used.end()}, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace

Figure speedup() {
  return {
      "exact-match/speedup", "Speedup over one CPU thread by length of queries", kHeading,
      "How many times faster a variant is than the same traversal on one CPU thread, for matches as "
      "long as the reads: its kernel alone, and with what the GPU costs around it. The paper's figure, "
      "without "
      "errors: over 10 times, transfers of tree and queries included and printing not, and less for longer "
      "reads; its values are not in the text.",
      draw_speedup};
}

}  // namespace gpuseq::reports::exact_match
