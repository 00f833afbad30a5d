#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

// What the times of chains of loads say of the caches on a path to memory. Pure functions.

namespace gpuseq::probes {

/// A chain by one path: what a load took in clocks, once what caches keep of it was there.
struct LoadPathPoint {
  double footprint_bytes = 0, stride_bytes = 0;
  bool ascending = false;  // else in a random order
  double clocks = 0;
};

/// What serves the loads of chains that no nearer level holds.
struct PathLevel {
  double clocks = 0;
  /// The largest footprint that it still serves alone, and the next, which it does not: its size lies between
  /// them. Both are absent of the last level that shows.
  std::optional<double> served_bytes = {}, exceeded_bytes = {};
  double exceeded_clocks = 0;  // of a load at exceeded_bytes
};

/// A number that may not show, for a reason.
struct Shown {
  std::optional<double> value;
  std::string reason;
};

struct PathCaches {
  std::vector<PathLevel> levels;  // nearest first
  Shown fetch_bytes;              // what a miss of the first cache brings
  Shown line_bytes;               // of the first cache: what has a tag
  Shown ways;                     // of the first cache
};

/// The levels of one curve: points of one stride in a random order. A level ends where a load takes longer
/// from one footprint to the next by a tenth and, where it takes alike long again, by a fifth in all.
std::vector<PathLevel> path_levels(std::vector<LoadPathPoint> curve);

/// - Levels: chains of the least stride in a random order.
/// - Fetch: chains in ascending order through more than the first cache holds. With a stride of half of what
///   a miss brings every second load is served, with all of it none.
/// - Line: nodes further apart than a line take one each. At a stride s of 416 B, an odd multiple of 32 B,
/// they
///   are spread over all sets, and the cache ends at size * s / line.
/// - Ways: at strides of more and more powers of two nodes come to fewer and fewer sets, until all are in
///   one, which holds as many as it has ways whatever the stride, and of twice as many next to none. Two
///   strides must say the same. Where sets are chosen by a hash it does not show.
PathCaches path_caches(std::span<const LoadPathPoint> points);

/// Whether a second chain, as long as the first one, drove it out of the first cache, which must hold one of
/// them and not both; none if it is not so.
/// @param clocks  of a load of the first chain, in its first round after the second one's
std::optional<bool> is_evicted(std::span<const PathLevel> levels, double footprint_bytes, double clocks);

}  // namespace gpuseq::probes
