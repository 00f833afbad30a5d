#include "bench/export/kernel_tuner.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <set>

#include "runtime/contract/errors.hpp"
#include "runtime/io/staged_file.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using results::Record;

constexpr double kMsOfS = 1000;
constexpr const char* kVariant = "variant";

/// The values of an axis in a space: numbers before words.
std::set<AxisValue> values_of(const MeasuredSpace& space, const std::string& parameter) {
  std::set<AxisValue> values;
  for (const Record* record : space.records)
    if (record->state.point.has(parameter)) values.insert(record->state.point.at(parameter));
  return values;
}

/// The value of each parameter of a state; a missing parameter has a placeholder of the same type.
class Configurations {
 public:
  explicit Configurations(const MeasuredSpace& space) : space_(space) {
    for (const std::string& parameter : space.parameters) {
      const std::set<AxisValue> values = values_of(space, parameter);
      const bool words = std::ranges::any_of(
          values, [](const AxisValue& one) { return std::holds_alternative<std::string>(one); });
      lacking_[parameter] = words ? AxisValue(std::string("none")) : AxisValue(std::int64_t{-1});
    }
  }

  AxisValue at(const results::StateKey& state, const std::string& parameter) const {
    if (parameter == kVariant) return state.variant;
    return state.point.has(parameter) ? state.point.at(parameter) : lacking_.at(parameter);
  }
  ordered_json of(const results::StateKey& state) const {
    ordered_json all = ordered_json::object();
    for (const std::string& parameter : space_.parameters)
      all[parameter] = ordered_json(to_json(at(state, parameter)));
    return all;
  }
  /// Kernel Tuner's name of a configuration: "simd,2,64".
  std::string name(const results::StateKey& state) const {
    std::vector<std::string> words;
    for (const std::string& parameter : space_.parameters) words.push_back(to_string(at(state, parameter)));
    return fmt::format("{}", fmt::join(words, ","));
  }
  ordered_json values() const {
    ordered_json all = ordered_json::object();
    for (const std::string& parameter : space_.parameters) {
      std::set<AxisValue> values;
      for (const Record* record : space_.records) values.insert(at(record->state, parameter));
      all[parameter] = ordered_json::array();
      for (const AxisValue& value : values) all[parameter].push_back(ordered_json(to_json(value)));
    }
    return all;
  }

 private:
  const MeasuredSpace& space_;
  std::map<std::string, AxisValue> lacking_;
};

/// Names of failures in both formats.
struct FailureNames {
  const char* cache;
  const char* t4;
};

/// Compiler errors are recognised by this part of their reason.
constexpr std::string_view kCompiler = " does not compile with ";

FailureNames names_of(const Record& record) {
  const std::string kind = record.failure ? record.failure->kind : "error";
  if (kind == "does_not_fit" || kind == "unsupported") return {"InvalidConfig", "constraints"};
  if (kind == "error" && record.failure && record.failure->reason.find(kCompiler) != std::string::npos)
    return {"CompilationFailedConfig", "compile"};
  if (kind == "wrong_result") return {"RuntimeFailedConfig", "correctness"};
  if (kind == "timeout") return {"RuntimeFailedConfig", "timeout"};
  return {"RuntimeFailedConfig", "runtime"};
}

/// Times of a state in ms; 0 if unknown.
struct Times {
  double compile = 0, benchmark = 0, framework = 0;
  std::vector<double> samples;
};

Times times_of(const Record& record) {
  Times times;
  if (record.resources) times.compile = kMsOfS * record.resources->compile_s;
  for (const double seconds : record.samples_s) times.samples.push_back(kMsOfS * seconds);
  times.benchmark =
      record.launches_per_sample * std::accumulate(times.samples.begin(), times.samples.end(), 0.0);
  times.framework = std::max(0.0, kMsOfS * record.took_s - times.compile - times.benchmark);
  return times;
}

/// "2026-11-25T03:00:00+00:00"
std::string timestamp_of(const Record& record) {
  std::string text = record.date;
  if (text.ends_with('Z')) text.replace(text.size() - 1, 1, "+00:00");
  return text;
}

ordered_json measurements_of(const Record& record) {
  ordered_json all = ordered_json::array();
  const auto add = [&](const char* name, double value, const std::string& unit) {
    all.push_back({{"name", name}, {"value", value}, {"unit", unit}});
  };
  if (record.statistics) {
    add("time", kMsOfS * record.statistics->median_s, "ms");
    add("rate", record.statistics->rate, record.statistics->rate_unit);
  }
  if (record.memory.value) add("memory_bytes", static_cast<double>(record.memory.value->bytes()), "B");
  if (record.bound.value) add("fraction_of_bound", record.bound.value->fraction, "");
  if (record.energy.value && record.energy.value->contains("work_per_joule"))
    add("work_per_joule", (*record.energy.value)["work_per_joule"].get<double>(), record.work.unit + "/J");
  return all;
}

