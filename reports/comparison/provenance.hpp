#pragma once

#include <vector>

#include "reports/comparison/comparison.hpp"

namespace gpuseq::comparison {

/// Every field of the provenance in which the sides differ, but for dates and what changes by itself while a
/// machine runs (current clocks); and the hashes of problems that both sides measured, or that a side
/// measured with different data. A side that holds several values shows them all. Differences of device,
/// driver and problem refuse, unless allowed; a value that one side could not have (null) never does.
std::vector<ProvenanceDifference> provenance_differences(const Side& base, const Side& next,
                                                         const Allowed& allowed);

/// "device cpu/name: 'A' in the base, 'B' in the new side"; lines of what refuses.
std::string why_refused(const std::vector<ProvenanceDifference>& differences);

/// What a device is apart from its driver: 16 hexadecimal digits of the fields that refuse as device, and of
/// the CPU quota if there is one.
std::string device_hash(const ComparedRecord& record);

}  // namespace gpuseq::comparison
