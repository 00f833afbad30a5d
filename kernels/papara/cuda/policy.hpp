#pragma once

#include <map>
#include <optional>
#include <string>

#include "kernels/common/tuned_kernel.hpp"
#include "kernels/papara/cuda/score_policy.cuh"

namespace gpuseq::papara {

/// A point of a CUDA variant: what is compiled, and how it is launched.
struct ScorePoint {
  Policy policy;
  bool border_by_fit = false;     // shared memory where it holds the borders of enough warps, else global
  u32 references_per_launch = 0;  // 0: as many as the memory holds
  u32 queries_per_launch = 0;
  bool ahead_of_time = false;
};

/// "blocked_registers" ...: as its variant is called.
std::string_view scheme_word(Scheme scheme);
/// Axes and constraints of a scheme.
SearchSpace score_space(Scheme scheme);
/// @param point  complete
ScorePoint score_point(Scheme scheme, const Point& point, Alphabet alphabet = Alphabet::dna);
/// Why there is no kernel of the point; nullopt: there is.
std::optional<std::string> why_missing(const ScorePoint& at);

/// What names and makes the kernel of a policy.
const TunedKernel<Policy>& score_kernels();
/// The text of the kernels that are compiled ahead of time.
std::string ahead_of_time_text();
/// The device sources by the names that they are included by; cmake/device_sources.cmake defines it.
std::map<std::string, std::string> device_headers();

/// The policy with its border in the other memory.
Policy other_border(Policy policy);
/// Whether the borders of as many warps as a multiprocessor needs fit its shared memory, or its part of
/// another.
bool borders_fit(std::size_t bytes_of_multiprocessor, u32 longest);

/// Dynamic shared memory of a block. @param longest  bases of the longest query
std::size_t shared_bytes(const Policy& policy, u32 longest);
/// Global memory that each thread of the grid needs beside the data.
std::size_t scratch_bytes_per_thread(const Policy& policy, u32 sites, u32 shortest, u32 longest);

/// Why a policy's numbers cannot hold every score of a problem; nullopt: they can.
std::optional<std::string> why_inexact(const Policy& policy, u32 longest, const Penalties& penalties);

}  // namespace gpuseq::papara
