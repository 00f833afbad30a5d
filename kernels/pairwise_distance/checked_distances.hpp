#pragma once

#include <utility>
#include <vector>

#include "kernels/pairwise_distance/oracle.hpp"

namespace gpuseq::pairwise_distance {

/// The oracle's distances of a problem: whole rows, and for a large problem also single pairs all over the
/// matrix, to find wrong tiles that none of the rows crosses.
struct CheckedDistances {
  std::vector<u64> rows;
  std::vector<u32> sums, compared;  // [rows x count] each; `compared` is empty if no value is missing
  std::vector<double> reals;        // [rows x count] instead of sums, which are 0: Metric::euclidean
  std::vector<std::pair<u64, u64>> pairs;
  std::vector<PairDistance> of_pairs;
};

/// All rows of a problem for which the oracle takes a few seconds, else the first, the last
/// and a seeded choice.
std::vector<u64> choose_rows(const Instances& instances);
/// Seeded pairs; none if choose_rows() takes all rows.
std::vector<std::pair<u64, u64>> choose_pairs(const Instances& instances);

CheckedDistances make_checked(const Instances& instances, Metric metric, ThreadPool& pool);

}  // namespace gpuseq::pairwise_distance
