#include "kernels/pairwise_distance/exec/distance_table.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/kernels/pairwise_distance/small_instances.hpp"

// Rows that threads format together, against rows that are written one by one.

namespace gpuseq::pairwise_distance {
namespace {

DistanceBand rows_of(const Distances& all, u64 first, u64 rows) {
  const auto part = [&](const std::vector<u32>& of) {
    return of.empty() ? std::span<const u32>() : std::span(of).subspan(first * all.count, rows * all.count);
  };
  return {
      .first = first, .rows = rows, .count = all.count, .sum = part(all.sum), .compared = part(all.compared)};
}

TEST(DistanceTable, RowsOfThreadsAreThoseThatAreWrittenOneByOne) {
  ThreadPool three(3, false);
  for (const u64 count : {255, 256, 257, 513})  // threads share 256 at a time
    for (const u32 missing : {0, 300}) {
      Instances instances = testing::some_instances(count, 9, 3, missing);
      instances.names.clear();
      for (u64 i = 0; i < count; ++i) instances.names.push_back("n" + std::to_string(i % 7));
      const Distances all = testing::brute_force(instances, Metric::hamming);
      const DistanceTable table{instances, Metric::hamming};
      for (const TableFormat format : {TableFormat::tsv, TableFormat::phylip, TableFormat::compared}) {
        std::ostringstream together, one_by_one;
        write_rows(together, table, rows_of(all, 0, count), format, three);
        for (u64 row = 0; row < count; ++row)
          write_rows(one_by_one, table, rows_of(all, row, 1), format, three);
        EXPECT_TRUE(together.str() == one_by_one.str()) << count << " instances";
      }
    }
}

}  // namespace
}  // namespace gpuseq::pairwise_distance
