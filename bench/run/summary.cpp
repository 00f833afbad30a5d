#include "bench/run/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "bench/bound/curves.hpp"
#include "bench/bound/device_levels.hpp"
#include "bench/config/provenance.hpp"
#include "bench/phases/race/contest.hpp"
#include "bench/phases/race/contest_json.hpp"
#include "bench/phases/race/objective.hpp"
#include "bench/phases/race/pareto.hpp"
#include "probes/levels/resampled.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;
using results::Record;
using results::Status;

ordered_json counts_of(std::span<const Record> records) {
  std::array<int, 3> counts{};
  for (const Record& record : records) ++counts[static_cast<std::size_t>(record.status)];
  return {{"ok", counts[0]}, {"failed", counts[1]}, {"skipped", counts[2]}};
}

/// By device its levels of memory, as a machine profile has them; none of a device whose probes show none.
ordered_json levels_by_device(std::span<const Curve> curves, const ordered_json& devices) {
  ordered_json all = ordered_json::object();
  for (const Curve& curve : curves) {
    if (all.contains(curve.device)) continue;
    const std::vector<probes::LevelCurve> input = level_curves(curves, curve.device);
    if (input.empty()) continue;
    const nlohmann::json description = devices.value(curve.device, nlohmann::json::object());
    all[curve.device] =
        levels_json(probes::fit_levels_resampled(input), input, stated_levels(description))["levels"];
  }
  return all;
}

/// By device how many points of curves were probed, and the states of those that passes do not agree on.
ordered_json probe_points_json(std::span<const Curve> curves) {
  ordered_json devices = ordered_json::object();
  for (const Curve& curve : curves) {
    ordered_json& device = devices[curve.device];
    if (device.is_null()) device = {{"measured", 0}, {"disturbed", ordered_json::array()}};
    device["measured"] = device["measured"].get<std::size_t>() + curve.points.size() + curve.disturbed.size();
    for (const Curve::At& at : curve.disturbed) device["disturbed"].push_back(at.state);
  }
  return devices;
}

/// Problems and devices that kernels were measured on and have no rate above 0 on: they have no winner.
ordered_json no_rate_json(std::span<const Record> records) {
  std::set<std::string> with_rate;
  std::vector<std::pair<std::string, const Record*>> without;
  for (const Record& record : records) {
    if (record.kind != "kernel" || record.phase == "size" || record.status != Status::ok ||
        !record.statistics)
      continue;
    const results::StateKey& state = record.state;
    const std::string key = fmt::format("{}/{}/{}", state.family, state.problem.to_string(), state.device);
    if (record.statistics->rate > 0)
      with_rate.insert(key);
    else if (std::ranges::find(without, key, &std::pair<std::string, const Record*>::first) == without.end())
      without.emplace_back(key, &record);
  }
  ordered_json all = ordered_json::array();
  for (const auto& [key, record] : without)
    if (!with_rate.contains(key))
      all.push_back({{"family", record->state.family},
                     {"problem", record->state.problem.to_json()},
                     {"problem_label", record->problem_label},
                     {"device", record->state.device},
                     {"reason", fmt::format("the work of a launch is {:g} {}, which gives no rate above 0",
                                            record->work.amount, record->work.unit)}});
  return all;
}

}  // namespace

ordered_json summarise_run(const nlohmann::json& start, const nlohmann::json& devices,
                           std::span<const Record> records, const SuiteConfig& config, bool complete) {
  ordered_json summary;
  for (const char* key : {"schema", "name", "started"}) summary[key] = start.at(key);
  summary["finished"] = utc_now();
  summary["complete"] = complete;
  for (const char* key : {"program", "config", "config_hash", "config_source", "invocation"})
    summary[key] = start.at(key);
  if (start.contains("data")) summary["data"] = start["data"];  // older runs have none
  summary["devices"] = start.at("devices");
  for (const auto& [id, description] : devices.items()) summary["devices"][id] = description;
  if (start.contains("defaults")) summary["defaults"] = start["defaults"];  // older runs have none
  summary["counts"] = counts_of(records);
  const std::vector<Curve> curves = curves_of(records);
  summary["levels"] = levels_by_device(curves, summary["devices"]);
  summary["probe_points"] = probe_points_json(curves);
  summary["tuned"] = ordered_json::array();
  const MemoryLimits& limits = config.tune.limits;
  const results::PhaseTimes times = phase_times_of(records);
  if (limits) summary["nothing_fits"] = ordered_json::array();
  const std::vector<Contest> all = contests(records, config.tune);
  if (config.tune.objectives.size() == 2) summary["pareto"] = pareto_json(all, config.tune.objectives);
  for (const Contest& contest : all)
    if (contest.ranking.empty())
      summary["nothing_fits"].push_back(nothing_fits_json(contest, limits));
    else
      summary["tuned"].push_back(contest_json(contest, limits, times));
  if (ordered_json without = no_rate_json(records); !without.empty()) summary["no_rate"] = std::move(without);
  return summary;
}

ordered_json host_load_json(const Maybe<HostLoad>& before, const Maybe<HostLoad>& after) {
  if (!before.value || !after.value) return {{"reason", before.value ? after.reason : before.reason}};
  const LoadShares shares = shares_between(*before.value, *after.value);
  return {{"steal_share", shares.steal}, {"others_share", shares.others}};
}

bool any_failed(std::span<const Record> records) {
  return std::any_of(records.begin(), records.end(),
                     [](const Record& r) { return r.status == Status::failed; });
}

}  // namespace gpuseq::bench
