#pragma once

#include "kernels/papara/cpu/kernel.hpp"
#include "runtime/simd/simd_dispatch.hpp"

namespace gpuseq::papara {

/// The kernels of one source compiled for one Highway target, by bits.
using CompiledKernels = CompiledTarget<DispatchedKernel, int>;

/// @throws ResourceError naming what the processor offers
DispatchedKernel dispatch_kernel(std::initializer_list<CompiledKernels> compiled, int bits,
                                 SimdTarget wanted);

}  // namespace gpuseq::papara
