#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/plan/state.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// Puts what the probes of a run measured on this machine into the profiles of its devices: points that a
/// profile lacks, and looks at the probes behind violated bounds. A profile that the run refused, or that
/// differs from what the run measured, is renewed.
/// @param dir  the run's folder
/// @param renew  whether profiles are renewed all the same
/// @returns what could not be kept, and why
std::vector<std::string> fill_profiles(const std::filesystem::path& dir, const SuiteConfig& config,
                                       std::span<const DeviceInfo> devices,
                                       std::span<const results::Record> records, int repetitions, bool renew);

}  // namespace gpuseq::bench
