#pragma once

#include <vector>

#include "kernels/fm_index/data/queries.hpp"
#include "kernels/fm_mismatch/data/index.hpp"
#include "runtime/contract/needs.hpp"
#include "runtime/contract/work.hpp"

namespace gpuseq::fm_mismatch {

/// What the searches of a launch come to.
struct Touched {
  double steps = 0;  // nodes that are extended
  /// By bases that a node has matched, and by the side that its step reads: lines, what searches of one
  /// strand of a query share counted once, where the fewest bases are matched.
  std::vector<double> forward, reverse;
  double look_ups = 0;  // in the prefix table
};

/// Searched for evenly spread queries until about `most` steps, and scaled to all.
Touched count_touched(const IndexView& index, const fm_index::Queries& queries, u32 mismatches, u32 strands,
                      u64 most = 300'000);

/// The lines of a launch, and what it looks up. Classes are as in fm_index: the intervals of so many bases
/// begin and end in few lines where the bases are few, which all queries come to.
/// @param bases  of the text
Traffic traffic_of(const Touched& touched, u64 bases, u32 prefix_symbols);

/// What that may be.
Needs mismatch_needs(const StateOutline& state);

}  // namespace gpuseq::fm_mismatch
