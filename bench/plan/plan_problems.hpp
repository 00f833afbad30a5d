#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/config/selection.hpp"
#include "runtime/contract/family.hpp"

namespace gpuseq::bench {

/// The value in a config of a size that the run is to find.
inline constexpr const char* kAutoSize = "auto";

/// The problems of a family's part of a config.
struct PlannedProblems {
  std::vector<Point> fixed;
  std::vector<Point> sized;  // the axis of the family's growth is "auto"
};

/// @throws UsageError as plan(), also where another axis than that of the family's growth is "auto"
PlannedProblems plan_problems(const Family& family, const nlohmann::json& given, const Place& place,
                              const SuiteConfig& config);

/// Whether a problem of the config leaves its size to the run.
bool finds_sizes(const SuiteConfig& config);

}  // namespace gpuseq::bench
