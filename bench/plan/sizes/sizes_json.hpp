#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "results/record.hpp"

namespace gpuseq::bench {

/// "sizes" of run.json: of each problem whose size the run found, that size, the curve of each device with
/// its half-performance size, where a GPU overtakes the CPU, and the same in sentences.
nlohmann::ordered_json sizes_json(std::span<const results::Record> records);

/// "budget" of run.json: seconds that the run had, what its records took, and what was cut.
/// @param cut  of {"what", "states"}
nlohmann::ordered_json budget_json(double budget_s, std::span<const results::Record> records,
                                   const nlohmann::ordered_json& cut);

/// Both for people; empty where run.json has none.
std::string size_lines(const nlohmann::ordered_json& summary);
std::string budget_lines(const nlohmann::ordered_json& summary);

}  // namespace gpuseq::bench