std::string device_name(const Record& record) {
  const auto device = record.provenance.find("device");
  return device != record.provenance.end() && device->is_object() ? device->value("name", record.state.device)
                                                                  : record.state.device;
}

}  // namespace

std::vector<MeasuredSpace> measured_spaces(std::span<const Record> records) {
  std::vector<MeasuredSpace> spaces;
  std::map<std::string, std::size_t> places;
  std::map<std::string, int> numbers;  // spaces of a family and device
  std::set<std::string> seen;
  for (const Record& record : records) {
    const results::StateKey& state = record.state;
    if (record.kind != "kernel" || record.phase != "sweep" || !seen.insert(state.to_string()).second)
      continue;
    const std::string problem = state.problem.to_string();
    const auto [place, is_new] =
        places.emplace(fmt::format("{}/{}/{}", state.family, problem, state.device), spaces.size());
    if (is_new) {
      std::string name = state.family + "-" + state.device;
      std::ranges::replace(name, ':', '-');
      if (const int number = ++numbers[name]; number > 1) name += fmt::format("-{}", number);
      spaces.push_back({.name = name,
                        .family = state.family,
                        .device = device_name(record),
                        .problem = problem,
                        .parameters = {kVariant},
                        .records = {}});
    }
    MeasuredSpace& space = spaces[place->second];
    space.records.push_back(&record);
    for (const auto& [axis, value] : state.point.values())
      if (std::ranges::find(space.parameters, axis) == space.parameters.end())
        space.parameters.push_back(axis);
  }
  return spaces;
}

ordered_json kernel_tuner_cache(const MeasuredSpace& space) {
  const Configurations configurations(space);
  ordered_json cache = ordered_json::object();
  for (const Record* record : space.records) {
    const Times times = times_of(*record);
    ordered_json entry = configurations.of(record->state);
    if (record->status == results::Status::ok && record->statistics) {
      entry["time"] = kMsOfS * record->statistics->median_s;
      entry["times"] = times.samples;
      for (const ordered_json& one : measurements_of(*record))
        if (one["name"] != "time") entry[one["name"].get<std::string>()] = one["value"];
    } else {
      entry["time"] = names_of(*record).cache;
      entry["times"] = ordered_json::array();
    }
    entry["compile_time"] = times.compile;
    entry["verification_time"] = 0;
    entry["benchmark_time"] = times.benchmark;
    entry["strategy_time"] = 0;
    entry["framework_time"] = times.framework;
    entry["timestamp"] = timestamp_of(*record);
    cache[configurations.name(record->state)] = std::move(entry);
  }
  return {{"schema_version", "1.1.0"},
          {"device_name", space.device},
          {"kernel_name", space.family},
          {"problem_size", space.problem},
          {"tune_params_keys", space.parameters},
          {"tune_params", configurations.values()},
          {"objective", "time"},
          {"cache", std::move(cache)}};
}

ordered_json t4_results(const MeasuredSpace& space) {
  const Configurations configurations(space);
  ordered_json results = ordered_json::array();
  for (const Record* record : space.records) {
    const Times times = times_of(*record);
    const bool fine = record->status == results::Status::ok && record->statistics.has_value();
    const char* const validity = fine ? "correct" : names_of(*record).t4;
    results.push_back({{"timestamp", timestamp_of(*record)},
                       {"configuration", configurations.of(record->state)},
                       {"times",
                        {{"compilation_time", times.compile},
                         {"benchmark", times.benchmark},
                         {"framework", times.framework},
                         {"search_algorithm", 0},
                         {"validation", 0},
                         {"runtimes", times.samples}}},
                       {"invalidity", validity},
                       {"correctness", std::string_view(validity) == "correctness" ? 0 : 1},
                       {"measurements", measurements_of(*record)},
                       {"objectives", {"time"}}});
  }
  return {{"schema_version", "1.0.0"},
          {"metadata", {{"timeunit", "milliseconds"}, {"problem", space.problem}, {"device", space.device}}},
          {"results", std::move(results)}};
}

std::vector<fs::path> export_spaces(std::span<const Record> records, const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw UsageError(fmt::format("the folder {} cannot be made: {}", folder.string(), error.message()));
  std::vector<fs::path> paths;
  std::deque<StagedFile> files;  // committed all together or not at all
  for (const MeasuredSpace& space : measured_spaces(records))
    for (const auto& [ending, document] :
         {std::pair("cache", kernel_tuner_cache(space)), std::pair("t4", t4_results(space))}) {
      paths.push_back(folder / fmt::format("{}.{}.json", space.name, ending));
      files.emplace_back(paths.back()).out() << document.dump(1) << "\n";
      files.back().complete();
    }
  for (StagedFile& file : files) file.commit(Durability::survives_loss_of_power);
  return paths;
}

}  // namespace gpuseq::bench
