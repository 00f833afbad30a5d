#include "bench/run/summary.hpp"

#include <algorithm>
#include <array>

#include "bench/base/or_null.hpp"
#include "bench/ceiling/curves.hpp"
#include "bench/config/provenance.hpp"
#include "bench/plan/tune.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;
using results::Record;
using results::Status;

constexpr std::size_t kRunnersUp = 3;

ordered_json counts_of(std::span<const Record> records) {
  std::array<int, 3> counts{};
  for (const Record& record : records) ++counts[static_cast<std::size_t>(record.status)];
  return {{"ok", counts[0]}, {"failed", counts[1]}, {"skipped", counts[2]}};
}

ordered_json knees_json(std::span<const Curve> curves, std::uint64_t seed) {
  ordered_json all = ordered_json::array();
  for (const Curve& curve : curves)
    for (const probes::Knee& knee : knees_of(curve, seed))
      all.push_back({{"probe", curve.probe},
                     {"device", curve.device},
                     {"variant", curve.variant},
                     {"point", curve.fixed.to_json()},
                     {"from_bytes", knee.from_bytes},
                     {"to_bytes", knee.to_bytes},
                     {"at_bytes", knee.at_bytes},
                     {"low_bytes", knee.low_bytes},
                     {"high_bytes", knee.high_bytes},
                     {"before", knee.before},
                     {"after", knee.after},
                     {"unit", curve.unit},
                     {"hard", knee.hard},
                     {"confidence", knee.confidence}});
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

ordered_json contest_json(const Contest& contest) {
  const Candidate& winner = contest.ranking.front();
  const results::Statistics& statistics = *winner.typical->statistics;
  ordered_json json{{"family", contest.family}, {"problem", contest.problem.to_json()}};
  if (!winner.typical->problem_label.empty()) json["problem_label"] = winner.typical->problem_label;
  json.update(ordered_json{
      {"device", contest.device},
      {"objective",
       {{"metric", contest.objective.metric}, {"direction", contest.objective.maximise ? "max" : "min"}}},
      {"variant", winner.key.variant},
      {"point", winner.key.point.to_json()},
      {"score", winner.score},
      {"rate", statistics.rate},
      {"rate_low", or_null(statistics.rate_low)},
      {"rate_high", or_null(statistics.rate_high)},
      {"confidence", or_null(statistics.confidence)},
      {"samples", statistics.samples},
      {"rate_unit", statistics.rate_unit},
      {"measured_again", winner.typical->phase == "tune"}});
  if (!statistics.confidence) json["interval_reason"] = statistics.interval_reason;
  const auto& ceiling = winner.typical->ceiling;
  json["fraction_of_ceiling"] = ceiling.value ? ordered_json(ceiling.value->fraction) : ordered_json(nullptr);
  if (ceiling.value)
    json["bound_by"] = ceiling.value->bound_by;
  else
    json["fraction_of_ceiling_reason"] = ceiling.reason;
  json["runners_up"] = ordered_json::array();
  for (std::size_t i = 1; i < std::min(contest.ranking.size(), 1 + kRunnersUp); ++i) {
    const Candidate& next = contest.ranking[i];
    json["runners_up"].push_back({{"variant", next.key.variant},
                                  {"point", next.key.point.to_json()},
                                  {"rate", next.typical->statistics->rate}});
  }
  return json;
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
  summary["devices"] = start.at("devices");
  for (const auto& [id, description] : devices.items()) summary["devices"][id] = description;
  if (start.contains("defaults")) summary["defaults"] = start["defaults"];  // older runs have none
  summary["counts"] = counts_of(records);
  const std::vector<Curve> curves = curves_of(records);
  summary["knees"] = knees_json(curves, config.seed);
  summary["probe_points"] = probe_points_json(curves);
  summary["tuned"] = ordered_json::array();
  for (const Contest& contest : contests(records, config.tune.objectives))
    summary["tuned"].push_back(contest_json(contest));
  return summary;
}

bool any_failed(std::span<const Record> records) {
  return std::any_of(records.begin(), records.end(),
                     [](const Record& r) { return r.status == Status::failed; });
}

}  // namespace gpuseq::bench
