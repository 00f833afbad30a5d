#include "results/statistics/occupancy.hpp"

#include <fmt/format.h>

#include <map>

#include "reports/figure_tools.hpp"
#include "reports/figures/probes/figures.hpp"

namespace gpuseq::reports::probes {
namespace {

using results::InFlight;
using results::Occupancy;

/// The line of a point, behind what lines are ordered by: processors first, fewer first.
std::pair<double, std::string> series_of(const Occupancy& occupancy, const InFlight& one) {
  constexpr double kAfterThreads = 1e6;
  if (occupancy.of_warps)
    return {kAfterThreads + one.per_worker,
            fmt::format("{:g} load{} a lane", one.per_worker, one.per_worker == 1 ? "" : "s")};
  return {one.workers, thread_words(fmt::format("{:g}", one.workers))};
}

std::string title_of(const Occupancy& occupancy, const std::string& device_name) {
  return fmt::format("{}, {}blocks of {}, per {}", device_name,
                     occupancy.access == "dependent" && occupancy.of_warps ? "dependent " : "",
                     format_value(static_cast<double>(occupancy.block_bytes), Unit::bytes),
                     occupancy.of_warps ? "multiprocessor" : "thread");
}

/// The devices' records, each with one of its own, by the name that tells devices apart.
std::map<std::string, std::vector<const Entry*>> by_device(const ReportData& data) {
  std::map<std::string, std::vector<const Entry*>> devices;
  for (const Entry* entry : data.settled("random_access"))
    if (!entry->disturbed) devices[entry->device_name].push_back(entry);
  return devices;
}

chart::Mark mark_of(const ReportData& data, const Occupancy& occupancy, const InFlight& one,
                    const Entry& entry) {
  const Rate rate = rate_of(entry);
  chart::Tips tips = tips_of(entry, rate, Unit::bytes_per_s);
  tips.emplace_back("Time of an access by Little's law",
                    format_value(one.latency_s(occupancy.block_bytes), Unit::seconds));
  return {.x = one.per_core,
          .y = rate.value,
          .low = rate.low,
          .high = rate.high,
          .series = series_of(occupancy, one).second,
          .record = data.index_of(entry),
          .tips = std::move(tips)};
}

// A panel per device and size of block: bandwidth over accesses in flight. Where lines of several loads a
// lane fall together, it does not matter by what many are in flight.
Drawing draw_occupancy(const Figure& figure, const ReportData& data, const Published&) {
  chart::LineChart chart{.x = {.title = "accesses in flight", .unit = Unit::number, .log = true},
                         .y = {.title = "random-access bandwidth", .unit = Unit::bytes_per_s},
                         .series_title = "in flight by"};
  std::vector<const Entry*> used;
  std::map<double, std::string> series;
  std::size_t panels = 0;
  for (const auto& [device_name, entries] : by_device(data)) {
    std::vector<const results::Record*> records;
    for (const Entry* entry : entries) records.push_back(&entry->record);
    for (const Occupancy& occupancy : results::occupancies(records)) {
      if (++panels > kMostPanels) continue;
      chart::Panel panel{.title = title_of(occupancy, device_name)};
      // Panels have axes of their own: a block of 32 B reaches a fraction of the bandwidth of one of 128 B.
      panel.y = chart.y;
      for (const InFlight& one : occupancy.points) {
        const Entry& entry = *entries[one.record];
        series.insert(series_of(occupancy, one));
        panel.marks.push_back(mark_of(data, occupancy, one, entry));
        used.push_back(&entry);
      }
      chart.panels.push_back(std::move(panel));
    }
  }
  if (used.empty()) return not_drawn(why_none(data, "random_access", "three numbers of accesses in flight"));
  chart.series = unique_in_order(series);
  std::vector<std::string> notes{
      "Accesses are whole blocks; a lane's loads are requested before it uses one."};
  note_left_out(chart.panels.size(), panels, "devices and sizes of block, the first", notes);
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace

Figure occupancy() {
  return {
      "probes/occupancy", "Random-access bandwidth over accesses in flight", kHeading,
      "How many accesses must be under way for the bandwidth that there is, and whether it matters if many "
      "warps or many loads a lane bring them.",
      draw_occupancy};
}

}  // namespace gpuseq::reports::probes
