#include "results/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "results/json_fields.hpp"
#include "results/record_reader.hpp"

namespace gpuseq::results {

using nlohmann::ordered_json;

namespace {

ordered_json to_json(const Failure& failure) {
  return {{"kind", failure.kind}, {"reason", failure.reason}};
}

ordered_json to_json(const Statistics& s) {
  return {{"samples", s.samples},     {"median_s", s.median_s},     {"low_s", s.low_s},
          {"high_s", s.high_s},       {"confidence", s.confidence}, {"min_s", s.min_s},
          {"max_s", s.max_s},         {"mean_s", s.mean_s},         {"stddev_s", s.stddev_s},
          {"rate", s.rate},           {"rate_low", s.rate_low},     {"rate_high", s.rate_high},
          {"rate_unit", s.rate_unit}, {"stopped_by", s.stopped_by}};
}

ordered_json to_json(const Verification& v) {
  return {{"passed", v.passed}, {"checked", v.checked}, {"reason", v.reason}};
}

ordered_json to_json(const Traffic& t) {
  ordered_json json{{"blocks", t.blocks},
                    {"block_bytes", t.block_bytes},
                    {"footprint_bytes", t.footprint_bytes},
                    {"access", t.access}};
  for (const TrafficClass& c : t.classes)
    json["classes"].push_back({{"footprint_bytes", c.footprint_bytes}, {"blocks", c.blocks}});
  return json;
}

ordered_json to_json(const Instructions& i) {
  return {{"operations", i.operations}, {"target", i.target}};
}

ordered_json to_json(const Resources& r) {
  return {{"registers_per_thread", r.registers_per_thread},
          {"spill_bytes", r.spill_bytes},
          {"local_bytes", r.local_bytes},
          {"shared_bytes", r.shared_bytes},
          {"threads_per_block", r.threads_per_block},
          {"blocks", r.blocks},
          {"occupancy", r.occupancy},
          {"compiled_by", r.compiled_by},
          {"compile_s", r.compile_s},
          {"from_cache", r.from_cache}};
}

ordered_json to_json(const Ceiling& c) {
  return {
      {"rate", c.rate}, {"bound_by", c.bound_by}, {"explanation", c.explanation}, {"fraction", c.fraction}};
}

ordered_json to_json(const std::map<std::string, double>& values) {
  return values;
}
ordered_json to_json(const nlohmann::json& value) {
  return value;
}

template <typename T>
ordered_json or_null(const std::optional<T>& value) {
  return value ? to_json(*value) : ordered_json(nullptr);
}

/// A null never stands without a reason.
template <typename T>
void put(ordered_json& object, const std::string& name, const Maybe<T>& maybe) {
  object[name] = or_null(maybe.value);
  if (!maybe.value) object[name + "_reason"] = maybe.reason.empty() ? "not measured" : maybe.reason;
}

nlohmann::json provenance_of(const Record& record) {
  nlohmann::json provenance = *record.provenance;
  if (!record.date.empty()) provenance["date"] = record.date;
  return provenance;
}

}  // namespace

std::string StateKey::to_string() const {
  return fmt::format("{}/{}/{}/{}/{}", family, variant, problem.to_string(), point.to_string(), device);
}

std::string_view status_word(Status status) {
  static constexpr std::array<std::string_view, 3> words{"ok", "failed", "skipped"};
  return words[static_cast<std::size_t>(status)];
}

int phase_rank(std::string_view phase) {
  static constexpr std::array<std::string_view, 4> order{"probe", "refine", "sweep", "tune"};
  return static_cast<int>(std::find(order.begin(), order.end(), phase) - order.begin());
}

ordered_json to_json(const Record& record) {
  ordered_json json{{"schema_version", kSchemaVersion},
                    {"state", record.state.to_string()},
                    {"family", record.state.family},
                    {"variant", record.state.variant},
                    {"problem", record.state.problem.to_json()},
                    {"point", record.state.point.to_json()},
                    {"device", record.state.device},
                    {"kind", record.kind},
                    {"phase", record.phase},
                    {"repetition", record.repetition},
                    {"status", status_word(record.status)},
                    {"failure", or_null(record.failure)}};
  add_numbers(json, record);
  json["synthetic"] = record.synthetic;
  json["problem_hash"] = record.problem_hash;
  json["provenance"] = provenance_of(record);
  require_finite(json);
  return json;
}

void add_numbers(ordered_json& json, const Record& record) {
  json["samples_s"] = record.samples_s;
  json["discarded_throttled"] = record.discarded_throttled;
  json["work"] = {{"amount", record.work.amount}, {"unit", record.work.unit}};
  json["statistics"] = or_null(record.statistics);
  json["verification"] = or_null(record.verification);
  json["traffic"] = or_null(record.traffic);
  json["instructions"] = or_null(record.instructions);
  json["resources"] = or_null(record.resources);
  put(json, "counters", record.counters);
  put(json, "energy", record.energy);
  put(json, "ceiling", record.ceiling);
  json["side_samples_s"] = record.side_samples_s;
  json["facts"] = *record.facts;
  json["notes"] = record.notes;
}

Record record_from_json(const ordered_json& json) {
  JsonParser parser;
  return read_record(parser.parse(json.dump(-1, ' ', false, ordered_json::error_handler_t::replace)));
}

}  // namespace gpuseq::results
