#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "results/record.hpp"

// How many random accesses must be in flight for the bandwidth that a device has: a part of its profile.

namespace gpuseq::bench {

/// `occupancy` of a profile's device, an element by size of block and kind of access: the rate by what is in
/// flight, what an access takes by Little's law, and the fewest in flight that reach 90 % of the best. Empty
/// of a device that was not probed at several numbers.
/// @param records  of any probes of that device
nlohmann::ordered_json occupancy_json(std::span<const results::Record* const> records);

/// Lines of the profile, one by size of block; empty where it has none.
std::string occupancy_text(const nlohmann::ordered_json& device);

}  // namespace gpuseq::bench
