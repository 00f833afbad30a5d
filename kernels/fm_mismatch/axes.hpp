#pragma once

#include "kernels/fm_mismatch/data/node.cuh"
#include "runtime/contract/axes.hpp"

namespace gpuseq::fm_mismatch {

/// Axis of all variants, for CPU and CUDA: the bases that the prefix table answers.
inline Axis prefix_axis() {
  return integer_axis("prefix_symbols", {0, 8, 10, 12}, 0,
                      "bases that one look-up in a table answers at the start of each search, if its first "
                      "part is as long; 0: none",
                      0, kMostPrefixSymbols);
}

inline u32 prefix_symbols_of(const Point& point) {
  return static_cast<u32>(point.integer("prefix_symbols"));
}

}  // namespace gpuseq::fm_mismatch
