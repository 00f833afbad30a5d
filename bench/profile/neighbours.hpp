#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gpuseq::bench {

/// What a GPU does with the memory of others: {"cuda:1": {"transfers": [...], "access": [...],
/// "access_sequential": [...]}}, of rows that name their neighbour by its number. Empty without rows.
nlohmann::ordered_json neighbours_json(const nlohmann::ordered_json& transfers,
                                       const nlohmann::ordered_json& access,
                                       const nlohmann::ordered_json& access_sequential);

/// The lines "neighbours" of the card: for each neighbour the best copies of a direction, and kernels at the
/// largest footprint. Empty for a device without neighbours.
std::string neighbours_text(const nlohmann::ordered_json& device);

}  // namespace gpuseq::bench
