#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "bench/config/config.hpp"
#include "bench/config/units.hpp"
#include "results/record.hpp"
#include "runtime/system/host_load.hpp"

namespace gpuseq::bench {

/// run.json of a run that ended: its first state, and
/// counts, levels of memory and winners out of its records.
/// @param start  run.json as write_start() made it
/// @param devices  id -> description; may lack those that never came up
nlohmann::ordered_json summarise_run(const nlohmann::json& start, const nlohmann::json& devices,
                                     std::span<const results::Record> records, const SuiteConfig& config,
                                     bool complete);

/// States that failed in a way that matters: all failures but skips.
bool any_failed(std::span<const results::Record> records);

/// The share of the processors' time that went elsewhere while the run measured, for run.json.
nlohmann::ordered_json host_load_json(const Maybe<HostLoad>& before, const Maybe<HostLoad>& after);

}  // namespace gpuseq::bench
