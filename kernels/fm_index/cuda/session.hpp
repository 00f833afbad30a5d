#pragma once

#include <memory>

#include "kernels/fm_index/cuda/policy.hpp"
#include "kernels/fm_index/problem.hpp"
#include "runtime/cuda/cuda.hpp"

namespace gpuseq::fm_index {

/// A session of a point's kernel. Positions are as wide as the problem needs.
/// @throws DoesNotFit if the device has not the memory, ResourceError if the kernels do not do so many bases
/// or queries
std::unique_ptr<SearchSession> prepare_search(FmProblem& problem, SearchPoint at, cuda::CudaDevice& device);

/// The cost of such a session before its problem is loaded.
Cost search_cost(const SearchPoint& at, const StateOutline& state);

}  // namespace gpuseq::fm_index
