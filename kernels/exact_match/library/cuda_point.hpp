#pragma once

#include "kernels/exact_match/cuda/match_policy.cuh"

// Search parameters of an exported library for CUDA. `export` replaces this file, and
// kernel.cu with the kernel.

namespace gpuseq::exact_match {

inline constexpr MatchPolicy kExportedPolicy{.words = true, .listed = true};
inline constexpr bool kExportedSorted = false;  // strands are taken in the order of their first letters

/// The kernel; its only argument is MatchArguments. Defined in kernel.cu.
const void* exported_kernel();

}  // namespace gpuseq::exact_match
