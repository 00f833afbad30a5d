#pragma once

#include <iosfwd>

#include "kernels/pairwise_distance/problem.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::pairwise_distance {

/// Distances with the names of the instances. A pair without an attribute that both have a value of has no
/// distance: NA, an instance without any value also to itself.
struct DistanceTable {
  const Instances& instances;
  Metric metric;
  const Distances& distances;
};

/// A header ("name" and all names), then for each instance its name and its distances to all. Of genotypes
/// (ibs), the identity by state, 1 - distance / (2 x attributes compared): plink's --distance square ibs.
void write_tsv(std::ostream& out, const DistanceTable& table, ThreadPool& pool);

/// PHYLIP's lower triangle: the number of instances, then for each its name, of ten letters or more and
/// without blanks, and its distances to those before it. Of genotypes, what is not identical by state,
/// distance / (2 x attributes compared).
void write_phylip(std::ostream& out, const DistanceTable& table, ThreadPool& pool);

/// As write_tsv(), the numbers of attributes that pairs were compared by.
void write_compared(std::ostream& out, const DistanceTable& table, ThreadPool& pool);

}  // namespace gpuseq::pairwise_distance
