#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bench/phases/search/strategy.hpp"

namespace gpuseq::bench {

/// The result that a search would have had in a fully measured space: the best score after each
/// evaluation, 0 until one has a score. No device is needed.
/// @param scores       of every candidate; nothing where it fails
/// @param evaluations  at most as many as there are candidates
std::vector<double> replay(const Strategy& strategy, const Candidates& candidates,
                           std::span<const std::optional<double>> scores, std::size_t evaluations,
                           std::uint64_t seed);

}  // namespace gpuseq::bench
