#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "bench/plan/budget.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// "sizes" of run.json: of each problem whose size the run found, for each device that size, its curve and
/// its half-performance size, where a GPU overtakes the CPU, and the same in sentences.
nlohmann::ordered_json sizes_json(std::span<const results::Record> records);

/// "budget" of run.json: the seconds that the run had, the seconds that its records took, and the cuts.
nlohmann::ordered_json budget_json(double budget_s, std::span<const results::Record> records,
                                   std::span<const Cut> cuts);

/// Both for people; empty where run.json has none.
std::string size_lines(const nlohmann::ordered_json& summary);
std::string budget_lines(const nlohmann::ordered_json& summary);

}  // namespace gpuseq::bench
