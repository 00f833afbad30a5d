#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "runtime/contract/point.hpp"

namespace gpuseq::bench {

struct DataFile {
  std::filesystem::path path;
  std::string member;   // of the tar archive at `path`; empty: the file itself
  std::string package;  // Debian package that contains it; may be empty
};

struct Objective {
  std::string metric = "rate";
  bool maximise = true;
};

struct SamplingOptions {
  int min_samples = 6;
  int max_samples = 50;
  double max_seconds = 1.0;            // wall time, once there are six samples
  double six_samples_seconds = 30;     // wall time for these; slower launches have fewer
  double short_launch_seconds = 1e-4;  // launches shorter than this are timed in batches; 0: no batches
  double min_seconds = 0;              // sampled time before anything but the time limit stops it
  double relative_interval = 0.02;     // of the median's interval
  int warmup = 1;
  bool cold_cache = false;
  int fewest_samples = 6;  // before max_seconds may stop it; fewer per pass over probes, see sampling_of()
  int probe_passes = 3;    // over the points of probes on a CPU
};

/// Axis of a probe's memory in bytes.
inline constexpr const char* kFootprintAxis = "footprint_bytes";
/// Most candidates in a race that the sweep does not distinguish.
inline constexpr std::size_t kMostRacers = 12;
/// Rounds before a race rejects candidates by the differences between rounds.
inline constexpr int kFewestRounds = 3;

/// Limits of a winner's memory; nullopt: no limit.
struct MemoryLimits {
  std::optional<std::uint64_t> bytes = {}, index_bytes = {};  // total; index

  explicit operator bool() const { return bytes || index_bytes; }
};

/// A point of one variant; axes that it does not name have their defaults.
struct VariantPoint {
  std::string variant;
  Point point;
};

struct TuneOptions {
  std::vector<Objective> objectives{Objective{}};
  int remeasure = 3;    // least number of candidates in a race; 0: no race
  int rounds = 10;      // most rounds of the race
  int repetitions = 1;  // records per state and round, from the flags
  MemoryLimits limits = {};
  std::string strategy = "exhaustive";  // chooses the measured points of the plan
  int evaluations = 0;                  // most points per set of candidates that a strategy measures; 0: all
  std::vector<std::filesystem::path> from = {};  // earlier runs that provide expected results
  std::vector<VariantPoint> first = {};          // measured before the points of the strategy, in this order
};

/// Which states have an additional pass besides the timed one. Winners are known at the end, and are then
/// measured again.
enum class ExtraPass { none, winners, all };

/// Whether a run takes the probe results that bounds need from this machine's profile, or measures them.
enum class BoundsFrom {
  automatic,  // from the profile, if there is one that passes the spot check
  run,        // measures all
  profile,    // as automatic, but fails without a valid profile
};

/// A run description with variables expanded, overrides applied and paths made absolute.
struct SuiteConfig {
  std::string source;       // file, for messages
  nlohmann::json document;  // satisfies the schema; loading it again gives the same config
  std::string name;
  std::uint64_t seed = 1;
  std::map<std::string, DataFile> data;
  std::string devices = "auto";     // comma-separated
  std::filesystem::path output;     // empty: default_output()
  std::filesystem::path cache_dir;  // empty: no cache
  SamplingOptions sampling;
  TuneOptions tune;
  ExtraPass counters = ExtraPass::none;
  std::vector<std::string> metrics;  // empty: the device's default
  ExtraPass energy = ExtraPass::none;
  std::optional<std::uint64_t> device_memory;  // memory limit that devices emulate
  double timeout_s = 300;
  double probe_budget_s = 30;  // per device, for unlisted probes that bounds need
  BoundsFrom bounds_from = BoundsFrom::automatic;
  /// Limits of the run's time without and with a GPU among its devices; nullopt: no limit.
  std::optional<double> budget_s, budget_with_gpu_s;
  std::filesystem::path published;  // may be empty
  std::string expects_device;       // may be empty
  /// Select the cases that every shard measures first (RE2, matched with states); `merge` compares them.
  std::vector<std::string> controls = {};

  /// Hash of all parts that determine the measured states and their measuring.
  std::string hash() const;
};

/// Loads a config file. `overrides` are "a.b.c=JSON", applied before the check.
/// @param edit  changes the document before the overrides
/// @throws UsageError with file, line and column, or with the JSON pointer, the found value and the allowed
/// ones
SuiteConfig load_config(const std::filesystem::path& path, const std::vector<std::string>& overrides = {},
                        const std::function<void(nlohmann::json&)>& edit = {});

/// Loads a document; relative paths refer to `folder`, `source` names the document in messages.
SuiteConfig config_from_json(nlohmann::json document, const std::string& source,
                             const std::filesystem::path& folder);

/// The missing files of a config, each with the package that contains it.
std::vector<std::string> missing_data(const SuiteConfig& config);

/// Also creates the cache folder, or prints to stderr that there is no cache.
/// @throws UsageError naming the missing file and the package that contains it, or a "cache_dir" that is not
/// private
void check_data(const SuiteConfig& config);

/// JSON pointers of the differences between the hashed parts of two configs.
std::vector<std::string> differences(const SuiteConfig& a, const SuiteConfig& b);

/// runs/<name>-<UTC time> in the current folder, with a number if another run began in the same second.
std::filesystem::path default_output(const std::string& name);

/// The schema of configs (configs/schema.json, linked in).
const nlohmann::json& config_schema();

}  // namespace gpuseq::bench
