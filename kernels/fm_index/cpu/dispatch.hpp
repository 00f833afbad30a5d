#pragma once

#include <cstdint>
#include <initializer_list>

#include "kernels/fm_index/cpu/search.hpp"

namespace gpuseq::fm_index {

/// The kernels of one source compiled for one Highway target; `select` is null where they were not.
struct CompiledTarget {
  std::int64_t target;
  SearchKernel (*select)(const Layout&);
};

/// Takes the first of `compiled` (widest first) that the processor has and that `wanted` names.
/// @throws ResourceError naming what the processor offers
DispatchedKernel dispatch(std::initializer_list<CompiledTarget> compiled, const Layout& layout,
                          SimdTarget wanted);

}  // namespace gpuseq::fm_index
