#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Whether a cache that all multiprocessors share has a near and a far part, read from the times that each of
// them takes to each of some lines. A pure function.

namespace gpuseq::probes {

struct CacheSides {
  /// Of all times in order: those that 0, 5, 25, 50, 75, 95 and 100 % do not exceed. Empty without times.
  std::vector<double> quantiles;
  /// Medians of the lines on a multiprocessor's own side, and of those on the other one; none where all are
  /// one mode.
  std::optional<double> near, far;
  std::optional<double> near_share;  // of all times, those of a near line
  double on_side = 0;  // share of times on the side of the middle between near and far that is theirs
  /// Multiprocessors (rows) by side, the one that has the first of them first; empty where there are no
  /// sides.
  std::vector<std::vector<std::size_t>> groups;
  std::string reason;  // why there are none
};

/// Shares that `quantiles` are of.
inline constexpr std::array kQuantiles{0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0};

/// Times of a cache of two sides are what a multiprocessor and a line have in common with all others, and one
/// number more where they are on different sides: once means of rows and columns are taken off, a product of
/// two vectors of signs. The leading product is found by power iteration, and counts if its two modes are a
/// tenth of the time apart, if nine of ten times lie on their side of the middle, and if nine of ten rows,
/// and lines, each by itself, are as clear as half of the gap: a distance that changes from multiprocessor to
/// multiprocessor has no two modes.
/// @param times  row-major, a row a multiprocessor; positive
/// @throws UsageError unless there are as many lines of every multiprocessor
CacheSides cache_sides(std::span<const double> times, std::size_t multiprocessors);

}  // namespace gpuseq::probes
