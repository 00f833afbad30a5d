#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "bench/config/config.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// run.json of a run that ended: what it began with, and counts, knees and winners out of its records.
/// @param start  run.json as write_start() made it
/// @param devices  id -> description; may lack those that never came up
nlohmann::ordered_json summarise_run(const nlohmann::json& start, const nlohmann::json& devices,
                                     std::span<const results::Record> records, const SuiteConfig& config,
                                     bool complete);

/// The summary for people: knees, winners with rate, interval and share of the ceiling, failures.
std::string summary_text(const nlohmann::ordered_json& summary, std::span<const results::Record> records);

/// States that failed in a way that matters: all failures but skips.
bool any_failed(std::span<const results::Record> records);

/// "1.23 G", "45.6 M": a number with its decimal prefix.
std::string prefixed(double value);
/// "64 KiB", "1.5 GiB"
std::string bytes_text(double bytes);

}  // namespace gpuseq::bench
