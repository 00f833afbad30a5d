#pragma once

#include <memory>

#include "kernels/profile_hmm/cuda/policy.hpp"
#include "kernels/profile_hmm/problem.hpp"
#include "runtime/cuda/peers/open_peers.hpp"

namespace gpuseq::profile_hmm {

/// A filter whose sequences are shared by a GPU and its peers.
/// @param peers  of the device; or the same GPU, opened again
/// @throws as make_cuda_session()
std::unique_ptr<FilterSession> make_session_on_gpus(FilterProblem& problem, const FilterPoint& at,
                                                    cuda::CudaDevice& device, const cuda::Peers& peers);

}  // namespace gpuseq::profile_hmm
