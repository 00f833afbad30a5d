#pragma once

#include <span>
#include <string>
#include <vector>

#include "kernels/fm_index/search_policy.cuh"
#include "runtime/family.hpp"

// The tunables of the CUDA variants. One table (cuda_policy.cpp) states each once: the axes, the policy of a
// point and the text of its kernel derive from it.

namespace gpuseq::fm_index {

/// A point of a variant: what its kernel is compiled for, and how it is launched.
struct SearchPoint {
  Policy policy;
  u32 prefix_symbols = 0;
  u32 active_threads = 0;  // resident per multiprocessor; 0: as many as fit
  bool ahead_of_time = false;
};

/// @param point complete
SearchPoint search_point(Scheme scheme, const Point& point);

/// "one_hot"; the name of the variant.
std::string scheme_name(Scheme scheme);
/// @throws UsageError if there is none of this name
Scheme scheme_of(std::string_view variant);
SearchSpace search_space(Scheme scheme);

/// The entry of a policy's kernel, unique to the policy: "fm_one_hot_k3_d224_full_t128_l2_q1_cached".
std::string kernel_name(const Policy& policy);
/// CUDA source with one extern "C" entry for each policy.
std::string kernel_text(std::span<const Policy> policies);
/// The device sources by the names that they are included by; cmake/device_sources.cmake defines it.
std::map<std::string, std::string> device_headers();
/// The text of one kernel with the headers it includes, for NVRTC.
KernelSource kernel_source(const Policy& policy);
/// What nvcc compiles when the program is built: every variant's default point and the usual winners.
std::vector<Policy> ahead_of_time_policies();
bool is_ahead_of_time(const Policy& policy);

/// 16-byte registers that a lane loads ahead of counting.
u32 pieces_in_flight(const Policy& policy);

}  // namespace gpuseq::fm_index
