#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "results/record.hpp"

namespace gpuseq::bench {

/// By path to memory the caches that chains of loads show, and the chains. Null of records that say no
/// clocks.
nlohmann::ordered_json load_paths_json(std::span<const results::Record* const> records);

/// The lines "load paths" of a GPU's card, one a path. Empty without them.
std::string load_paths_text(const nlohmann::ordered_json& device);

}  // namespace gpuseq::bench
