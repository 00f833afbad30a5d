#pragma once

#include "kernels/fm_index/cuda/search_policy.cuh"

// How an exported library for CUDA searches. `export` writes this file again, and kernel.cu with the kernels.

namespace gpuseq::fm_index {

inline constexpr Policy kExportedPolicy{.scheme = Scheme::task_parallel_16b, .k = 2, .d = 64};
inline constexpr u32 kExportedActiveThreads = 0;  // of a multiprocessor; 0: as many as fit

/// The kernel, for texts that are wide or not; its only argument is SearchArguments. Defined in kernel.cu.
/// @returns nullptr where such texts are not searched
const void* exported_kernel(bool wide);

}  // namespace gpuseq::fm_index
