#pragma once

#include <array>
#include <string_view>

#include "runtime/cuda/device/host_device.cuh"

// What a pair of values adds to the distance of two instances. Attributes that either instance has no value
// of add nothing, and are not counted as compared.

namespace gpuseq::pairwise_distance {

/// hamming: 1 where the codes differ; manhattan: |a - b|; squared_euclidean: (a - b)^2; ibs: alleles that two
/// genotypes (0, 1 or 2 copies of an allele) do not share, which is |a - b|: as a share of the alleles it is
/// one less the identity by state. euclidean is of real values: the square root of the sum of (a - b)^2.
enum class Metric : u32 { hamming, manhattan, squared_euclidean, ibs, euclidean };
inline constexpr std::array<std::string_view, 5> kMetricNames{"hamming", "manhattan", "squared_euclidean",
                                                              "ibs", "euclidean"};

/// Whether instances have 32-bit floating point numbers instead of codes, and distances are such numbers.
GPUSEQ_HD constexpr bool is_real(Metric metric) {
  return metric == Metric::euclidean;
}

/// Of codes.
GPUSEQ_HD constexpr u32 value_distance(Metric metric, u32 a, u32 b) {
  const u32 difference = a > b ? a - b : b - a;
  if (metric == Metric::hamming) return difference != 0;
  return metric == Metric::squared_euclidean ? difference * difference : difference;
}

/// The largest that two codes of an alphabet can add.
GPUSEQ_HD constexpr u32 largest_value_distance(Metric metric, u32 alphabet) {
  return alphabet == 0 ? 0 : value_distance(metric, alphabet - 1, 0);
}

}  // namespace gpuseq::pairwise_distance
