#pragma once

#include <string>
#include <vector>

#include "bench/config/registry.hpp"
#include "bench/plan/plan.hpp"
#include "bench/run/recorder.hpp"

namespace gpuseq::bench {

struct RunOutcome {
  RunEnd end = RunEnd::complete;
  nlohmann::json devices = nlohmann::json::object();  // id -> description
  std::string reason;                                 // of gave_up
  std::vector<Cut> cuts;                              // by the budget
  nlohmann::ordered_json gpus_at_once;                // of measure_gpus_at_once()
};

/// Runs the phases of a planned run, one after the other: probes, sizes, the probes that bounds need, the
/// sweep or search, the race, the winners. A worker process measures each state.
/// @param config  of the run, with the flags of Google Benchmark applied
/// @param use  of the budget, but for `probes_alone`
RunOutcome supervise(const LockedFolder& folder, const BegunRun& run, const SuiteConfig& config, Sweep sweep,
                     BudgetUse use, const Registry& registry, Progress& progress);

}  // namespace gpuseq::bench
