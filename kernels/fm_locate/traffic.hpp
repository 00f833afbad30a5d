#pragma once

#include "kernels/fm_locate/data/index.hpp"
#include "kernels/fm_locate/data/occurrences.hpp"
#include "runtime/contract/cost.hpp"

namespace gpuseq::fm_locate {

/// Parts of the memory that a launch holds, beside the usual ones: the suffix array's samples, and the rows
/// that are given.
inline constexpr const char* kSamplesPart = "samples";
inline constexpr const char* kRowsPart = "rows";

/// The unit of work: positions that are located, those of matches across a join among them.
inline constexpr const char* kPositions = "positions";

/// Places of memory that all walks of a launch come to. What those of one query share is counted once: its
/// rows follow each other, and LF keeps neighbours that are preceded by the same base beside each other.
struct Touched {
  double lines = 0, samples = 0;  // samples: blocks of 64 bytes that have some
  double steps_per_position = 0;
};

/// Walked for evenly spread queries of about `most` positions, and scaled to all.
Touched count_touched(const Index& index, const Occurrences& occurrences, u64 most = 50'000);

/// The blocks of a launch: lines, and a block of `sample_bytes` for samples. They lie anywhere; of few
/// positions a launch touches, launch for launch the same, less than all of the index. Rows that are given
/// and positions that are written follow each other, and are left out.
/// @param bases  of the text
Traffic traffic_of(const Touched& touched, const Layout& layout, u64 bases, u32 sample_bytes);

/// The memory of a launch that locates `positions` of `entries` strands of queries.
HeldMemory held_memory(const Layout& layout, u64 bases, u64 entries, u64 positions);

/// Positions of a problem; 0: not known. Those of files may be any, as many as max_hits allows.
double estimated_positions(const StateOutline& state);

/// The cost of a launch before its problem is loaded. Walks in the order of rows are taken to be as long as
/// those of random bases. The number of walks in files is not known, so that work and blocks are 0.
Cost estimated_cost(const Layout& layout, u32 sample_bytes, const StateOutline& state);

}  // namespace gpuseq::fm_locate
