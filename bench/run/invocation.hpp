#pragma once

#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/measure/google_benchmark.hpp"
#include "bench/plan/needed_probes.hpp"
#include "bench/run/shard.hpp"

namespace gpuseq::bench {

/// The invocation of a run besides its config; kept in run.json, so that a worker and a resumed run know it.
struct Invocation {
  std::vector<DeviceInfo> devices;
  std::vector<std::string> benchmark_flags;
  bool probes_only = false;
  Shard shard = {};
  std::vector<std::string> overrides = {};     // --set, as given
  std::vector<std::string> data = {};          // --data, as given
  std::vector<std::string> of_winners = {};    // "family/variant" whose points are those of winners
  std::vector<std::string> command = {"run"};  // which produced the config: "tune", "fm_index"
  std::size_t host_free_bytes = 0;             // when it began; 0: not known
};

/// The flags of an invocation, taken apart.
BenchmarkFlags flags_of(const Invocation& invocation);

/// Probes that the bounds of kernels need, within the config's budgets.
NeededProbes needed_within_budget(std::span<const State> kernels, std::span<const State> listed,
                                  const SuiteConfig& config, const Registry& registry,
                                  std::span<const DeviceInfo> devices);

/// The states that an invocation asks for: planned, then filtered, then those of its shard, and the probes
/// that their bounds need (those of problems whose size the run finds: at their first size). The same for
/// the run, its workers, a resumed run and a merge. @throws UsageError as plan() does
Sweep invoked_sweep(const SuiteConfig& config, const Invocation& invocation, const Registry& registry);

}  // namespace gpuseq::bench
