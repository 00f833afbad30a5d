#pragma once

#include <map>
#include <string>

#include "kernels/common/tuned_kernel.hpp"
#include "kernels/fm_mismatch/cuda/search_policy.cuh"

// The tunables of the CUDA variant; one table (policy.cpp) states each once.

namespace gpuseq::fm_mismatch {

/// What a point's kernel is compiled for.
/// @param point  complete
Policy policy_of(const Point& point, u32 mismatches);
SearchSpace space_of_search();

const TunedKernel<Policy>& search_kernels();
/// The text of the kernels that are compiled ahead of time: the default point, for any mismatches.
std::string ahead_of_time_text();
/// The device sources by the names that they are included by; cmake/device_sources.cmake defines it.
std::map<std::string, std::string> device_headers();

}  // namespace gpuseq::fm_mismatch
