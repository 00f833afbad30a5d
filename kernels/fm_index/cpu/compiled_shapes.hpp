#pragma once

#include "kernels/fm_index/cpu/kernel_table.hpp"

namespace gpuseq::fm_index {

// `export` replaces this file by one that has the shapes of one point.

/// Which shapes kernels with scalar arithmetic are compiled for.
constexpr bool is_compiled(const KernelShape&) {
  return true;
}

/// Which shapes kernels with vectors are compiled for, each of them for four targets.
constexpr bool has_vectors([[maybe_unused]] const KernelShape& shape) {
#ifdef GPUSEQ_ALL_SHAPES
  return true;
#else
  return shape.one_hot_d == 224 ? shape.k <= 3 : shape.one_chunk && shape.k <= 2;
#endif
}

}  // namespace gpuseq::fm_index
