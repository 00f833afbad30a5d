#pragma once

#include <initializer_list>

#include "kernels/fm_index/cpu/search.hpp"
#include "runtime/simd/simd_dispatch.hpp"

namespace gpuseq::fm_index {

/// The kernels of one source compiled for one Highway target, by layout.
using CompiledKernels = CompiledTarget<SearchKernel, const Layout&>;

/// @param layout  sampled or one-hot
/// @throws NotCompiled
void require_compiled(const Layout& layout);

/// @throws ResourceError with the targets of the processor, if none is compiled and wanted
DispatchedKernel dispatch(std::initializer_list<CompiledKernels> compiled, const Layout& layout,
                          SimdTarget wanted);

}  // namespace gpuseq::fm_index
