#pragma once

#include "kernels/papara/cpu/kernel.hpp"
#include "runtime/simd/simd_dispatch.hpp"

namespace gpuseq::papara {

/// The kernels of one source for one Highway target, by bits per lane.
using CompiledKernels = CompiledTarget<DispatchedKernel, int>;

/// @throws ResourceError naming the instruction sets that the CPU has
DispatchedKernel dispatch_kernel(std::initializer_list<CompiledKernels> compiled, int bits,
                                 SimdTarget wanted);

}  // namespace gpuseq::papara
