#pragma once

#include <filesystem>
#include <vector>

#include "bench/config/registry.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// The records of a run. States of kernels have all axes, in the order of this program. An axis that is newer
/// than the run's program has its default, the value of the measurement. An axis that this program does not
/// know is unchanged.
/// @param run  a folder
/// @throws UsageError if its records cannot be read
std::vector<results::Record> records_of_run(const std::filesystem::path& run, const Registry& registry);

}  // namespace gpuseq::bench
