#pragma once

#include <vector>

#include "kernels/fm_index/data/queries.hpp"
#include "kernels/fm_mismatch/data/index.hpp"
#include "runtime/contract/cost.hpp"

namespace gpuseq::fm_mismatch {

/// What the searches of a launch come to.
struct Touched {
  double steps = 0;  // nodes that are extended
  /// By bases that a node has matched, and by the side that its step reads: lines, what searches of one
  /// strand of a query share counted once, where the fewest bases are matched.
  std::vector<double> forward, reverse;
  double look_ups = 0;  // in the prefix table
};

/// Steps that are counted, about.
inline constexpr u64 kMostSteps = 300'000;

/// Searched for evenly spread queries until about `most` steps, and scaled to all.
Touched count_touched(const IndexView& index, const fm_index::Queries& queries, u32 mismatches, u32 strands,
                      u64 most = kMostSteps);

/// The lines of a launch, and what it looks up. Classes are as in fm_index: the intervals of so many bases
/// begin and end in few lines where the bases are few, which all queries come to.
/// @param bases  of the text
Traffic traffic_of(const Touched& touched, u64 bases, u32 prefix_symbols);

/// The memory of a launch.
/// @param query_bytes  as Queries::bytes()
/// @param places  strands of queries
HeldMemory held_memory(u64 bases, u32 prefix_symbols, u64 query_bytes, u64 places);

/// The cost of a launch before its problem is loaded. How many nodes a search comes to in a text from a file
/// is not known, so that blocks are 0.
Cost estimated_cost(const StateOutline& state);

}  // namespace gpuseq::fm_mismatch
