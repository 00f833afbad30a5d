#pragma once

#include <memory>

#include "kernels/pairwise_distance/problem.hpp"

namespace gpuseq::pairwise_distance {

std::unique_ptr<DistanceSession> make_appendix_session(DistanceProblem& problem);

/// The estimate of its sessions' cost.
Cost appendix_cost(const StateOutline& state);

}  // namespace gpuseq::pairwise_distance
