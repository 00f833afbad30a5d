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
  std::vector<std::filesystem::path> from;     // runs whose records are carried over, each with its probes
  std::vector<std::filesystem::path> against;  // runs on that machine: how good the predictions are
  std::filesystem::path output;                // folder; empty: chosen
};

/// @throws UsageError if the folder is no run's
void require_run(const std::filesystem::path& folder);

/// Predicts the rates on a machine of the points that runs measured elsewhere, prints the best, and writes
/// predicted.json and, where it was judged, a figure. For a profile with levels and no probes it prints the
/// level that holds the bytes which a configuration reads at random.
/// @param config  whose configurations are compared with the levels
/// @throws UsageError for runs or a machine without the records that are needed
ExitCode tune_elsewhere(TuneElsewhere command, const ConfigChoice& config, const Registry& registry);

}  // namespace gpuseq::bench
