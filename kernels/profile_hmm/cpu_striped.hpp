#pragma once

#include "kernels/profile_hmm/cpu_kernel.hpp"
#include "runtime/simd_dispatch.hpp"

namespace gpuseq::profile_hmm {

/// @throws ResourceError where the processor or the build lacks the target
Dispatched<StripedKernels> striped_kernels(SimdTarget target);

}  // namespace gpuseq::profile_hmm
