#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "results/record.hpp"

namespace gpuseq::bench {

/// The time of a barrier, one row per point.
nlohmann::ordered_json barriers_json(std::span<const results::Record* const> records);

/// By blocks per cluster, the rate and latency of reads from each other's shared memory; the reason if a
/// device has no clusters. Null if they were not probed.
/// @param records  of all devices, including skipped ones
nlohmann::ordered_json clusters_json(std::span<const results::Record> records, std::string_view device);

/// The lines "atomics", "barriers" and "clusters" of a GPU's profile: additions per second with one counter
/// per lane and one per warp, times of barriers by threads per block, and rates of distributed shared memory
/// by blocks per cluster. Empty without these parts.
std::string cooperation_text(const nlohmann::ordered_json& device);

}  // namespace gpuseq::bench
