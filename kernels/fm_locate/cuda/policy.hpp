#pragma once

#include <map>
#include <string>

#include "kernels/common/tuned_kernel.hpp"
#include "kernels/fm_locate/cuda/walk_policy.cuh"

// The tunables of the CUDA variant; one table (policy.cpp) states each once.

namespace gpuseq::fm_locate {

/// A point of the variant: what its kernel is compiled for, and how it is launched.
struct WalkPoint {
  Policy policy;
  bool ahead_of_time = false;
};

/// @param point complete
WalkPoint walk_point(const Point& point);
/// Beside the axes of the layout.
std::vector<Axis> walk_axes();
std::vector<Constraint> walk_constraints();

const TunedKernel<Policy>& locate_kernels();
/// The text of the kernels that are compiled ahead of time: the default point, for samples of both orders.
std::string ahead_of_time_text();
/// The device sources by the names that they are included by; cmake/device_sources.cmake defines it.
std::map<std::string, std::string> device_headers();

}  // namespace gpuseq::fm_locate
