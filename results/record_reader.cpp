#include "results/record_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/json_fields.hpp"
#include "results/reading/record_parts.hpp"
#include "results/reading/record_words.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::results {
namespace {

/// A part of a record that is an object, all of whose fields `read` must read.
template <typename Read>
auto part_from(const Fields& fields, const char* name, Read read) {
  const Fields part = fields.object(name);
  auto value = read(part);
  part.refuse_others();
  return value;
}

template <typename T, typename Read>
std::optional<T> optional_from(const Fields& fields, const char* name, Read read) {
  if (fields.at(name).is_null()) return std::nullopt;
  return part_from(fields, name, read);
}

template <typename T, typename Read>
Maybe<T> maybe_from(const Fields& fields, const char* name, Read read) {
  const std::string reason = std::string(name) + "_reason";
  if (fields.at(name).is_null()) return {std::nullopt, fields.text(reason)};
  if (fields.has(reason)) fields.text(reason);
  return {read(fields), {}};
}

SharedJson shared(nlohmann::json value, JsonPool* pool) {
  return pool ? pool->share(std::move(value)) : SharedJson(std::move(value));
}

std::string date_from(const Fields& fields) {
  auto date = fields.get<std::string>("date");
  require_date(fields, "date", date);
  return date;
}

/// Only the id: its provenance is in another line.
std::string provenance_id_from(const Fields& fields) {
  auto id = fields.get<std::string>("provenance");
  require_hash(fields, "provenance", id);
  return id;
}

Status status_from(const Fields& fields) {
  const std::string word = fields.word("status", kStatusWords);
  return static_cast<Status>(std::ranges::find(kStatusWords, word) - kStatusWords.begin());
}

/// Every status except ok has a failure.
std::optional<Failure> failure_beside(Status status, const Fields& fields) {
  const auto failure = optional_from<Failure>(fields, "failure", failure_from);
  if (failure.has_value() == (status == Status::ok))
    fields.fail("failure",
                fmt::format("is {} with the status {}", failure ? "an object" : "null", status_word(status)));
  return failure;
}

Point point_from(const JsonElement& json) {
  Point::Values values;
  const auto add = [&](std::string_view axis, const JsonElement& value) {
    std::int64_t number = 0;
    if (value.is_string())
      values.emplace_back(axis, std::string(std::string_view(value)));
    else if (value.get(number) == simdjson::SUCCESS)
      values.emplace_back(axis, number);
    else
      return false;
    return true;
  };
  bool is_point = json.is_object();
  if (is_point) {
    const auto axes = members_of(json);
    values.reserve(axes.size());
    is_point = std::ranges::all_of(axes, [&](const auto& axis) { return add(axis.first, axis.second); });
  }
  return is_point ? Point(std::move(values)) : Point::from_json(json_from<nlohmann::json>(json));
}

/// The axes in the order of the state's key: JSON objects are unordered.
Point in_order_of(std::string_view part_of_key, const Point& point) {
  const std::string text = fmt::format(",{}", part_of_key);
  const auto position = [&](const auto& item) { return text.find(fmt::format(",{}=", item.first)); };
  auto values = point.values();
  std::stable_sort(values.begin(), values.end(),
                   [&](const auto& a, const auto& b) { return position(a) < position(b); });
  return Point(std::move(values));
}

/// Removes the text of a point and the slash behind it from the front of `key`, and orders the point's axes
/// as in the key.
void take_point(std::string_view& key, Point& point) {
  const std::string text = point.to_string();
  // The length of the text is independent of the order of the axes.
  if (!key.starts_with(text)) point = in_order_of(key.substr(0, text.size()), point);
  key.remove_prefix(std::min(key.size(), text.size() + 1));
}

/// "cpu" or "cuda:0"
std::string device_from(const Fields& fields) {
  auto device = fields.get<std::string>("device");
  std::string_view number = device;
  const bool is_cuda = number.starts_with("cuda:");
  if (is_cuda) number.remove_prefix(std::string_view("cuda:").size());
  if (device != "cpu" &&
      (!is_cuda || number.empty() || number.find_first_not_of("0123456789") != number.npos))
    fields.fail("device", fmt::format("found \"{}\", allowed: cpu, cuda:0, cuda:1 ...", device));
  return device;
}

StateKey state_from(const Fields& fields) {
  const auto key = fields.get<std::string>("state");
  StateKey state{.family = fields.text("family"),
                 .variant = fields.text("variant"),
                 .problem = fields.read("problem", point_from),
                 .point = fields.read("point", point_from),
                 .device = device_from(fields)};
  std::string_view points = key;
  points.remove_prefix(std::min(points.size(), state.family.size() + state.variant.size() + 2));
  take_point(points, state.problem);
  take_point(points, state.point);
  if (state.to_string() != key)
    fields.fail("state",
                fmt::format("found \"{}\", but the other fields make \"{}\"", key, state.to_string()));
  return state;
}

std::map<std::string, std::vector<double>> side_samples_from(const Fields& fields) {
  auto samples = fields.get<std::map<std::string, std::vector<double>>>("side_samples_s");
  for (const auto& [name, seconds] : samples)
    for (std::size_t i = 0; i < seconds.size(); ++i)
      if (!(seconds[i] >= 0))
        fields.fail(fmt::format("side_samples_s/{}/{}", name, i),
                    fmt::format("found {}, allowed: 0 and more", seconds[i]));
  return samples;
}

/// Fields that are null, with a reason, if they could not be measured.
void read_what_may_lack(const Fields& fields, Record& record) {
  record.memory = maybe_from<HeldMemory>(fields, "memory",
                                         [](const Fields& f) { return part_from(f, "memory", memory_from); });
  using Counters = std::map<std::string, double>;
  record.counters =
      maybe_from<Counters>(fields, "counters", [](const Fields& f) { return f.get<Counters>("counters"); });
  record.energy =
      maybe_from<nlohmann::json>(fields, "energy", [](const Fields& f) { return f.plain_object("energy"); });
  record.bound =
      maybe_from<Bound>(fields, "bound", [](const Fields& f) { return part_from(f, "bound", bound_from); });
}

/// Fields that are absent if they have nothing to report.
void read_optional_fields(const Fields& fields, Record& record) {
  if (fields.has("discarded_disturbed"))
    record.discarded_interference = fields.at_least("discarded_disturbed", 0);
  if (fields.has("reference_loop"))
    record.reference_loop = part_from(fields, "reference_loop", reference_loop_from);
  if (fields.has("size")) record.size = part_from(fields, "size", size_from);
  if (fields.has("fills_device")) record.fills_device = part_from(fields, "fills_device", filling_from);
  if (fields.has("took_s")) record.took_s = fields.positive("took_s");
  if (fields.has("problem_label")) record.problem_label = fields.text("problem_label");
  if (fields.has("date")) record.date = date_from(fields);
}

}  // namespace

