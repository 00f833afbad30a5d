#pragma once

#include <span>

#include "bench/config/config.hpp"
#include "bench/config/registry.hpp"
#include "bench/phases/predict/predictions.hpp"
#include "bench/phases/search/search.hpp"

namespace gpuseq::bench {

/// The contests of some families that runs elsewhere have, carried over to a machine.
/// @param runs  folders, each with its probes
/// @param limits  what does not keep to them is left out
/// @throws UsageError naming what is no run with probes
std::vector<PredictedContest> predictions_from(std::span<const std::filesystem::path> runs,
                                               const std::set<std::string>& families,
                                               const ProbedMachine& there, const Registry& registry,
                                               const MemoryLimits& limits = {});

/// What is expected of the states of a plan: of each what is predicted of the same variant and point for that
/// problem of its class that is nearest to its own. Ratios within a contest are what counts, as sizes differ.
ExpectedRates expected_rates(std::span<const State> planned, std::span<const PredictedContest> contests,
                             const Registry& registry, const SuiteConfig& config);

}  // namespace gpuseq::bench
