#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gpuseq::bench {

/// Access of a GPU to the memory of its peers: {"cuda:1": {"transfers": [...], "access": [...],
/// "access_sequential": [...]}}, from rows with the number of their peer. Empty without rows.
nlohmann::ordered_json peers_json(const nlohmann::ordered_json& transfers,
                                  const nlohmann::ordered_json& access,
                                  const nlohmann::ordered_json& access_sequential);

/// The lines "peers" of the profile: for each peer the best copy rate per direction, and kernels at the
/// largest footprint. Empty for a device without peers.
std::string peers_text(const nlohmann::ordered_json& device);

}  // namespace gpuseq::bench
