#include "bench/config/config.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "bench/config/cache_dir.hpp"
#include "bench/config/config_file.hpp"
#include "bench/config/json_file.hpp"
#include "bench/config/provenance.hpp"
#include "bench/config/role_files.hpp"
#include "bench/config/schema_check.hpp"
#include "bench/config/tool.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/data_file.hpp"
#include "runtime/io/embedded.hpp"
#include "runtime/io/number_text.hpp"

GPUSEQ_EMBEDDED(config_schema)

namespace gpuseq::bench {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

void make_absolute(json& node, const fs::path& folder) {
  node = (folder / node.get<std::string>()).lexically_normal().string();
}

/// A file of data that is not there, and that was installed with the program, is the installed one.
void take_installed_data(json& node) {
  const fs::path file = node.get<std::string>(), installed = source_root() / "data" / file.filename();
  std::error_code error;
  if (!fs::exists(file, error) && fs::exists(installed, error)) node = installed.string();
}

void make_paths_absolute(json& document, const fs::path& folder) {
  for (const char* key : {"output", "cache_dir", "published"})
    if (document.contains(key)) make_absolute(document[key], folder);
  if (document.contains("data"))
    for (auto& [name, file] : document["data"].items()) {
      make_absolute(file["path"], folder);
      take_installed_data(file["path"]);
    }
  if (const json::json_pointer runs("/tune/from"); document.contains(runs))
    for (json& run : document[runs]) make_absolute(run, folder);
}

void refuse_standard_input(const json& document, const std::string& source) {
  const json data = document.value("data", json::object());
  for (const auto& [name, file] : data.items())
    if (names_standard_input(file["path"].get<std::string>()))
      throw UsageError(
          fmt::format("{}: /data/{}/path: found standard input, which can be read once only; allowed: a file",
                      source, name));
}

/// Replaces a run.json by the config of its run, with the published values of this checkout, if it has them.
void take_config_of_run(json& document, const fs::path& folder) {
  if (!document.is_object() || !document.contains("config") || !document["config"].is_object()) return;
  json config = std::move(document["config"]);
  if (config.contains("published") && config["published"].is_string()) {
    const fs::path file =
        published_file((folder / config["published"].get<std::string>()).lexically_normal());
    if (file.empty())
      config.erase("published");
    else
      config["published"] = file.string();
  }
  document = std::move(config);
}

/// Adds the probes of the config file named in "probes_of".
void take_probes_of_file(json& document, const std::string& source, const fs::path& folder) {
  if (!document.is_object() || !document.contains("probes_of") || !document["probes_of"].is_string()) return;
  const fs::path file = (folder / document["probes_of"].get<std::string>()).lexically_normal();
  json probes;
  try {
    probes = read_json(file).value("probes", json());
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: /probes_of: {}", source, error.what()));
  }
  if (!probes.is_object())
    throw UsageError(fmt::format("{}: /probes_of: the config {} has no probes", source, file.string()));
  if (document.contains("probes") && document["probes"].is_object()) probes.update(document["probes"]);
  document["probes"] = std::move(probes);
  document.erase("probes_of");
}

std::string device_list(const json& devices) {
  if (devices.is_string()) return devices.get<std::string>();
  return fmt::format("{}", fmt::join(devices.get<std::vector<std::string>>(), ","));
}

SamplingOptions sampling_from(const json& document) {
  SamplingOptions options;
  const json sampling = document.value("sampling", json::object());
  options.min_samples = sampling.value("min_samples", options.min_samples);
  options.max_samples = sampling.value("max_samples", std::max(options.max_samples, options.min_samples));
  options.max_seconds = sampling.value("max_seconds", options.max_seconds);
  options.six_samples_seconds = sampling.value("six_samples_seconds", options.six_samples_seconds);
  options.short_launch_seconds = sampling.value("short_launch_seconds", options.short_launch_seconds);
  options.min_seconds = sampling.value("min_seconds", options.min_seconds);
  options.relative_interval = sampling.value("relative_interval", options.relative_interval);
  options.warmup = sampling.value("warmup", options.warmup);
  options.probe_passes = sampling.value("probe_passes", options.probe_passes);
  options.cold_cache = sampling.value("cache", std::string("hot")) == "cold";
  return options;
}

/// Bytes as a number or with a unit prefix. @throws UsageError naming the place
std::optional<std::uint64_t> bytes_at(const json& document, const char* pointer, const std::string& source) {
  const json::json_pointer place(pointer);
  if (!document.contains(place)) return std::nullopt;
  const json& given = document[place];
  if (!given.is_string()) return given.get<std::uint64_t>();
  try {
    return parse_bytes(given.get<std::string>());
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}: {}", source, pointer, error.what()));
  }
}

