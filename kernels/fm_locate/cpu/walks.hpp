#pragma once

#include "kernels/fm_locate/data/line.cuh"

namespace gpuseq::fm_locate {

/// What one thread locates: the positions [begin, end) of `occurrences`, to the same places of `positions`.
struct WalkJob {
  IndexView index;
  OccurrenceView occurrences;
  u32* positions;
  u32 begin, end;
  u32 in_flight;  // walks that take turns
};

/// Locates a job to its end on the calling thread.
using WalkKernel = void (*)(const WalkJob&);

/// One walk after the other, and several that take turns.
WalkKernel scalar_kernel(bool marked);
WalkKernel interleaved_kernel(bool marked);

}  // namespace gpuseq::fm_locate
