#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "probes/median.hpp"

namespace gpuseq::probes {

/// One point of a curve over footprint: the median of a rate or a latency, and the samples it came from.
struct CurvePoint {
  double footprint_bytes = 0;
  std::vector<double> samples;      // same unit for the whole curve; at least one
  std::vector<double> passes = {};  // medians of passes over all points, if there are several: the level is
                                    // their median, and their spread gives its uncertainty

  /// The values whose median is the level.
  const std::vector<double>& values() const { return passes.empty() ? samples : passes; }
  double level() const { return median(values()); }
};

/// A range of footprints in which a level of memory may end.
struct FootprintRange {
  double from_bytes = 0, to_bytes = 0;
};

/// New footprints to measure next to narrow the ranges. Ranges outside of the curve add none. Multiples of
/// 1024 bytes, sorted.
std::vector<double> refine_footprints(std::span<const CurvePoint> curve,
                                      std::span<const FootprintRange> ranges, int per_range);

/// `per_octave` log-spaced footprints from `from` to `to`, each a multiple of 1024 bytes, without one
/// that is close to `to`.
/// @throws UsageError if from is 0, from > to, or per_octave < 1
std::vector<std::size_t> log_footprints(std::size_t from, std::size_t to, int per_octave);

}  // namespace gpuseq::probes
