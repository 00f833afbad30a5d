#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "probes/levels/levels.hpp"

// Which levels a fit finds may hang on a percent of one point: two sets of levels explain the same curves
// nearly as well, and the next run of the same machine ends at the other one. So curves are resampled and
// fitted again and again, and what is said is what most of these fits say.

namespace gpuseq::probes {

struct ResampleOptions {
  int fits = 16;  // beside that of the curves as they are
  /// Relative deviation of a resampled point beside that of its passes: what no model of a curve explains.
  double model_error = 0.01;
  std::uint64_t seed = 1;
  LevelOptions levels = {};
};

/// fit_levels() of the curves and of resamples of them, each point the median of a bootstrap of its passes
/// (of its samples where it has none) with an error of the model's size. Given is the fit that is the least
/// changes away from all others (levels that move, come or go). Of its levels `capacity_bytes` is the median
/// over all fits, the interval holds 95 % of them and the fit's own, and `found_in` says how many have it. A
/// level is uncertain if a fifth of the fits lacks it, or most of those that have it are not certain of it.
/// Pure: same input, same output. Uses all processors.
/// @throws UsageError as fit_levels() does
LevelsFit fit_levels_resampled(std::span<const LevelCurve> curves, const ResampleOptions& options = {});

/// Which of two rising lists of places (log2 bytes) are the same, in order: for each of `a` the index in `b`,
/// or -1. Places an octave and more apart are not the same; the sum of distances, an octave for each place
/// that is left over, is the least there is, and given in `distance`.
struct Alignment {
  std::vector<int> of_a;
  double distance = 0;
};
Alignment align_places(std::span<const double> a, std::span<const double> b);

}  // namespace gpuseq::probes
