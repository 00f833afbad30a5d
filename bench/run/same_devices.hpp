#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "bench/plan/plan.hpp"

namespace gpuseq::bench {

/// Describes a device of this machine as run.json does.
using DescribeDevice = std::function<nlohmann::json(const std::string& id)>;

/// The devices of a run whose first record is of another one than this machine has under that
/// name, each with both: a GPU is known by its UUID, a processor by its name and threads. The
/// probes of one give no bound of the other's kernels, and figures separate them.
/// @param journal  of the run; may be missing
std::vector<std::string> other_devices(const std::filesystem::path& journal,
                                       std::span<const DeviceInfo> devices, const DescribeDevice& describe);

}  // namespace gpuseq::bench
