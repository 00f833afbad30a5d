#include "bench/profile/occupancy.hpp"

#include <fmt/format.h>

#include "bench/profile/rate_json.hpp"
#include "results/statistics/occupancy.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;
using results::InFlight;
using results::Occupancy;

/// Beyond this share of the best rate, more accesses in flight add latency but little bandwidth.
constexpr double kEnough = 0.9;

ordered_json point_json(const Occupancy& occupancy, const InFlight& one,
                        std::span<const results::Record* const> records) {
  ordered_json row;
  row[occupancy.of_warps ? "warps_per_sm" : "threads"] = one.workers;
  row[occupancy.of_warps ? "loads_per_lane" : "accesses_per_thread"] = one.per_worker;
  if (occupancy.of_warps) row["accesses_per_sm"] = one.per_core;
  row["accesses"] = one.accesses;
  add_rate(row, *records[one.record]);
  row["latency_ns"] = 1e9 * one.latency_s(occupancy.block_bytes);
  return row;
}

/// "32 warps, 4 loads per lane", "2 threads, 12 each", "1 thread"
std::string workers_text(const ordered_json& point) {
  const auto of = [&](const char* key) { return point[key].get<double>(); };
  if (!point.contains("warps_per_sm"))
    return of("threads") == 1
               ? std::string("1 thread")
               : fmt::format("{:g} threads, {:g} each", of("threads"), of("accesses_per_thread"));
  return fmt::format("{:g} warps, {:g} load{} per lane", of("warps_per_sm"), of("loads_per_lane"),
                     of("loads_per_lane") == 1 ? "" : "s");
}

}  // namespace

ordered_json occupancy_json(std::span<const results::Record* const> records) {
  ordered_json all = ordered_json::array();
  for (const Occupancy& occupancy : results::occupancies(records)) {
    ordered_json points = ordered_json::array();
    for (const InFlight& one : occupancy.points) points.push_back(point_json(occupancy, one, records));
    all.push_back({{"block_bytes", occupancy.block_bytes},
                   {"footprint_bytes", occupancy.footprint_bytes},
                   {"access", occupancy.access},
                   {"best_rate", results::best_rate(occupancy)},
                   {"reaches_90_percent",
                    point_json(occupancy, results::fewest_that_reach(occupancy, kEnough), records)},
                   {"points", std::move(points)}});
  }
  return all;
}

std::string occupancy_text(const ordered_json& device) {
  if (!device.contains("occupancy")) return "";
  std::string text;
  for (const ordered_json& one : device["occupancy"]) {
    const ordered_json& enough = one["reaches_90_percent"];
    const bool of_warps = enough.contains("accesses_per_sm");
    text += fmt::format(
        "  {:11}90 % of {}B/s needs {:.0f} {}blocks of {:.0f} B{} ({}): {:.0f} ns per access\n",
        text.empty() ? "in flight" : "", prefixed(one["best_rate"].get<double>()),
        enough[of_warps ? "accesses_per_sm" : "accesses"].get<double>(),
        one["access"] == "dependent" && of_warps ? "dependent " : "", one["block_bytes"].get<double>(),
        of_warps ? " per multiprocessor" : "", workers_text(enough), enough["latency_ns"].get<double>());
  }
  return text;
}

}  // namespace gpuseq::bench
