#pragma once

#include "kernels/profile_hmm/cpu/kernel.hpp"
#include "runtime/simd/simd_dispatch.hpp"

namespace gpuseq::profile_hmm {

/// @throws ResourceError where the processor or the build lacks the target
Dispatched<StripedKernels> striped_kernels(SimdTarget target);

/// The same; where the best is asked for, of vectors that so many positions fill more than half.
Dispatched<StripedKernels> striped_kernels_for(u32 positions, u32 lane_bytes, SimdTarget target);

}  // namespace gpuseq::profile_hmm
