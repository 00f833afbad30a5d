#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/run/run.hpp"

namespace gpuseq::bench {

/// `tune FAMILY --machine`: nothing is measured.
struct TuneElsewhere {
  std::string family;
  std::filesystem::path machine;               // as read_probed_machine() takes it
  std::vector<std::filesystem::path> from;     // runs whose records are carried over, each with its probes;
                                               // none: the probes of the machine alone
  std::vector<std::filesystem::path> against;  // runs on that machine: how good the predictions are
  std::filesystem::path output;                // folder; empty: chosen
};

/// @throws UsageError if the folder is no run's
void require_run(const std::filesystem::path& folder);

/// Predicts what points would do on a machine, those that were measured elsewhere or, by the machine's probes
/// alone, those of `against` or else of a config; prints the best and writes predicted.json and, where it was
/// judged, a figure. Of a card with levels and no probes it says which level holds what a state touches.
/// @param config  whose plan is predicted where there are neither runs to carry over nor to be judged by
/// @throws UsageError for runs or a machine without what is needed
ExitCode tune_elsewhere(TuneElsewhere command, const ConfigChoice& config, const Registry& registry);

}  // namespace gpuseq::bench
