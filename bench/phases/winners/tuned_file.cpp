#include "bench/phases/winners/tuned_file.hpp"

#include <set>

#include "bench/config/provenance.hpp"
#include "bench/phases/race/why_text.hpp"
#include "bench/plan/problem_data.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// A contest of run.json's `tuned`.
ordered_json winner_json(const ordered_json& tuned, std::span<const results::Record> records,
                         const SuiteConfig& config, const Registry& registry) {
  const std::string family = tuned["family"].get<std::string>();
  const Point problem = Point::from_json(tuned["problem"]);
  const SearchSpace& space = registry.shared_family(family)->problem_space();
  const auto or_nothing = [&](const char* key) { return tuned.value(key, ordered_json()); };
  const ordered_json memory = or_nothing("memory");
  std::set<std::string> variants;
  for (const auto& [variant, point] : measured_beside(tuned, records)) variants.insert(variant);
  return {{"family", family},
          {"problem_class", problem_class_json(problem_class_of(space, problem, data_bytes(config)))},
          {"problem", tuned["problem"]},
          {"problem_label", tuned.value("problem_label", "")},
          {"device", tuned["device"]},
          {"machine", ""},
          {"made", ""},
          {"objective", tuned["objective"]},
          {"variant", tuned["variant"]},
          {"point", tuned["point"]},
          {"variants", variants},
          {"score", tuned["score"]},
          {"rate", tuned["rate"]},
          {"rate_low", tuned["rate_low"]},
          {"rate_high", tuned["rate_high"]},
          {"confidence", tuned["confidence"]},
          {"rate_unit", tuned["rate_unit"]},
          {"bytes", memory.is_object() ? memory["bytes"] : ordered_json()},
          {"fraction_of_bound", tuned["fraction_of_bound"]},
          {"bound_by", or_nothing("bound_by")},
          {"race", tuned["race"]},
          {"tied_with", tuned["tied_with"]},
          {"runners_up", tuned["runners_up"]},
          {"why", why_text(tuned)}};
}

}  // namespace

ProfileKey winner_key(const json& description) {
  ProfileKey key = profile_key(description);
  key.fields.erase("probes");
  return key;
}

std::vector<std::pair<std::string, Point>> measured_beside(const ordered_json& winner,
                                                           std::span<const results::Record> records) {
  const auto family = winner["family"].get<std::string>(), device = winner["device"].get<std::string>();
  const Point problem = Point::from_json(winner["problem"]);
  std::vector<std::pair<std::string, Point>> found;
  for (const results::Record& record : records)
    if (record.kind == "kernel" && record.phase == "sweep" && record.status == results::Status::ok &&
        record.state.family == family && record.state.device == device && record.state.problem == problem)
      found.emplace_back(record.state.variant, record.state.point);
  return found;
}

ordered_json tuned_json(const ordered_json& summary, std::span<const results::Record> records,
                        const SuiteConfig& config, const Registry& registry) {
  const BuildInfo& build = build_info();
  ordered_json document{{"schema", 2},
                        {"name", summary["name"]},
                        {"made", summary["finished"]},
                        {"program", {{"version", build.version}, {"commit", build.commit}}},
                        {"machines", ordered_json::object()},
                        {"winners", ordered_json::array()},
                        {"pareto", summary.value("pareto", ordered_json::array())}};
  for (const ordered_json& tuned : summary["tuned"]) {
    // Where no work was done (no occurrence to locate) no rate says who is best.
    if (!(tuned["rate"].is_number() && tuned["rate"].get<double>() > 0)) continue;
    ordered_json winner = winner_json(tuned, records, config, registry);
    const ProfileKey key = winner_key(json(summary["devices"][tuned["device"].get<std::string>()]));
    winner["machine"] = key.hash();
    winner["made"] = summary["finished"];
    for (const char* limit : {"max_bytes", "max_index_bytes"})
      if (tuned.contains(limit)) winner[limit] = tuned[limit];
    document["machines"][key.hash()] = key.fields;
    document["winners"].push_back(std::move(winner));
  }
  return document;
}

}  // namespace gpuseq::bench
