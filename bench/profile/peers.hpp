#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gpuseq::bench {

/// What a GPU does with the memory of others: {"cuda:1": {"transfers": [...], "access": [...],
/// "access_sequential": [...]}}, of rows that name their peer by its number. Empty without rows.
nlohmann::ordered_json peers_json(const nlohmann::ordered_json& transfers,
                                  const nlohmann::ordered_json& access,
                                  const nlohmann::ordered_json& access_sequential);

/// The lines "peers" of the profile: for each peer the best copies of a direction, and kernels at the
/// largest footprint. Empty for a device without peers.
std::string peers_text(const nlohmann::ordered_json& device);

}  // namespace gpuseq::bench
