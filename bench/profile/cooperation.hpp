#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "results/record.hpp"

namespace gpuseq::bench {

/// The time of a barrier, a row each point.
nlohmann::ordered_json barriers_json(std::span<const results::Record* const> records);

/// By blocks of a cluster how fast they read shared memory of each other, and what a load of it takes; why
/// not, where a device has no clusters. Null where they were not asked for.
/// @param records  of all devices, those that were skipped as well
nlohmann::ordered_json clusters_json(std::span<const results::Record> records, std::string_view device);

/// The lines "atomics", "barriers" and "clusters" of a GPU's profile: additions a second where no lane shares
/// a counter and where all of a warp do, the times of barriers by threads of a block, and shared memory of
/// other blocks by blocks of a cluster. Empty without them.
std::string cooperation_text(const nlohmann::ordered_json& device);

}  // namespace gpuseq::bench
