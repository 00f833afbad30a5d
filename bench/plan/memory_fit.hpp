#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/plan/plan.hpp"

namespace gpuseq::bench {

/// Upper estimate of the memory of a state on its device, before its problem is loaded; 0: not known.
/// nullopt: the variant has no estimate, or the state will be skipped.
std::optional<std::uint64_t> estimated_bytes(const State& state,
                                             const std::map<std::string, std::uint64_t>& data_bytes);

/// A line for each problem and device that has states which need more memory than is free there: how many
/// states, and how much they need. The run tries them and skips those that do not fit. Needs are upper
/// estimates; states of variants without an estimate, and those of several devices, have no line.
std::vector<std::string> too_large_remarks(const SuiteConfig& config, const Sweep& sweep,
                                           std::span<const DeviceInfo> devices);

}  // namespace gpuseq::bench
