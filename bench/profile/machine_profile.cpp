#include "bench/profile/machine_profile.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "bench/bound/curves.hpp"
#include "bench/bound/device_levels.hpp"
#include "bench/config/json_file.hpp"
#include "bench/profile/caches/associativity.hpp"
#include "bench/profile/caches/l2_sides.hpp"
#include "bench/profile/caches/load_paths.hpp"
#include "bench/profile/cooperation.hpp"
#include "bench/profile/level_details.hpp"
#include "bench/profile/numa.hpp"
#include "bench/profile/occupancy.hpp"
#include "bench/profile/page_sizes.hpp"
#include "bench/profile/peers.hpp"
#include "bench/profile/rate_json.hpp"
#include "bench/profile/sm_groups.hpp"
#include "probes/levels/resampled.hpp"
#include "results/statistics/statistics.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using results::Record;

constexpr const char* kFootprint = "footprint_bytes";
/// Limits of a nearly undisturbed machine: spread of a probe's samples, share of points without two passes
/// that agree, and share of CPU time used by others. A machine with ten times as much is unfit for measuring.
constexpr double kQuietSpread = 0.03, kQuietDisturbed = 0.01, kQuietElsewhere = 0.02;

struct Probed {
  std::string device;
  std::vector<const Record*> records;  // ok records

  std::vector<const Record*> of(std::string_view probe) const {
    std::vector<const Record*> found;
    for (const Record* record : records)
      if (record->state.family == probe) found.push_back(record);
    return found;
  }
};

/// A rate with its interval and axes.
ordered_json rate_json(const Record& record) {
  ordered_json row = record.state.problem.to_json();
  row.update(record.state.point.to_json());
  add_rate(row, record);
  row["rate_unit"] = record.statistics->rate_unit;
  return row;
}

/// The fastest pass of each point, in the order of the first passes: other users of the machine only slow it
/// down.
std::vector<const Record*> fastest_passes(const std::vector<const Record*>& records) {
  std::vector<const Record*> fastest;
  std::map<std::string, std::size_t> places;
  for (const Record* record : records) {
    const auto [place, is_new] = places.emplace(record->state.to_string(), fastest.size());
    if (is_new)
      fastest.push_back(record);
    else if (const Record*& kept = fastest[place->second]; kept->statistics->rate < record->statistics->rate)
      kept = record;
  }
  return fastest;
}

ordered_json rates_json(const std::vector<const Record*>& records) {
  ordered_json rows = ordered_json::array();
  for (const Record* record : fastest_passes(records)) rows.push_back(rate_json(*record));
  return rows;
}

ordered_json instructions_json(const Probed& probed) {
  ordered_json rows = rates_json(probed.of("instruction_throughput"));
  std::map<std::string, const Record*> by_operation;
  for (const Record* record : probed.of("instruction_throughput"))
    by_operation[record->state.point.word("operation")] = record;
  for (ordered_json& row : rows) {
    const json& facts = by_operation[row["operation"].get<std::string>()]->facts;
    row["pipe"] = facts.value("pipe", std::string());
    if (facts.contains("multiply_adds")) row["multiply_adds"] = facts["multiply_adds"];
  }
  return rows;
}

ordered_json launches_json(const Probed& probed) {
  ordered_json rows = ordered_json::array();
  for (const Record* record : probed.of("launch"))
    rows.push_back({{"blocks", record->state.point.integer("blocks")},
                    {"threads_per_block", record->state.point.integer("threads_per_block")},
                    {"seconds", record->statistics->median_s}});
  return rows;
}

/// Access time by the streaming rate of the other threads, from rest on.
ordered_json loaded_latency_json(const Probed& probed) {
  std::vector<ordered_json> rows;
  for (const Record* record : fastest_passes(probed.of("loaded_latency"))) {
    ordered_json row = record->state.point.to_json();
    row["latency_ns"] = 1e9 / record->statistics->rate;
    row["load_bytes_per_s"] = (*record->facts).value("load_bytes_per_s", 0.0);
    rows.push_back(std::move(row));
  }
  std::ranges::sort(rows, {}, [](const ordered_json& row) { return row["load_bytes_per_s"].get<double>(); });
  return rows;
}

