#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "results/record.hpp"

namespace gpuseq::bench {

/// How many lines a set of each of a CPU's caches holds: what the probe associativity's looks agree on,
/// beside what is stated. Null where none was made.
/// @param records  of the probe associativity
/// @param description  of the device
nlohmann::ordered_json associativity_json(std::span<const results::Record* const> records,
                                          const nlohmann::json& description);

/// The line "ways" of a CPU's profile. Empty without it.
std::string associativity_text(const nlohmann::ordered_json& device);

}  // namespace gpuseq::bench
