#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Whether a cache shared by all multiprocessors has a near and a far partition, determined from the times
// that each multiprocessor takes to access each of some lines. A pure function.

namespace gpuseq::probes {

struct CacheSides {
  /// The 0, 5, 25, 50, 75, 95 and 100 % quantiles of all times. Empty without times.
  std::vector<double> quantiles;
  /// Median times of the lines in a multiprocessor's near partition, and in the far one; none if
  /// there is only one mode.
  std::optional<double> near, far;
  std::optional<double> near_share;  // share of all times that are to a near line
  double on_side = 0;                // share of times on the correct side of the middle between near and far
  /// Multiprocessors (rows) by partition, first the one with the lowest row; empty if there
  /// are no partitions.
  std::vector<std::vector<std::size_t>> groups;
  std::string reason;  // why there are no partitions
};

/// The shares of `quantiles`.
inline constexpr std::array kQuantiles{0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0};

/// The time in a cache with two partitions is a sum of a multiprocessor's part, a line's part, and a constant
/// if they are in different partitions. Without the means of rows and columns, the times are therefore a
/// product of two sign vectors. The leading product is found by power iteration. It is accepted if its two
/// modes differ by a tenth of the time, nine of ten times are on the correct side of the middle, and nine of
/// ten rows, and of lines, each show at least half of the gap: a distance that varies between multiprocessors
/// does not have two modes.
/// @param times  row-major, one row per multiprocessor; positive
/// @throws UsageError unless all multiprocessors have the same number of lines
CacheSides cache_sides(std::span<const double> times, std::size_t multiprocessors);

}  // namespace gpuseq::probes
