#pragma once

#include "kernels/fm_locate/data/index.hpp"
#include "kernels/fm_locate/data/occurrences.hpp"
#include "runtime/contract/needs.hpp"
#include "runtime/contract/work.hpp"

namespace gpuseq::fm_locate {

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

/// What that may be.
Needs locate_needs(const Layout& layout, u32 sample_bytes, const StateOutline& state);

}  // namespace gpuseq::fm_locate
