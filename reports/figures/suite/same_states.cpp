#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "reports/figure_tools.hpp"
#include "reports/figures/suite/figures.hpp"

namespace gpuseq::reports::suite {
namespace {

using chart::RowChart;
using chart::RowMark;
using chart::RowPanel;

/// One state on every device that has it, by the device's name.
using SameState = std::map<std::string, const Entry*>;

/// States that several devices have, by family.
std::map<std::string, std::vector<SameState>> same_states(const ReportData& data) {
  std::map<std::string, std::vector<SameState>> shared;
  for (const std::string& family : data.kernel_families()) {
    std::map<std::string, SameState> states;
    for (const Entry* entry : data.settled(family)) {
      results::StateKey key = entry->record.state;
      key.device.clear();
      states[key.to_string()].emplace(entry->device_name, entry);
    }
    for (auto& [key, state] : states)
      if (state.size() > 1) shared[family].push_back(std::move(state));
  }
  return shared;
}

/// The device that has most of these states, the first of several by its name.
std::string most_common(const std::map<std::string, std::vector<SameState>>& shared) {
  std::map<std::string, std::size_t> counts;
  for (const auto& [family, states] : shared)
    for (const SameState& state : states)
      for (const auto& [device, entry] : state) ++counts[device];
  return std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; })->first;
}

/// What a state's rate is over that on the device that all are compared with.
struct Ratio {
  double value = 0;
  const Entry* entry = nullptr;
  const Entry* compared_with = nullptr;
};

/// By row: device, and what bounds the state on the device that it is compared with.
using RatiosOf = std::map<std::pair<std::string, std::string>, std::vector<Ratio>>;

RatiosOf rows_of(const std::vector<SameState>& states, const std::string& baseline) {
  RatiosOf rows;
  for (const SameState& state : states) {
    const auto one = state.find(baseline);
    if (one == state.end()) continue;
    const results::Record& record = one->second->record;
    const std::string bound = record.ceiling.value ? record.ceiling.value->bound_by : "no ceiling";
    for (const auto& [device, entry] : state)
      if (device != baseline)
        rows[{device, bound}].push_back(
            {entry->record.statistics->rate / record.statistics->rate, entry, one->second});
  }
  for (auto& [row, ratios] : rows) std::ranges::sort(ratios, {}, &Ratio::value);
  return rows;
}

/// A tick a state, and a mark at the median from quartile to quartile.
void add_row(const ReportData& data, const std::string& row, const std::string& device,
             const std::vector<Ratio>& ratios, RowPanel& panel) {
  const auto at = [&](double share) {
    return ratios[static_cast<std::size_t>(std::lround(share * static_cast<double>(ratios.size() - 1)))];
  };
  const Ratio median = at(0.5);
  for (const Ratio& ratio : ratios)
    panel.marks.push_back({.row = row,
                           .value = ratio.value,
                           .low = ratio.value,
                           .high = ratio.value,
                           .series = device,
                           .minor = true,
                           .record = data.index_of(*ratio.entry),
                           .tips = tips_of(*ratio.entry, rate_of(*ratio.entry), Unit::number_si)});
  panel.marks.push_back({.row = row,
                         .value = median.value,
                         .low = at(0.25).value,
                         .high = at(0.75).value,
                         .series = device,
                         .label = format_value(median.value, Unit::ratio),
                         .detail = fmt::format("{} states", ratios.size()),
                         .record = data.index_of(*median.entry),
                         .tips = tips_of(*median.entry, rate_of(*median.entry), Unit::number_si)});
}

/// By their medians, the largest on top.
void order_rows(RowPanel& panel) {
  std::vector<std::pair<double, std::string>> rows;
  for (const RowMark& mark : panel.marks)
    if (!mark.minor) rows.emplace_back(-mark.value, mark.row);
  std::ranges::sort(rows);
  for (const auto& [value, row] : rows) panel.rows.push_back(row);
}

Drawing draw_same_states(const Figure& figure, const ReportData& data, const Published&) {
  const auto shared = same_states(data);
  if (shared.empty()) return not_drawn(why_none_of_kernels(data, "a state that a second device has"));
  const std::string baseline = most_common(shared);
  RowChart chart{.value = {.title = "rate over that of " + baseline, .unit = Unit::ratio, .log = true},
                 .series_title = "device"};
  std::set<const Entry*> used;
  std::set<std::string> devices;
  for (const auto& [family, states] : shared) {
    const RatiosOf rows = rows_of(states, baseline);
    if (rows.empty() || chart.panels.size() == kMostPanels) continue;
    RowPanel panel{.title = family};
    for (const auto& [row, ratios] : rows) devices.insert(row.first);
    for (const auto& [row, ratios] : rows) {
      const auto& [device, bound] = row;
      add_row(data, rows.size() == 1 || devices.size() == 1 ? bound : fmt::format("{}, {}", bound, device),
              device, ratios, panel);
      for (const Ratio& ratio : ratios) used.insert({ratio.entry, ratio.compared_with});
    }
    order_rows(panel);
    chart.panels.push_back(std::move(panel));
  }
  chart.series.assign(devices.begin(), devices.end());
  chart.heading = heading(figure, data, {used.begin(), used.end()},
                          {fmt::format("Rows: what bounds a state on {}. Thin ticks: every state that both "
                                       "have; large mark: their median, from quartile to quartile.",
                                       baseline)});
  return drawn(std::move(chart));
}

}  // namespace

Figure same_states() {
  return {"suite/same_states", "The same states on several devices", kHeading,
          "What another device is worth to what is bound by memory, by instructions, by launches.",
          draw_same_states};
}

}  // namespace gpuseq::reports::suite
