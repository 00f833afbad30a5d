#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/plan/plan.hpp"

namespace gpuseq::bench {

/// What reading the data of a sweep's problems showed.
struct ReadData {
  std::size_t problems = 0;          // that name data and were loaded
  std::vector<std::string> remarks;  // a line for each that could not be
};

/// Loads each problem of kernels that names data once, as a run would, and lets it go again.
/// @throws UsageError for a file that a family refuses (file, line, record)
ReadData read_data(const SuiteConfig& config, const Sweep& sweep);

/// Loads each problem of a journal's records once and compares its hash with theirs.
/// @param is_wanted  whether a problem is to be loaded
/// @throws UsageError naming a problem whose data is not as it was, its files and both hashes
void check_recorded_data(const std::filesystem::path& journal, const SuiteConfig& config,
                         const Registry& registry,
                         const std::function<bool(const Point& problem)>& is_wanted);

}  // namespace gpuseq::bench
