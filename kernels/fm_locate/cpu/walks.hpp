#pragma once

#include <string>

#include "kernels/fm_locate/data/line.cuh"
#include "runtime/simd/simd_target.hpp"

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

/// A kernel together with the Highway target that it was compiled for ("AVX3_DL").
struct DispatchedWalks {
  WalkKernel walk;
  std::string target;
};

/// One walk after the other; several that take turns; one a vector lane, vectors take turns.
/// @throws ResourceError where the processor or the build lacks the target
DispatchedWalks scalar_kernel(bool marked);
DispatchedWalks interleaved_kernel(bool marked);
DispatchedWalks simd_kernel(bool marked, SimdTarget target);

}  // namespace gpuseq::fm_locate
