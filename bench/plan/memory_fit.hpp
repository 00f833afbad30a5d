#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/plan/plan.hpp"

namespace gpuseq::bench {

/// A line for each problem and device that has states which need more memory than is free there: how many
/// states, and how much they need. The run tries them and skips those that do not fit. Needs are upper
/// estimates; states of variants without an estimate have no line.
std::vector<std::string> too_large_remarks(const SuiteConfig& config, const Sweep& sweep,
                                           std::span<const DeviceInfo> devices);

}  // namespace gpuseq::bench
