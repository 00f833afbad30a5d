#pragma once

#include "kernels/fm_locate/data/index.hpp"
#include "kernels/fm_locate/data/occurrences.hpp"
#include "runtime/contract/cost.hpp"

namespace gpuseq::fm_locate {

/// Additional parts of a launch's memory footprint: the samples of the suffix array, and the rows to locate.
inline constexpr const char* kSamplesPart = "samples";
inline constexpr const char* kRowsPart = "rows";

/// The unit of work: located positions, including those of matches that span a join.
inline constexpr const char* kPositions = "positions";

/// Memory that all walks of a launch read. Data shared by walks of the same query is counted once: its rows
/// are consecutive, and LF keeps adjacent rows adjacent if the same base precedes them.
struct Touched {
  double lines = 0, samples = 0;  // samples: 64-byte blocks that contain some
  double steps_per_position = 0;
};

/// Counted for evenly spread queries of about `most` positions, and scaled to all.
Touched count_touched(const Index& index, const Occurrences& occurrences, u64 most = 50'000);

/// The blocks of a launch: lines, and a block of `sample_bytes` per sample. They are randomly distributed.
/// With few positions, every launch reads the same part of the index. The rows to locate and the written
/// positions are sequential and left out.
/// @param bases  of the text
Traffic traffic_of(const Touched& touched, const Layout& layout, u64 bases, u32 sample_bytes);

/// The memory of a launch that locates `positions` for `entries` strands of queries.
HeldMemory held_memory(const Layout& layout, u64 bases, u64 entries, u64 positions);

/// Positions of a problem; 0: unknown. For files it is the most that max_hits allows.
double estimated_positions(const StateOutline& state);

/// The cost of a launch before its problem is loaded. Walks in the order of rows are assumed to be as long as
/// for random bases. For files the number of walks is unknown, so that work and blocks are 0.
Cost estimated_cost(const Layout& layout, u32 sample_bytes, const StateOutline& state);

}  // namespace gpuseq::fm_locate
