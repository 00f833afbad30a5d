#pragma once

#include <fmt/format.h>

#include "kernels/pairwise_distance/metric.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/contract/unsupported.hpp"

namespace gpuseq::pairwise_distance {

/// For variants that compare codes only.
/// @throws ResourceError for a metric of real values, with the variants that support it
inline void require_codes(Metric metric) {
  if (is_real(metric))
    throw Unsupported(
        fmt::format("unsupported: the metric {} is of real values, which only floats and float_tiled compare",
                    kMetricNames[static_cast<u32>(metric)]));
}

}  // namespace gpuseq::pairwise_distance
