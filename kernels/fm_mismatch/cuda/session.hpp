#pragma once

#include <memory>

#include "kernels/fm_mismatch/cuda/policy.hpp"
#include "kernels/fm_mismatch/problem.hpp"
#include "runtime/cuda/cuda.hpp"

namespace gpuseq::fm_mismatch {

/// A session of a policy's kernel.
/// @param prefix_symbols  bases of its prefix table
/// @param ahead_of_time  whether nvcc has compiled the kernel
/// @throws DoesNotFit if the device lacks the memory
std::unique_ptr<MismatchSession> prepare_search(MismatchProblem& problem, const Policy& policy,
                                                u32 prefix_symbols, bool ahead_of_time,
                                                cuda::CudaDevice& device);

}  // namespace gpuseq::fm_mismatch
