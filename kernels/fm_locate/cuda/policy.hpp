#pragma once

#include <map>
#include <string>

#include "kernels/common/tuned_kernel.hpp"
#include "kernels/fm_locate/cuda/walk_policy.cuh"

// The tunables of the CUDA variant, in one table (policy.cpp).

namespace gpuseq::fm_locate {

/// A point of the variant: the compile-time parameters of its kernel, and how the kernel is compiled.
struct WalkPoint {
  Policy policy;
  bool ahead_of_time = false;
};

/// @param point complete
WalkPoint walk_point(const Point& point);
/// Axes of the kernel, without those of the layout.
std::vector<Axis> walk_axes();
std::vector<Constraint> walk_constraints();

const TunedKernel<Policy>& locate_kernels();
/// The source of the kernels compiled ahead of time: the default point, for both orders of samples.
std::string ahead_of_time_text();
/// The device sources by the names used to include them. Defined by cmake/device_sources.cmake.
std::map<std::string, std::string> device_headers();

}  // namespace gpuseq::fm_locate
