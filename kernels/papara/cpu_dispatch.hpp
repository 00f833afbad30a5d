#pragma once

#include <cstdint>
#include <initializer_list>

#include "kernels/papara/cpu_kernel.hpp"

namespace gpuseq::papara {

/// The kernels of one source compiled for one Highway target, by bits; `select` is null where they were not,
/// and finds no kernel where the target has no lanes.
struct CompiledTarget {
  std::int64_t target;
  DispatchedKernel (*select)(int bits);
};

/// Takes the first of `compiled` (widest first) that the processor has and that `wanted` includes.
/// @throws ResourceError naming what the processor offers
DispatchedKernel dispatch(std::initializer_list<CompiledTarget> compiled, int bits, SimdTarget wanted);

}  // namespace gpuseq::papara
