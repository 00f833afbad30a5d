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

TEST(PairwiseDistanceOracle, RealValuesHaveTheRootOfTheSumOfSquares) {
  const Instances two{.count = 2, .attributes = 3, .alphabet = 0, .reals = {0.5f, -2, 1e10f, 3.5f, 2, 1e10f}};
  EXPECT_DOUBLE_EQ(oracle_pair(two, Metric::euclidean, 0, 1).real, 5);
  EXPECT_EQ(oracle_pair(two, Metric::euclidean, 0, 1).compared, 3u);
  const Instances many = testing::some_reals(9, 700, 100);
  const auto expected = testing::euclidean_distances(many);
  for (u64 i = 0; i < 81; ++i) {
    const auto distance = static_cast<double>(expected[i]);
    EXPECT_NEAR(oracle_pair(many, Metric::euclidean, i / 9, i % 9).real, distance, 1e-12 * distance);
  }
}

/// The worst orders that a program could add up in keep to the bound, and a lost attribute does not.
TEST(PairwiseDistanceOracle, TheBoundHoldsForSumsInFloatsAndNotForLostAttributes) {
  const Instances instances = testing::some_reals(8, 1000);
  for (u64 b = 1; b + 1 < 8; ++b) {
    float sum = 0, lost = 0;
    for (u64 k = 0; k < 1000; ++k) {
      const float difference = instances.real_row(0)[k] - instances.real_row(b)[k];
      sum += difference * difference;
      if (std::abs(difference) < 100 || lost > 0) continue;
      lost = difference * difference;
    }
    const double expected = oracle_pair(instances, Metric::euclidean, 0, b).real;
    const double allowed = euclidean_error(1000, expected);
    EXPECT_NEAR(std::sqrt(sum), expected, allowed);
    EXPECT_GT(expected - std::sqrt(sum - lost), allowed);
  }
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
