#pragma once

#include <memory>

#include "kernels/profile_hmm/cuda/policy.hpp"
#include "kernels/profile_hmm/outline.hpp"
#include "kernels/profile_hmm/problem.hpp"
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/peers/open_peers.hpp"

namespace gpuseq::profile_hmm {

/// @throws ResourceError if the point does not support the problem's filter or model
std::unique_ptr<FilterSession> make_cuda_session(FilterProblem& problem, const FilterPoint& at,
                                                 cuda::CudaDevice& device);

/// A filter whose sequences are shared by a GPU and its peers.
/// @param peers  of the device; or the same GPU, opened again
/// @throws as make_cuda_session()
std::unique_ptr<FilterSession> make_session_on_gpus(FilterProblem& problem, const FilterPoint& at,
                                                    cuda::CudaDevice& device, const cuda::Peers& peers);

/// The estimated cost of a session with a policy.
Cost filter_cost(const Policy& policy, const FilterShape& shape, const OutlinedSizes& sizes);

}  // namespace gpuseq::profile_hmm
