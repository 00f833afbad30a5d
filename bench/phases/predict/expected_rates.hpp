#pragma once

#include <span>

#include "bench/config/config.hpp"
#include "bench/config/registry.hpp"
#include "bench/phases/predict/predictions.hpp"
#include "bench/phases/search/search.hpp"

namespace gpuseq::bench {

/// The contests of some families that runs elsewhere have, carried over to a machine.
/// @param runs  folders, each with its probes
/// @param limits  points beyond them are left out
/// @throws UsageError naming a folder that is no run with probes
std::vector<PredictedContest> predictions_from(std::span<const std::filesystem::path> runs,
                                               const std::set<std::string>& families,
                                               const ProbedMachine& there, const Registry& registry,
                                               const MemoryLimits& limits = {});

/// The expected rates of the states of a plan: each is predicted from the same variant and point for that
/// problem of its class that is nearest to its own. Only ratios within a contest count, as sizes differ.
ExpectedRates expected_rates(std::span<const State> planned, std::span<const PredictedContest> contests,
                             const Registry& registry, const SuiteConfig& config);

}  // namespace gpuseq::bench
