#include "reports/figures/profile_hmm/curves.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "reports/figures/profile_hmm/others.hpp"
#include "reports/figures/profile_hmm/own_clock.hpp"

namespace gpuseq::reports::profile_hmm {
namespace {

using chart::LineChart;
using chart::Mark;
using chart::Panel;

/// What the records of a panel have in common.
struct Group {
  bool cpu = false;  // GPUs come first
  std::string place;
  bool of_files = false;  // random models, of any length, come first
  std::string sequences;
  std::size_t filter = 0;  // of the figure's
  friend auto operator<=>(const Group&, const Group&) = default;

  /// That the figure shows together: all filters, or none.
  bool goes_with(const Group& other) const {
    return std::tie(cpu, place, of_files, sequences) ==
           std::tie(other.cpu, other.place, other.of_files, other.sequences);
  }
};

/// The fastest record by series, dash and length of the model.
using Fastest = std::map<std::tuple<std::string, std::string, double>, const Entry*>;

bool worth_a_panel(const Curves& curves, const Fastest& fastest) {
  std::set<double> lengths;
  std::set<std::string> series;
  for (const auto& [key, entry] : fastest) {
    if (is_peer(*entry)) continue;
    series.insert(std::get<0>(key));
    lengths.insert(std::get<2>(key));
  }
  return lengths.size() > 1 && series.size() >= curves.least_series;
}

std::map<Group, Fastest> groups_of(const Curves& curves, const ReportData& data) {
  std::map<Group, Fastest> groups;
  for (const Entry* entry : data.settled("profile_hmm", curves.contestants)) {
    const auto filter = std::find(curves.filters.begin(), curves.filters.end(), filter_of(*entry));
    const auto length = model_length_of(*entry);
    const auto line = curves.line(*entry);
    if (filter == curves.filters.end() || !length || !line) continue;
    const auto index = static_cast<std::size_t>(filter - curves.filters.begin());
    keep_fastest(groups[{!on_gpu(*entry), place_of(*entry), is_of_file(*entry), sequences_of(*entry), index}],
                 {line->series, line->dash, *length}, entry);
  }
  std::erase_if(groups, [&](const auto& group) { return !worth_a_panel(curves, group.second); });
  return groups;
}

/// How many times faster a series is than the one it is compared with, and where it is most so.
class Ratios {
 public:
  explicit Ratios(const Curves& curves) : curves_(curves) {}

  std::optional<double> of(const Fastest& fastest, const Fastest::key_type& key) const {
    const auto& [series, dash, length] = key;
    const auto base = fastest.find({curves_.base, dash, length});
    if (curves_.base.empty() || series == curves_.base || base == fastest.end()) return std::nullopt;
    return fastest.at(key)->record.statistics->rate / base->second->record.statistics->rate;
  }

  void add(const Group& group, const Fastest& fastest) {
    for (const auto& [key, entry] : fastest)
      if (const auto ratio = of(fastest, key)) {
        Largest& largest = largest_[{group.filter, std::get<0>(key)}];
        if (*ratio > largest.ratio) largest = {*ratio, std::get<1>(key), std::get<2>(key)};
      }
  }

  /// "Largest ratio to local memory: SSV 2.1 x (registers; lane_groups, 400 states)."
  std::string note() const {
    std::string words;
    for (const auto& [of, largest] : largest_) {
      if (!words.empty()) words += ';';
      if (curves_.filters.size() > 1) words.append(" ").append(filter_title(curves_.filters[of.first]));
      words += fmt::format(" {} ({}, {}, {} states)", format_value(largest.ratio, Unit::ratio), of.second,
                           largest.dash, largest.length);
    }
    return words.empty() ? "" : fmt::format("Largest ratio to {}:{}.", curves_.base, words);
  }

 private:
  struct Largest {
    double ratio = 0;
    std::string dash = {};
    double length = 0;
  };
  const Curves& curves_;
  std::map<std::pair<std::size_t, std::string>, Largest> largest_;
};

/// Panels of one figure, and what the chart learns from them.
class Panels {
 public:
  Panels(const Curves& curves, const Figure& figure, const ReportData& data, const Published& published)
      : curves_(curves), data_(data), others_(figure, published), ratios_(curves) {}

  void add(const Group& group, const Fastest& fastest, bool name_sequences) {
    ratios_.add(group, fastest);
    for (const Measure& measure : curves_.measures) {
      Panel panel{.title = title_of(group, name_sequences), .guided = false, .y = measure.y};
      std::set<std::string> measured;
      for (const auto& [key, entry] : fastest) {
        if (is_peer(*entry)) {
          add_peer(measure, *entry, key, panel);
          measured.insert(entry->record.state.variant);
        } else if (const auto value = measure.value(data_, *entry)) {
          panel.marks.push_back(mark_of(*entry, *value, key, ratios_.of(fastest, key)));
          used.insert(entry);
        }
      }
      if (panel.marks.empty()) continue;
      others_.add({.filter = curves_.filters[group.filter],
                   .measure = measure.name,
                   .on = panel_kind(*fastest.begin()->second),
                   .measured = std::move(measured)},
                  panel);
      chart.panels.push_back(std::move(panel));
    }
  }

