#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace gpuseq::bench {

struct DataFile {
  std::filesystem::path path;
  std::string member;   // of the tar archive at `path`; empty: the file itself
  std::string package;  // Debian package that holds it; may be empty
};

struct Objective {
  std::string metric = "rate";
  bool maximise = true;
};

struct SamplingOptions {
  int min_samples = 6;
  int max_samples = 50;
  double max_seconds = 1.0;            // of wall time, once there are six samples
  double six_samples_seconds = 30;     // of wall time, for those; slower launches have fewer
  double short_launch_seconds = 1e-4;  // launches shorter than this are timed in batches; 0: none is
  double min_seconds = 0;              // of sampled time, before anything but the time limit stops it
  double relative_interval = 0.02;     // of the median
  int warmup = 1;
  bool cold_cache = false;
  int fewest_samples = 6;  // before max_seconds may stop it; a pass over probes has fewer, see sampling_of()
  int probe_passes = 3;    // over the points of probes on a CPU
};

/// Axis of a probe's memory in bytes.
inline constexpr const char* kFootprintAxis = "footprint_bytes";
/// Of a contest race at most so many of those whose sweep does not tell them apart.
inline constexpr std::size_t kMostRacers = 12;
/// Rounds before a race tells anybody apart by how rounds differ.
inline constexpr int kFewestRounds = 3;

/// Limits of a winner's memory; nullopt: none.
struct MemoryLimits {
  std::optional<std::uint64_t> bytes = {}, index_bytes = {};  // in all; its index

  explicit operator bool() const { return bytes || index_bytes; }
};

struct TuneOptions {
  std::vector<Objective> objectives{Objective{}};
  int remeasure = 3;    // points of a contest that race at least; 0: none
  int rounds = 10;      // of the race, at most
  int repetitions = 1;  // records of a state in a round, as the flags have it
  MemoryLimits limits = {};
  std::string strategy = "exhaustive";  // which points of the plan are measured
  int evaluations = 0;                  // points of a contest that a strategy measures at most; 0: all
  std::vector<std::filesystem::path> from = {};  // runs that say beforehand what is to be expected
};

/// Which states have a pass of their own beside that which is timed. Who wins is known at the end: winners
/// are measured once more then.
enum class ExtraPass { none, winners, all };

/// Whether a run takes from this machine's profile what bounds need of probes, or measures it.
enum class BoundsFrom {
  automatic,  // from the profile where there is one that a spot check agrees with
  run,        // measures all
  profile,    // as automatic, and ends where no profile stands
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
  std::filesystem::path cache_dir;  // empty: nothing is cached
  SamplingOptions sampling;
  TuneOptions tune;
  ExtraPass counters = ExtraPass::none;
  std::vector<std::string> metrics;  // empty: the device's default
  ExtraPass energy = ExtraPass::none;
  std::optional<std::uint64_t> device_memory;  // that devices act as if they had no more of
  double timeout_s = 300;
  double probe_budget_s = 30;  // of each device, for probes that bounds need and that are not listed
  BoundsFrom bounds_from = BoundsFrom::automatic;
  /// Of the whole run, on devices with and without a GPU among them; nothing: it takes what it takes.
  std::optional<double> budget_s, budget_with_gpu_s;
  std::filesystem::path published;  // may be empty
  std::string expects_device;       // may be empty

  /// Hash of everything that decides what is measured and how.
  std::string hash() const;
};

/// Loads a config file. `overrides` are "a.b.c=JSON", applied before the check.
/// @param edit  changes the document before them
/// @throws UsageError with file and line and column, or the JSON pointer, what was found and what is allowed
SuiteConfig load_config(const std::filesystem::path& path, const std::vector<std::string>& overrides = {},
                        const std::function<void(nlohmann::json&)>& edit = {});

/// The same from a document; relative paths are taken from `folder`, `source` names it in messages.
SuiteConfig config_from_json(nlohmann::json document, const std::string& source,
                             const std::filesystem::path& folder);

/// What of the files that a config names is not there, each with the package that holds it.
std::vector<std::string> missing_data(const SuiteConfig& config);

/// Makes the cache's folder, too, or says on stderr that there is none.
/// @throws UsageError naming the missing file and the package that holds it, or a "cache_dir" that is not
/// private
void check_data(const SuiteConfig& config);

/// JSON pointers at which two configs differ in what their hash covers.
std::vector<std::string> differences(const SuiteConfig& a, const SuiteConfig& b);

/// runs/<name>-<UTC time> in the current folder.
std::filesystem::path default_output(const std::string& name);

/// The schema that configs are checked against (configs/schema.json, linked in).
const nlohmann::json& config_schema();

}  // namespace gpuseq::bench
