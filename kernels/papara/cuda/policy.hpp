#pragma once

#include <map>
#include <optional>
#include <string>

#include "kernels/common/tuned_kernel.hpp"
#include "kernels/papara/cuda/score_policy.cuh"

namespace gpuseq::papara {

/// A point of a CUDA variant: its compiled policy and its launch sizes.
struct ScorePoint {
  Policy policy;
  bool border_by_fit = false;     // shared memory if it fits the borders of enough warps, else global
  u32 references_per_launch = 0;  // 0: as many as fit the memory
  u32 queries_per_launch = 0;
  bool ahead_of_time = false;
};

/// "blocked_registers" ...: the name of its variant.
std::string_view scheme_word(Scheme scheme);
/// Axes and constraints of a scheme.
SearchSpace score_space(Scheme scheme);
/// @param point  complete
ScorePoint score_point(Scheme scheme, const Point& point, Alphabet alphabet = Alphabet::dna);
/// The reason why the point has no kernel; nullopt if it has one.
std::optional<std::string> why_missing(const ScorePoint& at);

/// Names and compiles the kernels of policies.
const TunedKernel<Policy>& score_kernels();
/// The source of the kernels that are compiled ahead of time.
std::string ahead_of_time_text();
/// The device sources by include path; cmake/device_sources.cmake defines it.
std::map<std::string, std::string> device_headers();

/// The policy with its border in the other memory.
Policy other_border(Policy policy);
/// Whether the borders of enough warps for a multiprocessor fit the given shared memory.
bool borders_fit(std::size_t bytes_of_multiprocessor, u32 longest);

/// Dynamic shared memory of a block. @param longest  bases of the longest query
std::size_t shared_bytes(const Policy& policy, u32 longest);
/// Global memory per thread of the grid in addition to the data.
std::size_t scratch_bytes_per_thread(const Policy& policy, u32 sites, u32 shortest, u32 longest);

/// The reason why a policy's numbers cannot hold every score of a problem; nullopt if they can.
std::optional<std::string> why_inexact(const Policy& policy, u32 longest, const Penalties& penalties);

}  // namespace gpuseq::papara
