#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "probes/median.hpp"

namespace gpuseq::probes {

/// One point of a curve over footprint: the median of a rate or a latency, and the samples it came from.
struct CurvePoint {
  double footprint_bytes = 0;
  std::vector<double> samples;      // same unit for the whole curve; at least one
  std::vector<double> passes = {};  // medians of passes over all points, if there are several: the level is
                                    // theirs, and how much they differ is how far it is known

  /// What the level is the median of.
  const std::vector<double>& values() const { return passes.empty() ? samples : passes; }
  double level() const { return median(values()); }
};

/// A footprint where a curve changes.
struct Knee {
  double from_bytes = 0, to_bytes = 0;  // interval in which the change begins and ends
  double at_bytes = 0;  // the footprint to call it by: where a soft change begins (the capacity that is
                        // exceeded), the middle of a hard one
  double low_bytes = 0, high_bytes = 0;  // 95 % bootstrap interval of at_bytes
  double before = 0, after = 0;          // level of the curve before and after
  bool hard = false;      // the change happens within one octave of footprint, or is threefold in it
  double confidence = 0;  // share of bootstrap resamples that find it
};

struct KneeOptions {
  std::uint64_t seed = 1;
  int resamples = 200;
  double min_relative_change = 0.10;  // smaller steps are not knees
  double min_confidence = 0.8;
};

/// Finds the knees of a curve, sorted by footprint. Pure: same input, same output. Works for falling and
/// rising curves (bandwidth, latency). A curve of fewer than five points has none.
/// @throws UsageError on unsorted footprints or values that are not positive and finite
std::vector<Knee> find_knees(std::span<const CurvePoint> curve, const KneeOptions& options = {});

/// Footprints worth measuring next to narrow the knees' intervals, none that the curve already has.
/// Multiples of 1024 bytes, sorted.
std::vector<double> refine_footprints(std::span<const CurvePoint> curve, std::span<const Knee> knees,
                                      int per_knee);

/// `per_octave` log-spaced footprints from `from` to `to`, each a multiple of 1024 bytes; one next to `to` is
/// left out.
/// @throws UsageError if from is 0, from > to, or per_octave < 1
std::vector<std::size_t> log_footprints(std::size_t from, std::size_t to, int per_octave);

}  // namespace gpuseq::probes
