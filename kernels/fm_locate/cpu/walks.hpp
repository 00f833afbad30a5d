#pragma once

#include <string>

#include "kernels/fm_locate/data/line.cuh"
#include "runtime/simd/simd_target.hpp"

namespace gpuseq::fm_locate {

/// The job of one thread: the positions [begin, end) of `occurrences`, written to the same places of
/// `positions`.
struct WalkJob {
  IndexView index;
  OccurrenceView occurrences;
  u32* positions;
  u32 begin, end;
  u32 in_flight;  // interleaved walks
};

using WalkKernel = void (*)(const WalkJob&);

/// A kernel and the Highway target it was compiled for ("AVX3_DL").
struct DispatchedWalks {
  WalkKernel walk;
  std::string target;
};

/// One walk after the other; interleaved walks; interleaved vectors with one walk per lane.
/// @throws ResourceError if the CPU or the build lacks the target
DispatchedWalks scalar_kernel(bool marked);
DispatchedWalks interleaved_kernel(bool marked);
DispatchedWalks simd_kernel(bool marked, SimdTarget target);

}  // namespace gpuseq::fm_locate
