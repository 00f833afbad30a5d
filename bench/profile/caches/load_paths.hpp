#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "results/record.hpp"

namespace gpuseq::bench {

/// By path to memory, the caches that chains of loads show, and the chains. Null if the records have no
/// clocks.
nlohmann::ordered_json load_paths_json(std::span<const results::Record* const> records);

/// Bytes of the first cache on the path `global`, between the largest chain that fits and the next one;
/// nullopt if unknown.
/// @param load_paths  from load_paths_json()
std::optional<double> l1_by_load_path(const nlohmann::ordered_json& load_paths);

/// The lines "load paths" of a GPU's profile, one per path; empty without this part.
std::string load_paths_text(const nlohmann::ordered_json& device);

}  // namespace gpuseq::bench
