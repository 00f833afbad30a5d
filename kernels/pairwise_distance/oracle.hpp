#pragma once

#include <span>
#include <vector>

#include "kernels/pairwise_distance/data/instances.hpp"
#include "kernels/pairwise_distance/metric.hpp"
#include "runtime/system/threads.hpp"

// The obviously right answer: one attribute after the other. Shares nothing with the variants but the names
// of the metrics.

namespace gpuseq::pairwise_distance {

struct PairDistance {
  u32 sum = 0;
  u32 compared = 0;  // attributes that both instances have a value of
  double real = 0;   // Metric::euclidean, whose sum is 0

  double distance(Metric metric) const { return is_real(metric) ? real : static_cast<double>(sum); }
  bool operator==(const PairDistance&) const = default;
};

PairDistance oracle_pair(const Instances& instances, Metric metric, u64 a, u64 b);

/// How far a distance in 32-bit floating point numbers may be from the oracle's.
///
/// With u = 2^-24, a difference has a relative error of u and its square, fused into the sum, one of 2 u from
/// it; each of up to `attributes` additions adds u. What is added is never negative, so that no addition
/// cancels, in whatever order they are: the sum is right to (attributes + 3) u, to first order. The root
/// halves that and adds its own u. Squares below the smallest normal number may be taken for 0: of each
/// attribute up to 2^-126, under the root. Second order: a hundredth, for up to 3e5 attributes; beyond those
/// the bound grows faster than the error.
double euclidean_error(u64 attributes, double distance);

/// Distances of some rows to all instances. @return [rows x instances.count]
std::vector<PairDistance> oracle_rows(const Instances& instances, Metric metric, std::span<const u64> rows,
                                      ThreadPool& pool);

}  // namespace gpuseq::pairwise_distance
