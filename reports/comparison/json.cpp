#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/comparison/outputs.hpp"
#include "reports/comparison/words.hpp"

namespace gpuseq::comparison {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value, bool known = true) {
  return known && std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json side(double median_s, double rate, std::size_t values, std::size_t left_out) {
  return {{"median_s", number(median_s, values > 0)},
          {"rate", number(rate, rate > 0)},
          {"values", values},
          {"left_out", left_out}};
}

Json json_of(const StateComparison& state) {
  const bool numbers = state.ratio > 0;
  return {{"state", state.state.to_string()},
          {"family", state.state.family},
          {"variant", state.state.variant},
          {"problem", state.state.problem.to_json()},
          {"point", state.state.point.to_json()},
          {"device", state.state.device},
          {"verdict", word(state.verdict)},
          {"reason", state.reason},
          {"ratio", number(state.ratio, numbers)},
          {"low", number(state.low, numbers)},
          {"high", number(state.high, numbers)},
          {"p", number(state.p, numbers)},
          {"q", number(state.q, numbers)},
          {"noise_floor", number(state.noise_floor, numbers)},
          {"threshold", number(state.threshold, numbers)},
          {"base", side(state.base_median_s, state.base_rate, state.base_units, state.base_left_out)},
          {"new", side(state.new_median_s, state.new_rate, state.new_units, state.new_left_out)},
          {"values_are", numbers ? Json(state.unit) : Json(nullptr)},
          {"rate_unit", state.rate_unit.empty() ? Json(nullptr) : Json(state.rate_unit)}};
}

Json json_of(const CompareOptions& options) {
  return {{"min_effect", options.min_effect},
          {"confidence", options.confidence},
          {"false_discovery_rate", options.false_discovery_rate},
          {"seed", options.seed},
          {"allow_device", options.allowed.device},
          {"allow_driver", options.allowed.driver},
          {"allow_problem", options.allowed.problem},
          {"allow_missing", options.allow_missing},
          {"deleted", options.deleted}};
}

Json json_of(const Certificate& certificate) {
  return {
      {"draws", certificate.draws},
      {"false_alarms", certificate.false_alarms},
      {"false_alarm_bound", certificate.false_alarm_bound},
      {"smallest_caught", certificate.smallest_caught ? Json(*certificate.smallest_caught) : Json(nullptr)},
      {"base_processes", certificate.base_processes},
      {"new_processes", certificate.new_processes}};
}

Json counts_of(const Comparison& comparison) {
  Json counts;
  for (const Verdict verdict : {Verdict::failed, Verdict::missing, Verdict::regressed, Verdict::inconclusive,
                                Verdict::deleted, Verdict::added, Verdict::same, Verdict::improved})
    counts[std::string(word(verdict))] = comparison.count(verdict);
  counts["skipped_on_both"] = comparison.skipped_on_both;
  counts["refined_on_one_side"] = comparison.refined_on_one_side;
  return counts;
}

}  // namespace

std::string to_json(const Comparison& comparison) {
  Json states = Json::array(), differences = Json::array();
  for (const StateComparison& state : comparison.states) states.push_back(json_of(state));
  for (const ProvenanceDifference& difference : comparison.differences)
    differences.push_back(
        {{"field", difference.field}, {"base", difference.base}, {"new", difference.other}});
  const auto& certificate = comparison.certificate;
  Json json{{"schema_version", kComparisonSchemaVersion},
            {"exit_code", exit_code(comparison)},
            {"headline", headline(comparison)},
            {"base", comparison.base_name},
            {"new", comparison.new_name},
            {"options", json_of(comparison.options)},
            {"counts", counts_of(comparison)},
            {"certificate", certificate.value ? json_of(*certificate.value) : Json(nullptr)},
            {"states", std::move(states)},
            {"differences", std::move(differences)}};
  if (const auto& elsewhere = comparison.elsewhere)
    json["elsewhere"] = {{"steal_share", elsewhere->steal}, {"others_share", elsewhere->others}};
  if (!certificate.value)
    json["certificate_reason"] = certificate.reason.empty() ? "not asked for" : certificate.reason;
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpuseq::comparison