  LineChart chart = {};
  std::set<const Entry*> used = {};  // of ours
  std::set<std::string> programs = {};
  const Others& others() const { return others_; }
  std::string ratio_note() const { return ratios_.note(); }

 private:
  std::string title_of(const Group& group, bool name_sequences) const {
    std::string title = group.place;
    if (curves_.filters.size() > 1) title = filter_title(curves_.filters[group.filter]) + ", " + title;
    return name_sequences ? title + ": " + group.sequences : title;
  }

  void add_peer(const Measure& measure, const Entry& peer, const Fastest::key_type& key, Panel& panel) {
    const auto own = by_own_clock(peer);
    const auto value = own ? measure.value(data_, *own) : std::nullopt;
    if (!value) return;
    panel.marks.push_back({.x = std::get<2>(key),
                           .y = value->value,
                           .low = value->low,
                           .high = value->high,
                           .series = std::get<0>(key),
                           .record = data_.index_of(peer),
                           .tips = own_clock_tips(*own, peer),
                           .terms = {{"timed", ""}}});  // as a launch of ours
    programs.insert(std::get<0>(key));
  }

  Mark mark_of(const Entry& entry, const Rate& value, const Fastest::key_type& key,
               const std::optional<double>& ratio) const {
    const auto& [series, dash, length] = key;
    Mark mark{.x = length,
              .y = value.value,
              .low = value.low,
              .high = value.high,
              .series = series,
              .dash = dash,
              .record = data_.index_of(entry),
              .tips = gcups_tips(entry)};
    if (const auto& resources = entry.record.resources) {
      mark.tips.emplace_back("Registers", fmt::format("{}", resources->registers_per_thread));
      mark.tips.emplace_back("Occupancy", format_value(resources->occupancy, Unit::share));
    }
    if (ratio) mark.tips.emplace_back("Over " + curves_.base, format_value(*ratio, Unit::ratio));
    return mark;
  }

  const Curves& curves_;
  const ReportData& data_;
  Others others_;
  Ratios ratios_;
};

/// Names of the legend that marks have, those of others behind ours.
void name_lines(const Curves& curves, LineChart& chart) {
  std::set<std::string> series, dashes;
  std::set<double> lengths;
  for (const Panel& panel : chart.panels)
    for (const Mark& mark : panel.marks) {
      series.insert(mark.series);
      if (!mark.dash.empty()) dashes.insert(mark.dash);
      lengths.insert(mark.x);
    }
  for (const std::string& name : curves.series)
    if (series.erase(name) > 0) chart.series.push_back(name);
  chart.series.insert(chart.series.end(), series.begin(), series.end());
  chart.dashes.assign(dashes.begin(), dashes.end());
  chart.x.ticks.assign(lengths.begin(), lengths.end());
}

}  // namespace

Drawing over_model_length(const Curves& curves, const Figure& figure, const ReportData& data,
                          const Published& published) {
  const std::map<Group, Fastest> groups = groups_of(curves, data);
  std::set<std::string> sequences;
  for (const auto& [group, fastest] : groups) sequences.insert(group.sequences);
  Panels panels(curves, figure, data, published);
  const auto room_for = [&](std::size_t filters) {
    return panels.chart.panels.size() + filters * curves.measures.size() <= kMostPanels;
  };
  std::vector<std::string> left_out;
  for (auto first = groups.begin(); first != groups.end();) {
    const auto end = std::find_if_not(first, groups.end(),
                                      [&](const auto& other) { return other.first.goes_with(first->first); });
    const bool all = room_for(static_cast<std::size_t>(std::distance(first, end)));
    if (!all && !panels.used.empty())
      left_out.push_back(fmt::format("{}: {}", first->first.place, first->first.sequences));
    else
      for (auto group = first; group != end && room_for(1); ++group)
        panels.add(group->first, group->second, sequences.size() > 1);
    first = end;
  }
  if (panels.used.empty()) return not_drawn(why_none(data, "profile_hmm", curves.need));
  LineChart chart = std::move(panels.chart);
  chart.x = {.title = "model length (match states)", .unit = Unit::number, .log = true};
  chart.y = curves.measures.front().y;
  chart.series_title = curves.series_title;
  chart.dash_title = curves.dash_title;
  name_lines(curves, chart);
  std::vector<std::string> notes;
  if (sequences.size() == 1) notes.push_back(*sequences.begin() + ".");
  if (std::string ratio = panels.ratio_note(); !ratio.empty()) notes.push_back(std::move(ratio));
  notes.emplace_back("Each mark: the fastest point of its line at that length.");
  for (const std::string& program : panels.programs)
    notes.push_back(program + ": the filter alone in the same run, by the program's own clock.");
  if (!left_out.empty())
    notes.push_back(fmt::format("For want of room not drawn: {}.", fmt::join(left_out, "; ")));
  panels.others().add_notes(notes);
  chart.heading = heading(figure, data, {panels.used.begin(), panels.used.end()}, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace gpuseq::reports::profile_hmm
