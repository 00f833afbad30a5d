#pragma once

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

}  // namespace gpuseq::bench