/// Copies between the host and a device, and kernels that access the host's memory.
ordered_json host_link_json(const Probed& probed) {
  ordered_json transfers = ordered_json::array();
  for (const Record* record : fastest_passes(probed.of("transfer"))) {
    ordered_json row = rate_json(*record);
    row["seconds"] = record->statistics->median_s;
    row["alone_seconds"] =
        record->single_launch ? ordered_json(record->single_launch->median_s) : ordered_json(nullptr);
    transfers.push_back(std::move(row));
  }
  return {{"transfers", std::move(transfers)},
          {"zero_copy", rates_json(probed.of("zero_copy"))},
          {"zero_copy_sequential", rates_json(probed.of("zero_copy_sequential"))}};
}

ordered_json curves_json(std::span<const Curve> curves, const std::string& device) {
  ordered_json all = ordered_json::array();
  for (const Curve& curve : curves) {
    if (curve.device != device || stands_aside(curve, curves)) continue;
    ordered_json points = ordered_json::array();
    for (const Curve::At& at : curve.points)
      points.push_back({{kFootprint, at.footprint_bytes}, {"median", at.median}});
    all.push_back({{"probe", curve.probe},
                   {"point", curve.fixed.to_json()},
                   {"unit", curve.unit},
                   {"points", std::move(points)},
                   {"disturbed_points", curve.disturbed.size()}});
  }
  return all;
}

/// Reads run.json, which may be from any source.
std::optional<double> share_of(const json& host_load, const char* key) {
  if (!host_load.is_object() || !host_load.contains(key) || !host_load[key].is_number()) return {};
  return host_load[key].get<double>();
}

/// The spread of a probe's samples, the points without two passes that agree, and the share of CPU time used
/// by others.
ordered_json quiet_json(const Probed& probed, std::span<const Curve> curves, const json& host_load) {
  std::vector<double> spreads;
  for (const Record* record : probed.records)
    if (const auto& s = *record->statistics; s.rate_low && s.rate_high)
      spreads.push_back((*s.rate_high - *s.rate_low) / s.rate);
  std::size_t points = 0, disturbed = 0;
  int throttled = 0, beside_interference = 0;
  for (const Curve& curve : curves)
    if (curve.device == probed.device) {
      points += curve.points.size() + curve.disturbed.size();
      disturbed += curve.disturbed.size();
    }
  for (const Record* record : probed.records) {
    throttled += record->discarded_throttled;
    beside_interference += record->discarded_interference;
  }
  const double share = points > 0 ? static_cast<double>(disturbed) / static_cast<double>(points) : 0;
  const double spread = spreads.empty() ? 0 : results::median(spreads);
  const std::optional<double> steal = share_of(host_load, "steal_share"),
                              others = share_of(host_load, "others_share");
  const auto within = [&](double times) {
    return spread <= times * kQuietSpread && share <= times * kQuietDisturbed &&
           steal.value_or(0) + others.value_or(0) <= times * kQuietElsewhere;
  };
  return {{"points", points},
          {"disturbed_points", disturbed},
          {"discarded_throttled", throttled},
          {"discarded_disturbed", beside_interference},
          {"spread", spreads.empty() ? ordered_json(nullptr) : ordered_json(spread)},
          {"steal_share", or_null(steal)},
          {"others_share", or_null(others)},
          {"verdict", within(1)    ? "quiet"
                      : within(10) ? "noisy"
                                   : "very noisy"}};
}

