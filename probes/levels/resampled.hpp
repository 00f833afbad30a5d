#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "probes/levels/levels.hpp"

// A percent of one point may change the levels of a fit: two sets of levels explain the same curves nearly as
// well, and the next run on the same machine may find the other one. Curves are therefore resampled and
// fitted many times, and the consensus of these fits is reported.

namespace gpuseq::probes {

struct ResampleOptions {
  int fits = 16;  // in addition to the fit of the original curves
  /// Relative deviation of a resampled point in addition to that of its passes: the error of
  /// any model of a curve.
  double model_error = 0.01;
  std::uint64_t seed = 1;
  LevelOptions levels = {};
};

/// fit_levels() of the curves and of resamples, in which each point is the median of a bootstrap of its
/// passes (of its samples if it has none) with an error of the model's size. The result is the fit with the
/// fewest changes to all others (levels that move, appear or disappear). For its levels, `capacity_bytes` is
/// the median over all fits, the interval contains 95 % of them and the fit's own, and `found_in` is the
/// share of fits with the level. A level is uncertain if a fifth of the fits lacks it, or if it is uncertain
/// in most fits that have it. Pure: same input, same output. Uses all CPUs.
/// @throws UsageError like fit_levels()
LevelsFit fit_levels_resampled(std::span<const LevelCurve> curves, const ResampleOptions& options = {});

/// Alignment of two rising lists of places (log2 bytes), in order: for each of `a` the index in `b`, or -1.
/// Places an octave or more apart are different. The sum of distances, with an octave for each place without
/// a partner, is minimal and returned in `distance`.
struct Alignment {
  std::vector<int> of_a;
  double distance = 0;
};
Alignment align_places(std::span<const double> a, std::span<const double> b);

}  // namespace gpuseq::probes