Record read_record(const JsonElement& json, JsonPool* pool) {
  const Fields fields(json);
  const int version = fields.get<int>("schema_version");
  if (version > 0 && version < kSchemaVersion)
    fields.fail("schema_version",
                fmt::format("found {}, allowed: {}; `gpuseq-bench migrate RUN` converts a run", version,
                            kSchemaVersion));
  if (version != kSchemaVersion)
    fields.fail("schema_version", fmt::format("found {}, allowed: {}", version, kSchemaVersion));

  Record record;
  record.state = state_from(fields);
  record.kind = fields.word("kind", kRecordKinds);
  record.phase = fields.word("phase", kPhaseWords);
  record.repetition = fields.at_least("repetition", 0);
  record.status = status_from(fields);
  record.failure = failure_beside(record.status, fields);
  record.samples_s = samples_from(fields);
  record.launches_per_sample = fields.at_least("launches_per_sample", 1);
  record.discarded_throttled = fields.at_least("discarded_throttled", 0);
  record.work = part_from(fields, "work", [](const Fields& f) {
    return Work{f.at_least("amount", 0.0), f.get<std::string>("unit")};
  });
  record.statistics = optional_from<Statistics>(fields, "statistics", statistics_from);
  record.single_launch = optional_from<SingleLaunch>(fields, "single_launch", single_launch_from);
  record.verification = optional_from<Verification>(fields, "verification", verification_from);
  record.traffic = optional_from<Traffic>(fields, "traffic", traffic_from);
  record.instructions = optional_from<Instructions>(fields, "instructions", instructions_from);
  record.resources = optional_from<Resources>(fields, "resources", resources_from);
  read_what_may_lack(fields, record);
  record.side_samples_s = side_samples_from(fields);
  record.facts = shared(fields.plain_object("facts"), pool);
  record.notes = fields.get<std::vector<std::string>>("notes");
  read_optional_fields(fields, record);
  record.synthetic = fields.get<bool>("synthetic");
  record.problem_hash = fields.get<std::string>("problem_hash");
  if (!record.problem_hash.empty()) require_hash(fields, "problem_hash", record.problem_hash);
  record.provenance = shared(provenance_id_from(fields), pool);
  fields.refuse_others();
  return record;
}

}  // namespace gpuseq::results
