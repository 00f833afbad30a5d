#pragma once

#include "kernels/profile_hmm/cpu/kernel.hpp"
#include "runtime/simd/simd_dispatch.hpp"

namespace gpuseq::profile_hmm {

/// @throws ResourceError if the CPU or the build lacks the target
Dispatched<StripedKernels> striped_kernels(SimdTarget target);

/// Like striped_kernels(). For SimdTarget::best, chooses vectors that the positions fill by more than half.
Dispatched<StripedKernels> striped_kernels_for(u32 positions, u32 lane_bytes, SimdTarget target);

}  // namespace gpuseq::profile_hmm
