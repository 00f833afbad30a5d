#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/charts/chart.hpp"
#include "reports/report_data.hpp"

namespace gpuseq::reports {

/// A level of a device's memory. It ends at a knee of the curves over footprint.
struct DeviceLevel {
  std::string name = {};  // "L2"
  double at_bytes = 0, low_bytes = 0, high_bytes = 0;
  double stated_bytes = 0;  // 0: not stated
  bool uncertain = false;   // one curve alone shows it
};

/// Levels of a device, nearest first: those of run.json, else of the machine profile next to it; where
/// several runs have the device, those of the first that has any.
/// @param runs  the runs that used it, with its id in each
std::vector<DeviceLevel> device_levels(const ReportData& data,
                                       const std::vector<std::pair<std::size_t, std::string>>& runs);

/// Levels of the device of `shown`, which are of one device, as bands: those that end among its footprints.
std::vector<chart::Band> level_bands(const ReportData& data, const std::vector<const Entry*>& shown);

}  // namespace gpuseq::reports
