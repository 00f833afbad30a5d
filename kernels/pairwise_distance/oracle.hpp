#pragma once

#include <span>
#include <vector>

#include "kernels/pairwise_distance/data/instances.hpp"
#include "kernels/pairwise_distance/metric.hpp"
#include "runtime/system/threads.hpp"

// The straightforward reference: one attribute after the other. Shares only the names of the metrics
// with the variants.

namespace gpuseq::pairwise_distance {

struct PairDistance {
  u32 sum = 0;
  u32 compared = 0;  // attributes with values in both instances
  double real = 0;   // for Metric::euclidean, whose sum is 0

  double distance(Metric metric) const { return is_real(metric) ? real : static_cast<double>(sum); }
  bool operator==(const PairDistance&) const = default;
};

PairDistance oracle_pair(const Instances& instances, Metric metric, u64 a, u64 b);

/// Largest error of a distance in 32-bit floating point numbers relative to the oracle's.
///
/// With u = 2^-24, a difference has a relative error of u, and its square, fused into the sum, an error of 2
/// u from it; each of up to `attributes` additions adds u. The terms are never negative, so that no addition
/// cancels, in any order: the relative error of the sum is (attributes + 3) u, to first order. The root
/// halves it and adds its own u. Squares below the smallest normal number may become 0: up to 2^-126 per
/// attribute, under the root. Second order: a hundredth, for up to 3e5 attributes; beyond those the bound
/// grows faster than the error.
double euclidean_error(u64 attributes, double distance);

/// Distances of some rows to all instances. @return [rows x instances.count]
std::vector<PairDistance> oracle_rows(const Instances& instances, Metric metric, std::span<const u64> rows,
                                      ThreadPool& pool);

}  // namespace gpuseq::pairwise_distance
