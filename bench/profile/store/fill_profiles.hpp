#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/plan/state.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// Adds a run's probe results on this machine to the profiles of its devices: points that a profile lacks,
/// and repetitions of the probes behind violated bounds. A profile that the run rejected, or that differs
/// from the run's results, is renewed.
/// @param dir  the run's folder
/// @param renew  renew profiles in any case
/// @returns the profiles that could not be kept, with reasons
std::vector<std::string> fill_profiles(const std::filesystem::path& dir, const SuiteConfig& config,
                                       std::span<const DeviceInfo> devices,
                                       std::span<const results::Record> records, int repetitions, bool renew);

}  // namespace gpuseq::bench
