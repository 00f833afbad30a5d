#pragma once

#include <optional>
#include <span>
#include <string>

namespace gpuseq::probes {

/// Time of an access at a footprint.
struct AccessTime {
  double footprint_bytes = 0, ns = 0;
};

/// TLB reach with pages of one size.
struct PageReach {
  /// The largest footprint at which an access takes no longer than with larger pages, and the next, at which
  /// it does. Both are absent if it never does, the first if it does already at the smallest footprint.
  std::optional<double> served_bytes, exceeded_bytes;
  /// The largest additional time of an access at a footprint of both curves.
  std::optional<double> extra_ns;
  std::string reason;  // for absent values
};

/// An access takes longer if it does so by 15 % at that footprint and at the next of both curves.
/// @param curve   with the pages in question
/// @param larger  with larger pages, for which TLB misses do not matter yet
PageReach page_reach(std::span<const AccessTime> curve, std::span<const AccessTime> larger);

}  // namespace gpuseq::probes
