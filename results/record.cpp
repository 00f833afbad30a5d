#include "results/record.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/json_fields.hpp"
#include "results/reading/provenances.hpp"
#include "results/reading/record_words.hpp"
#include "results/record_fields.hpp"
#include "results/record_reader.hpp"

namespace gpuseq::results {

using nlohmann::ordered_json;

namespace {

template <typename T>
ordered_json json_of(const T& value);

template <typename T>
ordered_json json_of(const std::optional<T>& value) {
  return value ? json_of(*value) : ordered_json(nullptr);
}

template <typename T>
requires HasFields<T> ordered_json json_of(const std::vector<T>& parts) {
  ordered_json list = ordered_json::array();
  for (const T& one : parts) list.push_back(json_of(one));
  return list;
}

/// Adds fields to an object. Their names must be new.
auto adding_to(ordered_json& object) {
  return [&fields = object.get_ref<ordered_json::object_t&>()](const char* name, const auto& value) {
    fields.emplace_back(name, json_of(value));
  };
}

template <typename T>
ordered_json json_of(const T& value) {
  if constexpr (HasFields<T>) {
    ordered_json object = ordered_json::object();
    visit_fields(value, adding_to(object));
    return object;
  } else {
    return value;
  }
}

}  // namespace

std::string StateKey::to_string() const {
  return fmt::format("{}/{}/{}/{}/{}", family, variant, problem.to_string(), point.to_string(), device);
}

std::string_view status_word(Status status) {
  return kStatusWords[static_cast<std::size_t>(status)];
}

int phase_rank(std::string_view phase) {
  return static_cast<int>(std::ranges::find(kPhaseWords, phase) - kPhaseWords.begin());
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
                    {"failure", json_of(record.failure)}};
  visit_numbers(record, adding_to(json));
  json["synthetic"] = record.synthetic;
  json["problem_hash"] = record.problem_hash;
  if (!record.problem_label.empty()) json["problem_label"] = record.problem_label;
  if (!record.date.empty()) json["date"] = record.date;
  json["provenance"] = provenance_id(record.provenance);
  require_finite(json);
  return json;
}

Record record_from_json(const ordered_json& json) {
  JsonParser parser;
  return read_record(parser.parse(json.dump(-1, ' ', false, ordered_json::error_handler_t::replace)));
}

}  // namespace gpuseq::results
