#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/config/registry.hpp"
#include "bench/phases/winners/kept_winner.hpp"
#include "bench/profile/store/profile_key.hpp"

namespace gpuseq::bench {

/// The conditions of a winner: those of the device's profile, whatever probes there are.
ProfileKey winner_key(const nlohmann::json& description);

/// tuned.json of a run.
/// @param summary  its run.json, with `tuned` and `pareto`
/// @param records  of the run
/// @throws UsageError as the registry does for a family that there is no more
nlohmann::ordered_json tuned_json(const nlohmann::ordered_json& summary,
                                  std::span<const results::Record> records, const SuiteConfig& config,
                                  const Registry& registry);

/// The points that were measured next to a winner, itself included: variant and point.
/// @param winner  of tuned.json, or of run.json's `tuned`
std::vector<std::pair<std::string, Point>> measured_beside(const nlohmann::ordered_json& winner,
                                                           std::span<const results::Record> records);

}  // namespace gpuseq::bench
