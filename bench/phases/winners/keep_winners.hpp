#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/config/registry.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// Puts those winners of a tuned.json into the cache that later runs on this machine are to take: of contests
/// that ended with a race and had the default point of the winner's variant, whose place it is to take, on
/// caches that are hot and without a limit to memory.
/// @returns why some could not be kept
std::vector<std::string> keep_winners(const nlohmann::ordered_json& tuned,
                                      std::span<const results::Record> records, const SuiteConfig& config,
                                      const Registry& registry);

}  // namespace gpuseq::bench
