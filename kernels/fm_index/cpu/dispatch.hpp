#pragma once

#include <initializer_list>

#include "kernels/fm_index/cpu/search.hpp"
#include "runtime/simd/simd_dispatch.hpp"

namespace gpuseq::fm_index {

/// The kernels of one source compiled for one Highway target, by layout.
using CompiledKernels = CompiledTarget<SearchKernel, const Layout&>;

/// @throws ResourceError naming what the processor offers; for a layout of a shape that this build has not
/// compiled, naming the option that compiles it
DispatchedKernel dispatch(std::initializer_list<CompiledKernels> compiled, const Layout& layout,
                          SimdTarget wanted);

}  // namespace gpuseq::fm_index
