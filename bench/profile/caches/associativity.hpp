#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "results/record.hpp"

namespace gpuseq::bench {

/// Lines per set of each of a CPU's caches: the number that the repetitions of the probe associativity agree
/// on, and the stated one. Null if there are no repetitions.
/// @param records  of the probe associativity
/// @param description  of the device
nlohmann::ordered_json associativity_json(std::span<const results::Record* const> records,
                                          const nlohmann::json& description);

/// The line "ways" of a CPU's profile; empty without this part.
std::string associativity_text(const nlohmann::ordered_json& device);

}  // namespace gpuseq::bench
