#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "bench/config/config.hpp"
#include "bench/config/units.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// run.json of a run that ended: what it began with, and counts, levels of memory and winners out of its
/// records.
/// @param start  run.json as write_start() made it
/// @param devices  id -> description; may lack those that never came up
nlohmann::ordered_json summarise_run(const nlohmann::json& start, const nlohmann::json& devices,
                                     std::span<const results::Record> records, const SuiteConfig& config,
                                     bool complete);

/// States that failed in a way that matters: all failures but skips.
bool any_failed(std::span<const results::Record> records);

}  // namespace gpuseq::bench
