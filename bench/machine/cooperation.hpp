#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "results/record.hpp"

namespace gpuseq::bench {

/// The time of a barrier, a row each point.
nlohmann::ordered_json barriers_json(std::span<const results::Record* const> records);

/// The lines "atomics" and "barriers" of a GPU's card: additions a second where no lane shares a counter and
/// where all of a warp do, and the times of barriers by threads of a block. Empty without them.
std::string cooperation_text(const nlohmann::ordered_json& device);

}  // namespace gpuseq::bench
