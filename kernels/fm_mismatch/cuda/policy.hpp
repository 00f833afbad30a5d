#pragma once

#include <map>
#include <string>

#include "kernels/common/tuned_kernel.hpp"
#include "kernels/fm_mismatch/cuda/search_policy.cuh"

// The tunables of the CUDA variant, in one table (policy.cpp).

namespace gpuseq::fm_mismatch {

/// The compile-time parameters of a point's kernel.
/// @param point  complete
Policy policy_of(const Point& point, u32 mismatches);
SearchSpace space_of_search();

const TunedKernel<Policy>& search_kernels();
/// The source of the kernels compiled ahead of time: the default point, for every number of mismatches.
std::string ahead_of_time_text();
/// The device sources by the names used to include them. Defined by cmake/device_sources.cmake.
std::map<std::string, std::string> device_headers();

}  // namespace gpuseq::fm_mismatch
