#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "results/record.hpp"

namespace gpuseq::bench {

/// Whether SMs have a near and a far L2 partition, by operation on lines of the L2. Null without such
/// records.
/// @param records  of the probe l2_sides; for each operation the one with the least median is used
nlohmann::ordered_json l2_sides_json(std::span<const results::Record* const> records);

/// The lines "L2 sides" of a GPU's profile, one per operation; empty without this part.
std::string l2_sides_text(const nlohmann::ordered_json& device);

}  // namespace gpuseq::bench
