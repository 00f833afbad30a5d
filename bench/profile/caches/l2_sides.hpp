#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "results/record.hpp"

namespace gpuseq::bench {

/// By what was done to lines of the L2 whether multiprocessors have a near and a far side of it. Null without
/// records that say.
/// @param records  of the probe l2_sides; of an operation's those with the least median count
nlohmann::ordered_json l2_sides_json(std::span<const results::Record* const> records);

/// The lines "L2 sides" of a GPU's profile, one an operation. Empty without them.
std::string l2_sides_text(const nlohmann::ordered_json& device);

}  // namespace gpuseq::bench
