#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "reports/figures/data_sets.hpp"
#include "reports/figures/pairwise_distance/figures.hpp"

namespace gpuseq::reports::pairwise_distance {
namespace {

/// The variant, the device, and the number of instances.
struct Place {
  std::string series, device;
  double instances = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};
using Curves = std::map<Place, Candidates>;

/// Pairs of the full matrix a second: comparisons over the attributes of each pair.
Rate pairs_of(const Entry& entry) {
  return rate_of(entry, 1 / *number(entry.record.facts, "attribute_count"));
}

/// By all of the problem but its instances; a problem of one size is no curve.
std::map<std::string, Curves> panels_of(const ReportData& data) {
  std::map<std::string, Curves> panels;
  for (const Entry* entry : data.settled("pairwise_distance")) {
    const auto instances = number(entry->record.facts, "instance_count");
    if (!instances || !number(entry->record.facts, "attribute_count")) continue;
    panels[without(entry->record.state.problem, {"instance_count", kDataSetAxis})]
          [{entry->record.state.variant, entry->device_name, *instances}]
              .add(entry);
  }
  std::erase_if(panels, [](const auto& panel) {
    std::set<double> sizes;
    for (const auto& [place, candidates] : panel.second) sizes.insert(place.instances);
    return sizes.size() < 2;
  });
  return panels;
}

chart::Mark mark_of(const ReportData& data, const Place& place, const Pool& pool) {
  return {.x = place.instances,
          .y = pool.rate().value,
          .low = pool.rate().low,
          .high = pool.rate().high,
          .series = place.series,
          .dash = place.device,
          .record = data.index_of(pool.typical()),
          .tips = pool.tips(Unit::number_si)};
}

/// "random, 512 attributes": what the sizes of a panel have in common.
std::string title_of(const Entry& entry) {
  const Point& problem = entry.record.state.problem;
  std::string title = fmt::format("{} attributes", *number(entry.record.facts, "attribute_count"));
  if (const std::string data = word(problem, "instances"); data != "random" && !data.empty())
    title = data + ", " + title;
  if (const std::string metric = word(problem, "metric"); metric != "hamming" && !metric.empty())
    title += ", " + metric;
  if (const auto alphabet = number(problem, "alphabet"); alphabet && *alphabet != 3)
    title += fmt::format(", {} symbols", *alphabet);
  if (const auto missing = number(problem, "missing"); missing && *missing > 0)
    title += fmt::format(", {} of 1000 values missing", *missing);
  return title;
}

// A panel a problem: pairs a second of each variant over instances.
Drawing draw_sizes(const Figure& figure, const ReportData& data, const Published&) {
  const auto panels = panels_of(data);
  if (panels.empty())
    return not_drawn(why_none(data, "pairwise_distance", "another number of instances beside it"));
  chart::LineChart chart{.x = {.title = "instances", .unit = Unit::number, .log = true},
                         .y = {.title = "pairs per second", .unit = Unit::number_si, .log = true},
                         .series_title = "variant",
                         .dash_title = "device"};
  std::vector<const Entry*> used;
  std::vector<Pool> all_pools;
  std::map<std::string, double> best;              // of each line, which are in that order
  std::set<std::pair<bool, std::string>> devices;  // GPUs first
  for (const auto& [problem, curves] : panels) {
    if (chart.panels.size() == kMostPanels) break;
    std::vector<Pool> pools;
    chart::Panel panel;
    for (const auto& [place, candidates] : curves) {
      pools.emplace_back(candidates.fastest(), pairs_of);
      panel.marks.push_back(mark_of(data, place, pools.back()));
      double& highest = best[place.series];
      highest = std::max(highest, pools.back().rate().value);
      devices.emplace(!on_gpu(pools.back().typical()), place.device);
      used.insert(used.end(), pools.back().records().begin(), pools.back().records().end());
    }
    panel.title = title_of(pools.front().typical());
    declare_data_sets(pools, panel.marks);
    all_pools.insert(all_pools.end(), pools.begin(), pools.end());
    chart.panels.push_back(std::move(panel));
  }
  for (const auto& [series, highest] : best) chart.series.push_back(series);
  std::ranges::stable_sort(chart.series, std::greater(), [&](const std::string& name) { return best[name]; });
  for (const auto& [cpu, device] : devices) chart.dashes.push_back(device);
  std::vector<std::string> notes{
      "The fastest point of each variant at each size. Pairs: instances squared, however many are computed."};
  note_data_sets(all_pools, notes);
  note_left_out(chart.panels.size(), panels.size(), "problems, the first", notes);
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace

Figure sizes() {
  return {"pairwise-distance/sizes", "Pairs per second by instances", kHeading,
          "From how many instances on each step of the paper's ladder pays, where a variant stops gaining as "
          "its device is full, and how the paper's loop on a CPU compares at each size.",
          draw_sizes};
}

}  // namespace gpuseq::reports::pairwise_distance
