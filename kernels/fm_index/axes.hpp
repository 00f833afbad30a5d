#pragma once

#include <string>
#include <utility>

#include "kernels/fm_index/data/elias_fano.hpp"
#include "runtime/contract/axes.hpp"

namespace gpuseq::fm_index {

/// The axis `d` of variants that search the Elias-Fano layout, on whatever device.
inline Axis elias_fano_rows_axis(std::string meaning) {
  return integer_axis("d", {2816, 6144, 10240, 11264, 22528, 32768, 65280}, 10240, std::move(meaning),
                      kLeastLineRows, kMostLineRows, kBucketRows);
}

}  // namespace gpuseq::fm_index
