#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/plan/plan.hpp"

namespace gpuseq::bench {

/// Upper estimates of the bytes of each data entry's text; entries without a readable file are missing.
std::map<std::string, std::uint64_t> data_bytes(const SuiteConfig& config);

/// Result of reading the data of a sweep's problems.
struct ReadData {
  std::size_t problems = 0;          // loaded, with data
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
