#pragma once

#include "kernels/fm_index/cpu/kernel_table.hpp"

namespace gpuseq::fm_index {

// `export` replaces this file by one that has the shapes of one point.

/// Which shapes the kernels of sampled and of one-hot indexes are compiled for, those with vectors for four
/// targets.
constexpr bool is_compiled([[maybe_unused]] const KernelShape& shape) {
#ifdef GPUSEQ_ALL_SHAPES
  return true;
#else
  return shape.one_hot_d == 224 ? shape.k <= 3 : shape.one_chunk && shape.k <= 2;
#endif
}

}  // namespace gpuseq::fm_index
