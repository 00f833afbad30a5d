#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

// Properties of the caches on a path to memory, determined from the times of load chains. Pure functions.

namespace gpuseq::probes {

/// A chain by one path: clocks per load with warm caches.
struct LoadPathPoint {
  double footprint_bytes = 0, stride_bytes = 0;
  bool ascending = false;  // otherwise in a random order
  double clocks = 0;
};

/// A level that serves the loads of chains too large for nearer levels.
struct PathLevel {
  double clocks = 0;
  /// The largest footprint that it still serves alone, and the next, which it does not: its size is between
  /// them. Both are absent for the last level.
  std::optional<double> served_bytes = {}, exceeded_bytes = {};
  double exceeded_clocks = 0;  // time of a load at exceeded_bytes
};

/// A value that may be unknown for a reason.
struct Shown {
  std::optional<double> value;
  std::string reason;
};

struct PathCaches {
  std::vector<PathLevel> levels;  // nearest first
  Shown fetch_bytes;              // bytes fetched per miss of the first cache
  Shown line_bytes;               // line size of the first cache (bytes per tag)
  Shown ways;                     // of the first cache
};

/// The levels of one curve: points of one stride in a random order. A level ends where the time of a load
/// rises by a tenth from one footprint to the next, and by a fifth until it is constant again.
std::vector<PathLevel> path_levels(std::vector<LoadPathPoint> curve);

/// - Levels: chains of the least stride in a random order.
/// - Fetch: chains in ascending order through more than the size of the first cache. With a stride of half of
///   the fetched bytes every second load is a hit, with a stride of the fetched bytes none.
/// - Line: nodes further apart than a line take one line each. At a stride s of 416 B, an odd multiple of 32
///   B, they are spread over all sets, and the cache ends at size * s / line.
/// - Ways: at increasing power-of-two strides nodes use fewer and fewer sets, until all are in one. This set
///   holds as many nodes as it has ways, for every stride, and next to none of twice as many. Two strides
///   must agree. It does not work if sets are chosen by a hash.
PathCaches path_caches(std::span<const LoadPathPoint> points);

/// Whether a second chain, as long as the first one, evicted it from the first cache, which must hold one of
/// them and not both; otherwise none.
/// @param clocks  of a load of the first chain, in its first round after the second one's
std::optional<bool> is_evicted(std::span<const PathLevel> levels, double footprint_bytes, double clocks);

}  // namespace gpuseq::probes
