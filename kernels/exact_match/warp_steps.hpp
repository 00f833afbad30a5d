#pragma once

#include <compare>

#include "kernels/exact_match/traffic.hpp"

namespace gpuseq::exact_match {

inline constexpr u32 kThreadsOfWarp = 32;

/// What a GPU's warps do of a search for each query base, about. Lanes that have a step less than others, or
/// compare fewer letters in it, wait for these.
struct WarpSteps {
  double instructions = 0;  // that warps issue
  double waits = 0;         // blocks that warps wait for, one after the other
  double reads = 0;         // within the block of the last read
  double thread_reads = 0;  // the same of all threads
  double slots = 0;         // that threads write, each to a place apart from those of their warp
  double lines_read = 0, lines_written = 0;  // bytes of the lines that a thread reads and writes in order
  double longest = 1;                        // of the warp that has the most to do, over the mean
};

/// How a search lies on warps.
struct WarpWay {
  u32 lanes = 1;            // threads of a strand
  u32 letters_at_once = 4;  // that are compared
  friend auto operator<=>(const WarpWay&, const WarpWay&) = default;
};

/// Of some whole warps, spread evenly over the queries.
WarpSteps warp_steps(const TreePart& part, const Search& search, const Queries& queries, const SearchWay& way,
                     const WarpWay& warps_of);

}  // namespace gpuseq::exact_match
