#pragma once

#include <string>
#include <vector>

#include "reports/bandwidth.hpp"
#include "reports/device_levels.hpp"
#include "reports/figure.hpp"

namespace gpuseq::reports {

/// A device on one picture: random bandwidth over footprint in blocks as large as one access usually fetches
/// (64 B on a CPU, 32 and 128 B on a GPU), beside it the latency of dependent accesses, both crossed by the
/// ends of its levels, shaded where their intervals lie.
Drawing device_curve(const ReportData& data, const std::string& device_name,
                     const std::vector<DeviceLevel>& levels);

/// "L2: 47.5 MiB (41 to 60 MiB, stated 60 MiB)"
std::string level_words(const DeviceLevel& level);

}  // namespace gpuseq::reports
