#pragma once

#include <iosfwd>

#include "kernels/pairwise_distance/problem.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::pairwise_distance {

/// The data of a distance table. A pair without a common attribute has no distance: NA, for an instance
/// without values also to itself.
struct DistanceTable {
  const Instances& instances;
  Metric metric;
};

/// tsv: a header ("name" and all names), then for each instance its name and its distances to all. For
/// genotypes (ibs), the identity by state, 1 - distance / (2 x attributes compared): plink's
/// --distance square ibs.
///
/// phylip: the lower triangle: the number of instances, then for each its name, padded to ten letters and
/// without blanks, and its distances to the earlier instances. For genotypes, the share that is not identical
/// by state, distance / (2 x attributes compared).
///
/// compared: like tsv, with the number of compared attributes of each pair.
enum class TableFormat { tsv, phylip, compared };

void write_header(std::ostream& out, const DistanceTable& table, TableFormat format);
/// Writes the rows of a band. Call in the order of the bands.
void write_rows(std::ostream& out, const DistanceTable& table, const DistanceBand& band, TableFormat format,
                ThreadPool& pool);

}  // namespace gpuseq::pairwise_distance