TuneOptions tune_from(const json& document, const std::string& source) {
  TuneOptions options;
  options.limits = {.bytes = bytes_at(document, "/limits/max_bytes", source),
                    .index_bytes = bytes_at(document, "/limits/max_index_bytes", source)};
  const json tune = document.value("tune", json::object());
  options.remeasure = tune.value("remeasure", options.remeasure);
  options.rounds = tune.value("rounds", options.rounds);
  options.strategy = tune.value("strategy", options.strategy);
  options.evaluations = tune.value("evaluations", options.evaluations);
  for (const json& run : tune.value("from", json::array())) options.from.emplace_back(run.get<std::string>());
  for (const json& one : tune.value("first", json::array()))
    options.first.push_back({one["variant"].get<std::string>(), Point::from_json(one["point"])});
  if (!tune.contains("objectives")) return options;
  options.objectives.clear();
  for (const json& objective : tune["objectives"]) {
    const std::string metric = objective["metric"].get<std::string>();
    const std::string usual = metric == "memory_bytes" || metric == "time_to_solution_s" ? "min" : "max";
    options.objectives.push_back(
        {.metric = metric, .maximise = objective.value("direction", usual) == "max"});
  }
  return options;
}

/// From false, true, "winners", or a list of metrics for all.
ExtraPass extra_pass_from(const json& given) {
  if (given.is_string()) return ExtraPass::winners;
  return given == json(false) ? ExtraPass::none : ExtraPass::all;
}

BoundsFrom bounds_from(const json& document) {
  const std::string given = document.value("bounds_from", std::string("auto"));
  return given == "run" ? BoundsFrom::run : given == "profile" ? BoundsFrom::profile : BoundsFrom::automatic;
}

void check_between_keys(const SuiteConfig& config) {
  if (config.sampling.max_samples < config.sampling.min_samples)
    throw UsageError(fmt::format("{}: /sampling/max_samples: found {}; allowed: at least min_samples, {}",
                                 config.source, config.sampling.max_samples, config.sampling.min_samples));
  for (const Objective& objective : config.tune.objectives)
    if (objective.metric == "work_per_joule" && config.energy != ExtraPass::all)
      throw UsageError(fmt::format("{}: /tune/objectives: the metric work_per_joule needs \"energy\": true",
                                   config.source));
}

/// The document without the parts that do not influence the results.
json hashed_part(const json& document) {
  json part = document;
  for (const char* key :
       {"$schema", "description", "output", "cache_dir", "timeout_s", "published", "bounds_from", "budget_s"})
    part.erase(key);
  return part;
}

}  // namespace

const json& config_schema() {
  static const json schema = parse_json(embedded_config_schema(), "configs/schema.json");
  return schema;
}

SuiteConfig load_config(const fs::path& path, const std::vector<std::string>& overrides,
                        const std::function<void(json&)>& edit) {
  const fs::path folder = fs::absolute(path).parent_path();
  json document = read_json(path);
  take_config_of_run(document, folder);
  if (edit) edit(document);
  take_probes_of_file(document, path.string(), folder);  // may be overridden
  for (const std::string& text : overrides) apply_override(document, text);
  return config_from_json(std::move(document), path.string(), folder);
}

