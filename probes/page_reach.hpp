#pragma once

#include <optional>
#include <span>
#include <string>

namespace gpuseq::probes {

/// Time of an access at a footprint.
struct AccessTime {
  double footprint_bytes = 0, ns = 0;
};

/// How far caches of translations reach on pages of one size.
struct PageReach {
  /// The largest footprint at which an access takes no longer than on larger pages, and the next, where it
  /// does. Both are absent if it never does, the first if it does at the smallest footprint already.
  std::optional<double> served_bytes, exceeded_bytes;
  /// The most that an access takes longer at a footprint that both have.
  std::optional<double> extra_ns;
  std::string reason;  // for what is absent
};

/// An access takes longer where it does so by 15 %, at that footprint and the next that both curves have.
/// @param curve   on the pages in question
/// @param larger  on larger pages, of which no cache of translations matters yet
PageReach page_reach(std::span<const AccessTime> curve, std::span<const AccessTime> larger);

}  // namespace gpuseq::probes
