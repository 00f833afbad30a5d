#include "results/record_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/json_fields.hpp"
#include "results/statistics/statistics.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::results {
namespace {

Failure failure_from(const Fields& f) {
  return {f.get<std::string>("kind"), f.get<std::string>("reason")};
}

/// Of records of before 0.5.
constexpr const char* kMemoryNotRecorded = "it was not recorded";

bool is_duration(double seconds) {
  return seconds >= kLeastSampleS && seconds <= kMostSampleS;
}

[[noreturn]] void fail_duration(const Fields& fields, const std::string& name, double seconds) {
  fields.fail(name,
              fmt::format("found {}, allowed: seconds from {} to {}", seconds, kLeastSampleS, kMostSampleS));
}

double duration_from(const Fields& fields, const char* name) {
  const auto seconds = fields.get<double>(name);
  if (!is_duration(seconds)) fail_duration(fields, name, seconds);
  return seconds;
}

std::vector<double> samples_from(const Fields& fields) {
  auto samples = fields.get<std::vector<double>>("samples_s");
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (!is_duration(samples[i])) fail_duration(fields, fmt::format("samples_s/{}", i), samples[i]);
  return samples;
}

SingleLaunch single_launch_from(const Fields& f) {
  return {
      .samples_s = samples_from(f), .median_s = duration_from(f, "median_s"), .rate = f.get<double>("rate")};
}

/// What the program itself reads of it; the rest is for readers.
nlohmann::json provenance_from(const Fields& fields) {
  nlohmann::json provenance = fields.plain_object("provenance");
  for (const char* part : {"host", "device", "program"})
    if (provenance.contains(part) && !provenance[part].is_object())
      fields.fail(fmt::format("provenance/{}", part),
                  fmt::format("found {}, allowed: an object", provenance[part].type_name()));
  for (const auto& [part, name] : {std::pair("host", "available_cpus"), std::pair("device", "threads")})
    if (provenance.contains(part) && provenance[part].contains(name) &&
        !provenance[part][name].is_number_integer())
      fields.fail(fmt::format("provenance/{}/{}", part, name),
                  fmt::format("found {}, allowed: an integer", provenance[part][name].type_name()));
  return provenance;
}

std::optional<double> optional_number(const Fields& f, const char* name) {
  return f.at(name).is_null() ? std::nullopt : std::optional(f.get<double>(name));
}

std::optional<double> optional_duration(const Fields& f, const char* name) {
  return f.at(name).is_null() ? std::nullopt : std::optional(duration_from(f, name));
}

/// An interval is whole, or its reason stands there.
std::string interval_reason_from(const Fields& f) {
  const char* const parts[] = {"low_s", "high_s", "confidence", "rate_low", "rate_high"};
  const auto is_null = [&](const char* name) { return f.at(name).is_null(); };
  if (std::ranges::none_of(parts, is_null)) return "";
  for (const char* name : parts)
    if (!is_null(name)) f.fail(name, "stands beside parts of its interval that are null");
  return f.get<std::string>("interval_reason");
}

Statistics statistics_from(const Fields& f) {
  return {.samples = f.get<std::size_t>("samples"),
          .autocorrelation_time =
              f.has("autocorrelation_time") ? f.get<double>("autocorrelation_time") : 1,  // since version 2
          .median_s = duration_from(f, "median_s"),
          .low_s = optional_duration(f, "low_s"),
          .high_s = optional_duration(f, "high_s"),
          .confidence = optional_number(f, "confidence"),
          .interval_reason = interval_reason_from(f),
          .min_s = duration_from(f, "min_s"),
          .max_s = duration_from(f, "max_s"),
          .mean_s = duration_from(f, "mean_s"),
          .stddev_s = f.get<double>("stddev_s"),
          .rate = f.get<double>("rate"),
          .rate_low = optional_number(f, "rate_low"),
          .rate_high = optional_number(f, "rate_high"),
          .rate_unit = f.get<std::string>("rate_unit"),
          .stopped_by = f.get<std::string>("stopped_by")};
}

WitnessTimes witness_from(const Fields& f) {
  const WitnessTimes witness{.threads = f.get<int>("threads"),
                             .best_s = duration_from(f, "best_s"),
                             .slowdown = f.get<double>("slowdown")};
  if (!(witness.slowdown >= 1))
    f.fail("slowdown", fmt::format("found {}, allowed: 1 and more", witness.slowdown));
  return witness;
}

Verification verification_from(const Fields& f) {
  return {.passed = f.get<bool>("passed"),
          .checked = f.get<std::uint64_t>("checked"),
          .reason = f.get<std::string>("reason")};
}

Traffic traffic_from(const Fields& f) {
  Traffic traffic{.blocks = f.get<double>("blocks"),
                  .block_bytes = f.get<std::size_t>("block_bytes"),
                  .footprint_bytes = f.get<std::size_t>("footprint_bytes"),
                  .access = f.get<std::string>("access")};
  if (f.has("in_flight")) traffic.in_flight = f.get<double>("in_flight");
  if (f.has("classes"))  // of blocks that are not spread evenly only
    for (const Fields& c : f.objects("classes"))
      traffic.classes.push_back({c.get<std::size_t>("footprint_bytes"), c.get<double>("blocks"),
                                 c.has("spread_bytes") ? c.get<std::size_t>("spread_bytes") : 0});
  return traffic;
}

Instructions instructions_from(const Fields& f) {
  Instructions instructions{.operations = f.get<std::map<std::string, double>>("operations"),
                            .target = f.get<std::string>("target")};
  if (f.has("by_device"))  // of devices that share the work only
    for (const Fields& d : f.objects("by_device"))
      instructions.by_device.push_back({.device = d.get<std::string>("device"),
                                        .operations = d.get<std::map<std::string, double>>("operations"),
                                        .target = d.get<std::string>("target")});
  return instructions;
}

Resources resources_from(const Fields& f) {
  return {.registers_per_thread = f.get<int>("registers_per_thread"),
          .spill_bytes = f.get<int>("spill_bytes"),
          .local_bytes = f.get<int>("local_bytes"),
          .shared_bytes = f.get<int>("shared_bytes"),
          .threads_per_block = f.get<int>("threads_per_block"),
          .blocks = f.get<long long>("blocks"),
          .occupancy = f.get<double>("occupancy"),
          .compiled_by = f.get<std::string>("compiled_by"),
          .compile_s = f.get<double>("compile_s"),
          .from_cache = f.get<bool>("from_cache")};
}

HeldMemory memory_from(const Fields& f) {
  HeldMemory memory{.parts = f.get<std::map<std::string, std::uint64_t>>("parts")};
  if (const auto bytes = f.get<std::uint64_t>("bytes"); bytes != memory.bytes())
    f.fail("bytes", fmt::format("found {}, but its parts are {}", bytes, memory.bytes()));
  return memory;
}

/// Absent in records of versions that knew no cards, and of ceilings that stand on none.
std::optional<CeilingCard> ceiling_card_from(const Fields& ceiling) {
  if (!ceiling.has("card")) return std::nullopt;
  const Fields f = ceiling.object("card");
  return CeilingCard{.key = f.get<std::string>("key"), .made = f.get<std::string>("made")};
}

Ceiling ceiling_from(const Fields& f) {
  return {.rate = f.get<double>("rate"),
          .bound_by = f.get<std::string>("bound_by"),
          .explanation = f.get<std::string>("explanation"),
          .fraction = f.get<double>("fraction"),
          .card = ceiling_card_from(f)};
}

ProblemSize size_from(const Fields& f) {
  return {.axis = f.get<std::string>("axis"),
          .noun = f.get<std::string>("noun"),
          .value = f.get<std::int64_t>("value")};
}

Filling filling_from(const Fields& f) {
  return {.fills = f.at("fills").is_null() ? std::nullopt : std::optional(f.get<bool>("fills")),
          .reason = f.get<std::string>("reason")};
}

template <typename T, typename Read>
std::optional<T> optional_from(const Fields& fields, const char* name, Read read) {
  if (fields.at(name).is_null()) return std::nullopt;
  return read(fields.object(name));
}

template <typename T, typename Read>
Maybe<T> maybe_from(const Fields& fields, const char* name, Read read) {
  if (fields.at(name).is_null())
    return {std::nullopt, fields.get<std::string>(std::string(name) + "_reason")};
  return {read(fields), {}};
}

SharedJson shared(nlohmann::json value, JsonPool* pool) {
  return pool ? pool->share(std::move(value)) : SharedJson(std::move(value));
}

/// The date out of a provenance, where it is text; else empty.
std::string take_date(nlohmann::json& provenance) {
  const auto date = provenance.find("date");
  if (date == provenance.end() || !date->is_string()) return "";
  std::string text = date->get<std::string>();
  provenance.erase(date);
  return text;
}

Status status_from(const Fields& fields) {
  const auto word = fields.get<std::string>("status");
  for (const Status status : {Status::ok, Status::failed, Status::skipped})
    if (word == status_word(status)) return status;
  fields.fail("status", fmt::format("found \"{}\", allowed: ok, failed, skipped", word));
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

/// The axes in the order that they have in the state's key: a JSON object promises none.
Point in_order_of(std::string_view part_of_key, const Point& point) {
  const std::string text = fmt::format(",{}", part_of_key);
  const auto position = [&](const auto& item) { return text.find(fmt::format(",{}=", item.first)); };
  auto values = point.values();
  std::stable_sort(values.begin(), values.end(),
                   [&](const auto& a, const auto& b) { return position(a) < position(b); });
  return Point(std::move(values));
}

/// Takes the text of a point and the slash behind it from the front of `key`, and gives the point its order.
void take_point(std::string_view& key, Point& point) {
  const std::string text = point.to_string();
  // Whatever their order, the axes fill the same number of characters.
  if (!key.starts_with(text)) point = in_order_of(key.substr(0, text.size()), point);
  key.remove_prefix(std::min(key.size(), text.size() + 1));
}

StateKey state_from(const Fields& fields) {
  const auto key = fields.get<std::string>("state");
  StateKey state{.family = fields.get<std::string>("family"),
                 .variant = fields.get<std::string>("variant"),
                 .problem = fields.read("problem", point_from),
                 .point = fields.read("point", point_from),
                 .device = fields.get<std::string>("device")};
  std::string_view points = key;
  points.remove_prefix(std::min(points.size(), state.family.size() + state.variant.size() + 2));
  take_point(points, state.problem);
  take_point(points, state.point);
  if (state.to_string() != key)
    fields.fail("state",
                fmt::format("found \"{}\", but the fields beside it make \"{}\"", key, state.to_string()));
  return state;
}

}  // namespace

Record read_but_provenance(const JsonElement& json, JsonPool* pool) {
  const Fields fields(json);
  const int version = fields.get<int>("schema_version");
  if (version < 1 || version > kSchemaVersion)
    fields.fail("schema_version",
                fmt::format("found {}, this program reads 1 to {}", version, kSchemaVersion));

  Record record;
  record.state = state_from(fields);
  record.kind = fields.get<std::string>("kind");
  record.phase = fields.get<std::string>("phase");
  record.repetition = fields.get<int>("repetition");
  record.status = status_from(fields);
  record.failure = optional_from<Failure>(fields, "failure", failure_from);
  record.samples_s = samples_from(fields);
  if (version > 1) record.launches_per_sample = fields.get<int>("launches_per_sample");
  record.discarded_throttled = fields.get<int>("discarded_throttled");
  const Fields work = fields.object("work");
  record.work = {work.get<double>("amount"), work.get<std::string>("unit")};
  record.statistics = optional_from<Statistics>(fields, "statistics", statistics_from);
  // Version 1 gave one sample an interval, and two their range at 95 %.
  if (version == 1 && record.statistics && !record.samples_s.empty())
    set_interval(*record.statistics, record.samples_s, record.work, kConfidence);
  if (version > 1)
    record.single_launch = optional_from<SingleLaunch>(fields, "single_launch", single_launch_from);
  record.verification = optional_from<Verification>(fields, "verification", verification_from);
  record.traffic = optional_from<Traffic>(fields, "traffic", traffic_from);
  if (fields.has("instructions"))  // records of before 0.2 have none
    record.instructions = optional_from<Instructions>(fields, "instructions", instructions_from);
  record.resources = optional_from<Resources>(fields, "resources", resources_from);
  if (fields.has("memory"))
    record.memory = maybe_from<HeldMemory>(fields, "memory",
                                           [](const Fields& f) { return memory_from(f.object("memory")); });
  else
    record.memory.reason = kMemoryNotRecorded;
  using Counters = std::map<std::string, double>;
  record.counters =
      maybe_from<Counters>(fields, "counters", [](const Fields& f) { return f.get<Counters>("counters"); });
  record.energy =
      maybe_from<nlohmann::json>(fields, "energy", [](const Fields& f) { return f.plain_object("energy"); });
  record.ceiling = maybe_from<Ceiling>(fields, "ceiling",
                                       [](const Fields& f) { return ceiling_from(f.object("ceiling")); });
  record.side_samples_s = fields.get<std::map<std::string, std::vector<double>>>("side_samples_s");
  record.facts = shared(fields.plain_object("facts"), pool);
  record.notes = fields.get<std::vector<std::string>>("notes");
  // Older records have none of these.
  if (fields.has("discarded_neighbours"))
    record.discarded_neighbours = fields.get<int>("discarded_neighbours");
  if (fields.has("witness")) record.witness = witness_from(fields.object("witness"));
  if (fields.has("size")) record.size = size_from(fields.object("size"));
  if (fields.has("fills_device")) record.fills_device = filling_from(fields.object("fills_device"));
  if (fields.has("took_s")) record.took_s = fields.get<double>("took_s");
  record.synthetic = fields.get<bool>("synthetic");
  record.problem_hash = fields.get<std::string>("problem_hash");
  if (fields.has("problem_label")) record.problem_label = fields.get<std::string>("problem_label");
  return record;
}

Record read_record(const JsonElement& json, JsonPool* pool) {
  Record record = read_but_provenance(json, pool);
  nlohmann::json provenance = provenance_from(Fields(json));
  record.date = take_date(provenance);
  record.provenance = shared(std::move(provenance), pool);
  return record;
}

}  // namespace gpuseq::results
