#pragma once

#include <memory>

#include "kernels/fm_locate/cuda/policy.hpp"
#include "kernels/fm_locate/problem.hpp"
#include "runtime/cuda/cuda.hpp"

namespace gpuseq::fm_locate {

/// Bytes loaded for a sample.
inline constexpr u32 kSectorBytes = 32;

/// A session of a point's kernel.
/// @throws DoesNotFit if the device lacks the memory
std::unique_ptr<LocateSession> prepare_walk(LocateProblem& problem, const Layout& layout, const WalkPoint& at,
                                            cuda::CudaDevice& device);

}  // namespace gpuseq::fm_locate
