#pragma once

#include <vector>

#include "kernels/fm_index/data/queries.hpp"
#include "kernels/fm_mismatch/data/index.hpp"
#include "runtime/contract/cost.hpp"

namespace gpuseq::fm_mismatch {

/// The reads of a launch.
struct Touched {
  double steps = 0;  // nodes that are extended
  /// Lines by the number of bases a node has matched, and by the side that its step reads. Lines shared by
  /// the searches of one strand of a query are counted once, at the fewest matched bases.
  std::vector<double> forward, reverse;
  double look_ups = 0;  // in the prefix table
};

/// Approximate number of steps that are counted.
inline constexpr u64 kMostSteps = 300'000;

/// Counted for evenly spread queries until about `most` steps, and scaled to all.
Touched count_touched(const IndexView& index, const fm_index::Queries& queries, u32 mismatches, u32 strands,
                      u64 most = kMostSteps);

/// The lines of a launch, and its look-ups in the prefix table. Classes are as in fm_index: the intervals of
/// few bases begin and end in few lines, which all queries read.
/// @param bases  of the text
Traffic traffic_of(const Touched& touched, u64 bases, u32 prefix_symbols);

/// The memory of a launch.
/// @param query_bytes  as Queries::bytes()
/// @param places  strands of queries
HeldMemory held_memory(u64 bases, u32 prefix_symbols, u64 query_bytes, u64 places);

/// The cost of a launch before its problem is loaded. The number of nodes per search in a text from a file is
/// unknown, so that blocks are 0.
Cost estimated_cost(const StateOutline& state);

}  // namespace gpuseq::fm_mismatch
