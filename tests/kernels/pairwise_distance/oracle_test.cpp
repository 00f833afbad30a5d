#include "kernels/pairwise_distance/oracle.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/kernels/pairwise_distance/small_instances.hpp"

namespace gpuseq::pairwise_distance {
namespace {

using testing::brute_force;
using testing::some_instances;

PairDistance distance(Metric metric, const Instances& instances) {
  return oracle_pair(instances, metric, 0, 1);
}

TEST(PairwiseDistanceOracle, MetricsAreWhatTheirNamesSay) {
  const Instances two{.count = 2, .attributes = 4, .alphabet = 256, .codes = {0, 7, 255, 3, 0, 4, 0, 5}};
  EXPECT_EQ(distance(Metric::hamming, two), (PairDistance{3, 4}));
  EXPECT_EQ(distance(Metric::manhattan, two), (PairDistance{3 + 255 + 2, 4}));
  EXPECT_EQ(distance(Metric::squared_euclidean, two), (PairDistance{9 + 65025 + 4, 4}));
  const Instances genotypes{
      .count = 2, .attributes = 5, .alphabet = 3, .codes = {0, 0, 1, 2, 2, 0, 2, 2, 1, 0}};
  EXPECT_EQ(distance(Metric::ibs, genotypes), (PairDistance{0 + 2 + 1 + 1 + 2, 5}));
}

TEST(PairwiseDistanceOracle, ValuesThatEitherLacksAreNotCompared) {
  const Instances two{.count = 2,
                      .attributes = 4,
                      .alphabet = 3,
                      .codes = {0, 0, 2, 1, 2, 2, 0, 1},
                      .missing = {0, 1, 0, 1, 0, 0, 0, 1}};
  EXPECT_EQ(distance(Metric::hamming, two), (PairDistance{2, 2}));
  EXPECT_EQ(distance(Metric::manhattan, two), (PairDistance{4, 2}));
  Instances none = two;
  none.missing = {1, 1, 1, 1, 0, 0, 0, 0};
  EXPECT_EQ(distance(Metric::hamming, none), (PairDistance{0, 0}));
}

TEST(PairwiseDistanceOracle, RowsAreTheDistancesToAllInstancesWhateverTheThreads) {
  for (const u32 missing : {0u, 200u})
    for (const Metric metric : {Metric::hamming, Metric::manhattan, Metric::squared_euclidean, Metric::ibs}) {
      const Instances instances = some_instances(37, 131, 3, missing);
      const Distances expected = brute_force(instances, metric);
      const std::vector<u64> rows{0, 5, 36, 5};
      for (const int threads : {1, 3}) {
        ThreadPool pool(threads, false);
        const auto found = oracle_rows(instances, metric, rows, pool);
        ASSERT_EQ(found.size(), rows.size() * 37);
        for (u64 i = 0; i < found.size(); ++i) {
          const u64 at = rows[i / 37] * 37 + i % 37;
          EXPECT_EQ(found[i].sum, expected.sum[at]);
          EXPECT_EQ(found[i].compared, expected.compared.empty() ? 131 : expected.compared[at]);
        }
      }
    }
}

}  // namespace
}  // namespace gpuseq::pairwise_distance
