#pragma once

#include <iosfwd>

#include "kernels/pairwise_distance/problem.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::pairwise_distance {

/// What distances are of. A pair without an attribute that both have a value of has no
/// distance: NA, an instance without any value also to itself.
struct DistanceTable {
  const Instances& instances;
  Metric metric;
};

/// tsv: a header ("name" and all names), then for each instance its name and its distances to all. Of
/// genotypes (ibs), the identity by state, 1 - distance / (2 x attributes compared): plink's --distance
/// square ibs.
///
/// phylip: the lower triangle: the number of instances, then for each its name, of ten letters or more and
/// without blanks, and its distances to those before it. Of genotypes, what is not identical by state,
/// distance / (2 x attributes compared).
///
/// compared: as tsv, the numbers of attributes that pairs were compared by.
enum class TableFormat { tsv, phylip, compared };

void write_header(std::ostream& out, const DistanceTable& table, TableFormat format);
/// The rows of a band. Bands are written in their order.
void write_rows(std::ostream& out, const DistanceTable& table, const DistanceBand& band, TableFormat format,
                ThreadPool& pool);

}  // namespace gpuseq::pairwise_distance
