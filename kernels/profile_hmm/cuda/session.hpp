#pragma once

#include <memory>

#include "kernels/profile_hmm/cuda/policy.hpp"
#include "kernels/profile_hmm/outline.hpp"
#include "kernels/profile_hmm/problem.hpp"
#include "runtime/cuda/cuda.hpp"

namespace gpuseq::profile_hmm {

/// @throws ResourceError if the point does not support the problem's filter or model
std::unique_ptr<FilterSession> make_cuda_session(FilterProblem& problem, const FilterPoint& at,
                                                 cuda::CudaDevice& device);

/// The estimated cost of a session with a policy.
Cost filter_cost(const Policy& policy, const FilterShape& shape, const OutlinedSizes& sizes);

}  // namespace gpuseq::profile_hmm
