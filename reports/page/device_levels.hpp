#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/bandwidth.hpp"
#include "reports/report_data.hpp"

namespace gpuseq::reports {

/// A level of a device's memory, by the end of what it serves.
struct DeviceLevel {
  std::string name = {};  // "L2"; empty: a knee that nobody named
  double at_bytes = 0, low_bytes = 0, high_bytes = 0;
  double stated_bytes = 0;  // 0: not stated
  bool uncertain = false;   // one curve alone shows it
};

/// The curves of random accesses that say most of a device: those of independent accesses and all threads,
/// where it has them. nullopt where it has none.
std::optional<BandwidthPanel> main_panel(const ReportData& data, const std::string& device_name);

/// The blocks that one access usually fetches: 64 B on a CPU, 32 and 128 B on a GPU, or what was probed
/// nearest to them.
std::vector<double> usual_blocks(const BandwidthPanel& panel);

/// Levels of a device, nearest first: those of run.json, else of the machine card beside it, else the knees
/// of the curves of its usual blocks; where several runs have it those of the first that tells.
/// @param runs  the runs that used it, with its id in each
std::vector<DeviceLevel> device_levels(const ReportData& data, const std::string& device_name,
                                       const std::vector<std::pair<std::size_t, std::string>>& runs);

}  // namespace gpuseq::reports
