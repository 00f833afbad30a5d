#pragma once

#include <memory>

#include "kernels/pairwise_distance/problem.hpp"

namespace gpuseq::pairwise_distance {

std::unique_ptr<DistanceSession> make_appendix_session(DistanceProblem& problem);

/// What its sessions count.
Needs appendix_needs(const StateOutline& state);

}  // namespace gpuseq::pairwise_distance
