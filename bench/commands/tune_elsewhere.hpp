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

/// Predicts the rates on a machine of points that were measured elsewhere, prints the best points and writes
/// predicted.json and, where runs on that machine judge the predictions, a figure. Without `from` and of a
/// machine profile that has levels and no probes, it prints which level holds the bytes that a state reads at
/// random.
/// @param config  whose plan is compared with such levels
/// @throws UsageError if runs, probes or levels are missing
ExitCode tune_elsewhere(TuneElsewhere command, const ConfigChoice& config, const Registry& registry);

}  // namespace gpuseq::bench
