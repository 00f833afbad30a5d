#pragma once

#include <memory>

#include "kernels/exact_match/cuda/policy.hpp"
#include "kernels/exact_match/problem.hpp"
#include "runtime/cuda/peers/open_peers.hpp"

namespace gpuseq::exact_match {

/// A search whose queries are shared by a GPU and its peers, each of which has the tree.
/// @param peers  of the device; or the same GPU, opened again
/// @throws as make_cuda_session()
std::unique_ptr<MatchSession> make_session_on_gpus(MatchProblem& problem, const MatchPoint& at,
                                                   NodeOrder order, cuda::CudaDevice& device,
                                                   const cuda::Peers& peers);

}  // namespace gpuseq::exact_match
