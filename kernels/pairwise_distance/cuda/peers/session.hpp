#pragma once

#include <memory>

#include "kernels/pairwise_distance/cuda/tile_policy.cuh"
#include "kernels/pairwise_distance/problem.hpp"
#include "runtime/cuda/peers/open_peers.hpp"

namespace gpuseq::pairwise_distance {

/// Distances whose tiles are shared by a GPU and its peers, each of which has all instances.
/// @param peers  of the device; or the same GPU, opened again
/// @throws as make_session()
std::unique_ptr<DistanceSession> make_session_on_gpus(DistanceProblem& problem, const TilePolicy& policy,
                                                      bool ahead_of_time, cuda::CudaDevice& device,
                                                      const cuda::Peers& peers);

}  // namespace gpuseq::pairwise_distance