ordered_json device_json(const Probed& probed, std::span<const Record> records, const json& description,
                         std::span<const Curve> curves, const json& host_load) {
  const std::vector<probes::LevelCurve> level_input = level_curves(curves, probed.device);
  ordered_json paths = load_paths_json(probed.of("load_path"));
  std::vector<StatedLevel> stated = stated_levels(description);
  if (const auto l1 = l1_by_load_path(paths)) stated.insert(stated.begin(), {"L1", *l1, "load path global"});
  ordered_json device{{"name", description.value("name", probed.device)}, {"stated", description}};
  const json levels = levels_json(probes::fit_levels_resampled(level_input), level_input, stated);
  for (const char* key : {"levels", "unconfirmed", "stated_only", "gradual_rises"}) device[key] = levels[key];
  add_sharing(device["levels"], description);
  device["fit"] = levels["curves"];
  device["curves"] = curves_json(curves, probed.device);
  device["fetch"] = fetch_json(device["curves"]);
  if (ordered_json translation = translation_json(device["curves"], records, probed.device);
      !translation.is_null())
    device["tlb"] = std::move(translation);
  if (ordered_json ways = associativity_json(probed.of("associativity"), description); !ways.is_null())
    device["associativity"] = std::move(ways);
  if (ordered_json in_flight = occupancy_json(probed.records); !in_flight.empty())
    device["occupancy"] = std::move(in_flight);
  device["sequential"] = rates_json(probed.of("sequential"));
  device["loaded_latency"] = loaded_latency_json(probed);
  if (ordered_json numa = numa_json(records, probed.device); !numa.is_null())
    device["numa"] = std::move(numa);
  const ordered_json link = host_link_json(probed);
  if (std::ranges::any_of(link, [](const ordered_json& rows) { return !rows.empty(); }))
    device["host_link"] = link;
  if (ordered_json peers =
          peers_json(rates_json(probed.of("peer_transfer")), rates_json(probed.of("peer_access")),
                     rates_json(probed.of("peer_access_sequential")));
      !peers.empty())
    device["peers"] = std::move(peers);
  device["instructions"] = instructions_json(probed);
  if (const auto atomics = probed.of("atomics"); !atomics.empty()) device["atomics"] = rates_json(atomics);
  if (const auto barriers = probed.of("barrier"); !barriers.empty())
    device["barriers"] = barriers_json(fastest_passes(barriers));
  if (ordered_json clusters = clusters_json(records, probed.device); !clusters.is_null())
    device["clusters"] = std::move(clusters);
  if (!paths.is_null()) device["load_paths"] = std::move(paths);
  if (ordered_json sides = l2_sides_json(probed.of("l2_sides")); !sides.is_null())
    device["l2_sides"] = std::move(sides);
  device["launches"] = launches_json(probed);
  if (ordered_json windows = windows_json(records, probed.device); !windows.is_null())
    device["windows"] = std::move(windows);
  device["quiet"] = quiet_json(probed, curves, host_load);
  return device;
}

}  // namespace

ordered_json machine_profile(const json& summary, std::span<const Record> records) {
  std::vector<Probed> devices;
  for (const Record& record : records) {
    if (record.kind != "probe" || record.status != results::Status::ok) continue;
    auto at = std::ranges::find(devices, record.state.device, &Probed::device);
    if (at == devices.end()) at = devices.insert(at, {.device = record.state.device, .records = {}});
    at->records.push_back(&record);
  }
  if (devices.empty()) throw UsageError("found no record of a probe; allowed: a run with probes");
  const std::vector<Curve> curves = curves_of(records);
  ordered_json profile{{"schema_version", kProfileSchemaVersion}};
  for (const char* key : {"name", "started", "finished", "program", "config_hash"})
    profile[key] = summary.contains(key) ? ordered_json(summary[key]) : ordered_json(nullptr);
  profile["devices"] = ordered_json::object();
  const json described = summary.value("devices", json::object());
  for (const Probed& probed : devices)
    profile["devices"][probed.device] =
        device_json(probed, records, described.value(probed.device, json::object()), curves,
                    summary.value("host_load", json::object()));
  return profile;
}

}  // namespace gpuseq::bench
