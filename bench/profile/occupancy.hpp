#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "results/record.hpp"

// Random accesses in flight needed for a device's bandwidth: a part of its profile.

namespace gpuseq::bench {

/// `occupancy` of a profile's device, one element per block size and kind of access: rates by accesses in
/// flight, latencies by Little's law, and the fewest accesses in flight that reach 90 % of the best rate.
/// Empty for a device that was not probed at several numbers.
/// @param records  of any probes of that device
nlohmann::ordered_json occupancy_json(std::span<const results::Record* const> records);

/// Lines of the profile, one per block size; empty without this part.
std::string occupancy_text(const nlohmann::ordered_json& device);

}  // namespace gpuseq::bench
