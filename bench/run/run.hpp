#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/base/registry.hpp"
#include "bench/measure/harness.hpp"
#include "bench/run/shard.hpp"

namespace gpuseq::bench {

/// Exit codes of the program.
enum class ExitCode : int {
  fine = 0,
  failed = 1,  // a state failed (wrong result, crash, timeout, error), the run could not be finished, or a
               // comparison found a regression, a missing or a failed state
  usage = 2,   // wrong arguments, config or data
  inconclusive = 3,  // a comparison could not decide about some state, and found nothing worse
  interrupted = 130,
};

/// What the command line says of a config.
struct ConfigChoice {
  std::filesystem::path path;          // empty: configs/quick.json of the checkout
  std::vector<std::string> overrides;  // --set
  std::string device;                  // --device; empty: the config's
  std::string ceilings_from = {};      // --ceilings-from; empty: the config's
};

struct RunOptions {
  ConfigChoice config;
  std::filesystem::path output;   // empty: the config's, or default_output()
  std::filesystem::path resume;   // empty: a new run
  bool on_other_devices = false;  // with resume: than those that it began on
  bool probes_only = false;
  bool report = true;        // write plots and page at the end
  bool summary = true;       // print knees, winners and failures at the end
  bool renew_cards = false;  // what the cache has of this machine's cards is thrown away
  Shard shard = {};
  BenchmarkFlags flags;
};

/// Loads the chosen config, with --set and --device applied. @throws UsageError
SuiteConfig load_chosen(const ConfigChoice& choice);

/// The devices of a config with what a plan needs to know of them. @throws UsageError naming those there are
std::vector<DeviceInfo> devices_of(const SuiteConfig& config);

/// Probes, sweeps, tunes and reports. @throws UsageError, ResourceError before anything is measured
ExitCode run_suite(const RunOptions& options, const Registry& registry);

}  // namespace gpuseq::bench
