#pragma once

#include <string>

#include "reports/figure_tools.hpp"

/// What figures of dynamic programming share: rates in GCUPS, 1e9 cells a second, by devices and threads.
namespace gpuseq::reports {

inline constexpr double kGiga = 1e9;
inline constexpr const char* kGcupsTitle = "GCUPS (1e9 cells a second)";

/// "NVIDIA H200", "AMD EPYC 9R14, 1 thread".
std::string place_of(const Entry& entry);

/// Tooltip of a record: that of every figure with the rate in GCUPS, and the time of a launch.
chart::Tips gcups_tips(const Entry& entry);
chart::Tips gcups_tips(const Fact& fact);

std::string gcups_text(double gcups);

}  // namespace gpuseq::reports
