#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gpuseq::results {

/// A place where the level of a series changes for good, or until the next step.
struct Step {
  std::size_t place = 0;         // index of the first value after it
  double before = 0, after = 0;  // levels of the stretches on both sides: geometric means
  double confidence = 0;         // 1 - p of the two stretches being one
};

/// Steps of a series of positive values, in order: circular binary segmentation on logarithms (Olshen et al.
/// 2004), which also finds a stretch that rises and falls back. A stretch is cut where a permutation test at
/// `confidence` says that its values are not exchangeable, so white noise gives a step in at most
/// 1 - confidence of all series; afterwards each cut must stand such a test between its two neighbours.
/// Stretches have at least three values: fewer apart are no step. Noise that is correlated from value to
/// value does give steps.
/// @throws std::invalid_argument if a value is not positive and finite, or confidence is not within (0, 1)
std::vector<Step> find_steps(std::span<const double> values, double confidence = 0.95,
                             std::uint64_t seed = 1);

}  // namespace gpuseq::results
