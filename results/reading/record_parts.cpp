#include "results/reading/record_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "results/reading/record_words.hpp"
#include "results/statistics/statistics.hpp"
#include "runtime/time/utc_date.hpp"

namespace gpuseq::results {
namespace {

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

std::optional<double> optional_rate(const Fields& f, const char* name) {
  return f.at(name).is_null() ? std::nullopt : std::optional(f.at_least(name, 0.0));
}

std::optional<double> confidence_from(const Fields& f) {
  if (f.at("confidence").is_null()) return std::nullopt;
  const double confidence = f.positive("confidence");
  if (!(confidence < 1)) f.fail("confidence", fmt::format("found {}, allowed: less than 1", confidence));
  return confidence;
}

std::optional<double> optional_duration(const Fields& f, const char* name) {
  return f.at(name).is_null() ? std::nullopt : std::optional(duration_from(f, name));
}

/// An interval is complete, or has a reason why it is missing.
std::string interval_reason_from(const Fields& f) {
  const char* const parts[] = {"low_s", "high_s", "confidence", "rate_low", "rate_high"};
  const auto is_null = [&](const char* name) { return f.at(name).is_null(); };
  if (std::ranges::none_of(parts, is_null)) {
    if (f.has("interval_reason")) f.text("interval_reason");
    return "";
  }
  for (const char* name : parts)
    if (!is_null(name)) f.fail(name, "is not null, but parts of its interval are");
  return f.text("interval_reason");
}

std::string rate_unit_from(const Fields& f) {
  auto unit = f.get<std::string>("rate_unit");
  if (!unit.ends_with("/s"))
    f.fail("rate_unit", fmt::format("found \"{}\", allowed: a text that ends in /s", unit));
  return unit;
}

TrafficClass traffic_class_from(const Fields& f) {
  TrafficClass one{f.at_least<std::size_t>("footprint_bytes", 1), f.at_least("blocks", 0.0), 0};
  if (f.has("spread_bytes")) one.spread_bytes = f.at_least<std::size_t>("spread_bytes", 1);
  f.refuse_others();
  return one;
}

std::map<std::string, double> operations_from(const Fields& f) {
  auto operations = f.get<std::map<std::string, double>>("operations");
  for (const auto& [name, count] : operations)
    if (!(count >= 0)) f.fail("operations/" + name, fmt::format("found {}, allowed: 0 and more", count));
  return operations;
}

DeviceInstructions device_instructions_from(const Fields& f) {
  DeviceInstructions one{.device = f.get<std::string>("device"),
                         .operations = operations_from(f),
                         .target = f.get<std::string>("target")};
  f.refuse_others();
  return one;
}

/// The machine profile whose rates the bound uses, if any.
std::optional<BoundSource> bound_profile_from(const Fields& bound) {
  static constexpr std::array<std::string_view, 2> kSources{"run", "profile"};
  const bool has_profile = bound.has("profile");
  if ((bound.word("source", kSources) == "profile") != has_profile)
    bound.fail("source", fmt::format("allowed {} a profile: {}", has_profile ? "with" : "without",
                                     kSources[has_profile ? 1 : 0]));
  if (!has_profile) return std::nullopt;
  const Fields f = bound.object("profile");
  BoundSource profile{.key = f.get<std::string>("key"), .made = f.get<std::string>("made")};
  require_hash(f, "key", profile.key);
  require_date(f, "made", profile.made);
  f.refuse_others();
  return profile;
}

}  // namespace

void require_hash(const Fields& fields, const char* name, const std::string& hash) {
  constexpr std::size_t kDigits = 16;
  if (hash.size() != kDigits || hash.find_first_not_of("0123456789abcdef") != hash.npos)
    fields.fail(name, fmt::format("found \"{}\", allowed: 16 hexadecimal digits", hash));
}

void require_date(const Fields& fields, const char* name, const std::string& date) {
  if (!is_utc_date(date))
    fields.fail(name, fmt::format("found \"{}\", allowed: a date such as 2026-11-20T21:26:08Z", date));
}

Failure failure_from(const Fields& f) {
  return {f.word("kind", kFailureKinds), f.text("reason")};
}

std::vector<double> samples_from(const Fields& fields) {
  auto samples = fields.get<std::vector<double>>("samples_s");
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (!is_duration(samples[i])) fail_duration(fields, fmt::format("samples_s/{}", i), samples[i]);
  return samples;
}

SingleLaunch single_launch_from(const Fields& f) {
  return {.samples_s = samples_from(f),
          .median_s = duration_from(f, "median_s"),
          .rate = f.at_least("rate", 0.0)};
}

Statistics statistics_from(const Fields& f) {
  return {.samples = f.at_least<std::size_t>("samples", 1),
          .autocorrelation_time = f.at_least("autocorrelation_time", 1.0),
          .median_s = duration_from(f, "median_s"),
          .low_s = optional_duration(f, "low_s"),
          .high_s = optional_duration(f, "high_s"),
          .confidence = confidence_from(f),
          .interval_reason = interval_reason_from(f),
          .min_s = duration_from(f, "min_s"),
          .max_s = duration_from(f, "max_s"),
          .mean_s = duration_from(f, "mean_s"),
          .stddev_s = f.at_least("stddev_s", 0.0),
          .rate = f.at_least("rate", 0.0),
          .rate_low = optional_rate(f, "rate_low"),
          .rate_high = optional_rate(f, "rate_high"),
          .rate_unit = rate_unit_from(f),
          .stopped_by = f.get<std::string>("stopped_by")};
}

ReferenceLoopTimes reference_loop_from(const Fields& f) {
  return {.threads = f.at_least("threads", 1),
          .best_s = duration_from(f, "best_s"),
          .slowdown = f.at_least("slowdown", 1.0)};
}

Verification verification_from(const Fields& f) {
  return {.passed = f.get<bool>("passed"),
          .checked = f.get<std::uint64_t>("checked"),
          .reason = f.get<std::string>("reason")};
}

Traffic traffic_from(const Fields& f) {
  static constexpr std::array<std::string_view, 2> kAccess{"independent", "dependent"};
  Traffic traffic{.blocks = f.at_least("blocks", 0.0),
                  .block_bytes = f.get<std::size_t>("block_bytes"),
                  .footprint_bytes = f.get<std::size_t>("footprint_bytes"),
                  .access = f.word("access", kAccess)};
  if (f.has("in_flight")) traffic.in_flight = f.positive("in_flight");
  if (f.has("classes"))  // only of blocks that are not spread evenly
    for (const Fields& c : f.objects("classes")) traffic.classes.push_back(traffic_class_from(c));
  return traffic;
}

Instructions instructions_from(const Fields& f) {
  Instructions instructions{.operations = operations_from(f), .target = f.get<std::string>("target")};
  if (!f.has("by_device")) return instructions;  // only of devices that share the work
  for (const Fields& d : f.objects("by_device"))
    instructions.by_device.push_back(device_instructions_from(d));
  if (instructions.by_device.empty()) f.fail("by_device", "found no device, allowed: one or more");
  return instructions;
}

Resources resources_from(const Fields& f) {
  return {.registers_per_thread = f.at_least("registers_per_thread", 0),
          .spill_bytes = f.at_least("spill_bytes", 0),
          .local_bytes = f.at_least("local_bytes", 0),
          .shared_bytes = f.at_least("shared_bytes", 0),
          .threads_per_block = f.at_least("threads_per_block", 0),
          .blocks = f.at_least("blocks", 0LL),
          .occupancy = f.at_least("occupancy", 0.0),
          .compiled_by = f.get<std::string>("compiled_by"),
          .compile_s = f.at_least("compile_s", 0.0),
          .from_cache = f.get<bool>("from_cache")};
}

HeldMemory memory_from(const Fields& f) {
  HeldMemory memory{.parts = f.get<std::map<std::string, std::uint64_t>>("parts")};
  if (const auto bytes = f.get<std::uint64_t>("bytes"); bytes != memory.bytes())
    f.fail("bytes", fmt::format("found {}, but its parts are {}", bytes, memory.bytes()));
  for (const auto& [name, bytes] : memory.parts)
    if (bytes == 0) f.fail("parts/" + name, "found 0, allowed: 1 and more");
  return memory;
}

Bound bound_from(const Fields& f) {
  return {.rate = f.at_least("rate", 0.0),
          .bound_by = f.get<std::string>("bound_by"),
          .explanation = f.get<std::string>("explanation"),
          .fraction = f.at_least("fraction", 0.0),
          .profile = bound_profile_from(f)};
}

ProblemSize size_from(const Fields& f) {
  return {.axis = f.text("axis"), .noun = f.text("noun"), .value = f.at_least<std::int64_t>("value", 1)};
}

Filling filling_from(const Fields& f) {
  return {.fills = f.at("fills").is_null() ? std::nullopt : std::optional(f.get<bool>("fills")),
          .reason = f.text("reason")};
}

}  // namespace gpuseq::results
