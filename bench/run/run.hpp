#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/config/registry.hpp"
#include "bench/measure/google_benchmark.hpp"
#include "bench/phases/winners/take_winners.hpp"
#include "bench/run/shard.hpp"
#include "bench/run/terminal/terminal.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {

/// Set to 1 it is the option --default-points.
inline constexpr const char* kDefaultPointsVariable = "GPUSEQ_DEFAULT_POINTS";

/// Exit codes of the program.
enum class ExitCode : int {
  fine = 0,
  failed = 1,  // a state failed (wrong result, crash, timeout, error), the run could not be finished, or a
               // comparison found a regression, a missing or a failed state
  usage = 2,   // wrong arguments, config or data
  inconclusive = 3,  // a comparison could not decide about some state, and found nothing worse
  interrupted = 130,
};

/// The options of the command line about a config.
struct ConfigChoice {
  std::filesystem::path path;          // empty: configs/quick.json of the checkout
  std::vector<std::string> overrides;  // --set
  std::string device;                  // --device; empty: the config's
  std::string max_bytes = {}, index_bytes = {}, device_memory = {};  // "200M"; empty: the config's
  std::vector<std::string> data = {};                                // "role=file"
  std::vector<std::string> plugins = {};                             // --plugin
  std::optional<double> budget_s = {};                               // --budget; nothing: the config's
  std::string bounds_from = {};                                      // --bounds-from; empty: the config's
  /// Edits the document, before --set: for a command that makes its own.
  std::function<void(nlohmann::json&)> edit = {};

  /// Whether it says more than which file and how long.
  bool changes() const {
    return !overrides.empty() || !device.empty() || !max_bytes.empty() || !index_bytes.empty() ||
           !device_memory.empty() || !data.empty() || !plugins.empty();
  }
};

struct RunOptions {
  /// The budget counts from here.
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  ConfigChoice config;
  std::filesystem::path output;   // empty: the config's, or default_output()
  std::filesystem::path resume;   // empty: a new run
  bool on_other_devices = false;  // with resume: than those that it began on
  bool on_other_program = false;  // with resume: than the one that it began with
  bool probes_only = false;
  std::vector<std::string> command = {"run"};  // the words that it was asked for by
  std::filesystem::path exported = {};         // folder for the spaces in Kernel Tuner's formats; empty: none
  bool report = true;                          // write plots and page at the end
  bool summary = true;                         // print levels, winners and failures at the end
  bool verbose = false;                        // a line for each state
  ColourChoice colour = ColourChoice::automatic;
  bool default_points = false;  // where a config says none: not those of this machine's winners
  bool renew_profiles = false;  // the cached profiles of this machine are thrown away
  Shard shard = {};
  BenchmarkFlags flags;
};

/// Loads the chosen config, with all applied that is said of it but the data. @throws UsageError
SuiteConfig load_chosen(const ConfigChoice& choice);
/// The same with the data.
SuiteConfig load_chosen(const ConfigChoice& choice, const Registry& registry);

/// The devices of a config with the properties that a plan needs. @throws UsageError naming those there are
std::vector<DeviceInfo> devices_of(const SuiteConfig& config);

/// The config with points of this machine's winners, unless the options forbid it; reports those it took.
TakenWinners take_winners(const SuiteConfig& config, const RunOptions& options,
                          std::span<const DeviceInfo> devices, const Registry& registry);

/// Probes, sweeps, tunes and reports. @throws UsageError, ResourceError before anything is measured
ExitCode run_suite(const RunOptions& options, const Registry& registry);

}  // namespace gpuseq::bench
