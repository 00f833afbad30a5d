#pragma once

#include <algorithm>
#include <span>

#include "kernels/fm_index/data/layout.cuh"

namespace gpuseq::fm_index {

/// Intervals of a text that is not wide as those of one that is.
/// @param wide  [narrow.size()] overwritten
inline void widen(std::span<const Interval<u32>> narrow, std::span<Interval<u64>> wide) {
  std::ranges::transform(narrow, wide.begin(), [](const Interval<u32>& interval) {
    return Interval<u64>{interval.l, interval.h};
  });
}

}  // namespace gpuseq::fm_index
