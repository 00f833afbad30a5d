#pragma once

#include <array>
#include <string_view>

#include "runtime/cuda/device/host_device.cuh"

// The contribution of a pair of values to the distance of two instances. Attributes with a missing value in
// either instance add nothing, and do not count as compared.

namespace gpuseq::pairwise_distance {

/// hamming: 1 if the codes differ; manhattan: |a - b|; squared_euclidean: (a - b)^2; ibs: the number of
/// alleles that two genotypes (0, 1 or 2 copies of an allele) do not share, which is |a - b|; as a share
/// of all alleles it is 1 minus the identity by state. euclidean, for real values: the square root of
/// the sum of (a - b)^2.
enum class Metric : u32 { hamming, manhattan, squared_euclidean, ibs, euclidean };
inline constexpr std::array<std::string_view, 5> kMetricNames{"hamming", "manhattan", "squared_euclidean",
                                                              "ibs", "euclidean"};

/// Whether instances and distances are 32-bit floating point numbers instead of codes and integers.
GPUSEQ_HD constexpr bool is_real(Metric metric) {
  return metric == Metric::euclidean;
}

/// For codes.
GPUSEQ_HD constexpr u32 value_distance(Metric metric, u32 a, u32 b) {
  const u32 difference = a > b ? a - b : b - a;
  if (metric == Metric::hamming) return difference != 0;
  return metric == Metric::squared_euclidean ? difference * difference : difference;
}

/// The largest contribution of two codes of an alphabet.
GPUSEQ_HD constexpr u32 largest_value_distance(Metric metric, u32 alphabet) {
  return alphabet == 0 ? 0 : value_distance(metric, alphabet - 1, 0);
}

}  // namespace gpuseq::pairwise_distance