SuiteConfig config_from_json(json document, const std::string& source, const fs::path& folder) {
  expand_variables(document, source);
  take_probes_of_file(document, source, folder);
  check_schema(document, config_schema(), source);
  refuse_standard_input(document, source);
  make_paths_absolute(document, folder);
  // The tools' content, not the file name: so it is part of the hash, and a resumed run keeps its tools.
  if (document.contains("tools")) {
    const std::string place = document["tools"].is_object() ? source + ": /tools" : source;
    document["tools"] = resolve_tools(document["tools"], folder, place);
  }
  check_texts(document, source);  // again: the folder of a file may not be UTF-8
  SuiteConfig config;
  config.source = source;
  config.name = document["name"].get<std::string>();
  config.seed = document.value("seed", config.seed);
  const json data = document.value("data", json::object());
  for (const auto& [name, file] : data.items())
    config.data[name] = {.path = file["path"].get<std::string>(),
                         .member = file.value("member", ""),
                         .package = file.value("package", "")};
  config.devices = device_list(document.value("devices", json("auto")));
  config.output = document.value("output", std::string());
  config.cache_dir = document.value("cache_dir", std::string());
  if (config.cache_dir.empty()) config.cache_dir = default_cache_dir().path;
  config.sampling = sampling_from(document);
  config.tune = tune_from(document, source);
  config.device_memory = bytes_at(document, "/device_memory", source);
  const json counters = document.value("counters", json(false));
  config.counters = extra_pass_from(counters);
  if (counters.is_array()) config.metrics = counters.get<std::vector<std::string>>();
  config.energy = extra_pass_from(document.value("energy", json(false)));
  config.timeout_s = document.value("timeout_s", config.timeout_s);
  config.probe_budget_s = document.value("probe_budget_s", config.probe_budget_s);
  config.bounds_from = bounds_from(document);
  if (document.contains("budget_s")) {
    const json& budget = document["budget_s"];
    config.budget_s = budget.is_number() ? budget.get<double>() : budget["cpu"].get<double>();
    config.budget_with_gpu_s = budget.is_number() ? budget.get<double>() : budget["with_gpu"].get<double>();
  }
  config.published = document.value("published", std::string());
  config.expects_device = document.value("expects_device", std::string());
  config.controls = document.value("controls", config.controls);
  config.document = std::move(document);
  check_between_keys(config);
  return config;
}

std::vector<std::string> missing_data(const SuiteConfig& config) {
  std::vector<std::string> said;
  for (const auto& [name, file] : config.data) {
    std::vector<fs::path> needed = companions_of(file.path);
    needed.insert(needed.begin(), file.path);
    const auto missing = std::ranges::find_if(needed, [](const fs::path& path) {
      std::error_code error;
      return !fs::is_regular_file(path, error);
    });
    if (missing == needed.end()) continue;
    const std::string remedy =
        file.package.empty() ? "" : fmt::format("; it comes with: apt-get install {}", file.package);
    said.push_back(fmt::format("{}: /data/{}/path: the file {} is missing{}", config.source, name,
                               missing->string(), remedy));
  }
  std::error_code error;
  if (!config.published.empty() && !fs::is_regular_file(config.published, error))
    said.push_back(
        fmt::format("{}: /published: the file {} is missing", config.source, config.published.string()));
  return said;
}

void check_data(const SuiteConfig& config) {
  if (const std::vector<std::string> missing = missing_data(config); !missing.empty())
    throw UsageError(missing.front());
  const bool named = config.document.contains("cache_dir");
  chosen_cache_dir(named ? config.cache_dir : fs::path(), config.source + ": /cache_dir");
}

std::string SuiteConfig::hash() const {
  return hash_json(hashed_part(with_paths_from_root(document)));
}

std::vector<std::string> differences(const SuiteConfig& a, const SuiteConfig& b) {
  std::vector<std::string> pointers;
  for (const json& step : json::diff(hashed_part(a.document), hashed_part(b.document)))
    pointers.push_back(step["path"].get<std::string>());
  return pointers;
}

fs::path default_output(const std::string& name) {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  const fs::path begun = fs::absolute("runs") / fmt::format("{}-{:%Y%m%dT%H%M%SZ}", name, fmt::gmtime(now));
  fs::path free = begun;
  for (int i = 2; fs::exists(free); ++i) free = fmt::format("{}-{}", begun.string(), i);
  return free;
}

}  // namespace gpuseq::bench
