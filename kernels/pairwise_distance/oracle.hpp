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
  bool operator==(const PairDistance&) const = default;
};

PairDistance oracle_pair(const Instances& instances, Metric metric, u64 a, u64 b);

/// Distances of some rows to all instances. @return [rows x instances.count]
std::vector<PairDistance> oracle_rows(const Instances& instances, Metric metric, std::span<const u64> rows,
                                      ThreadPool& pool);

}  // namespace gpuseq::pairwise_distance
