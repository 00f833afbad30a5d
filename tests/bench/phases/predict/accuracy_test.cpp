#include "bench/phases/predict/accuracy.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace gpuseq::bench {
namespace {

TEST(Accuracy, OfPredictionsThatAreAllTrueIsWhole) {
  const std::vector<PredictedAndMeasured> points{{1, 1}, {2, 2}, {5, 5}};
  const Accuracy found = accuracy_of(points);
  EXPECT_EQ(found.points, 3u);
  EXPECT_NEAR(found.rank_correlation, 1, 1e-12);
  EXPECT_NEAR(found.median_error, 0, 1e-12);
  EXPECT_NEAR(found.regret, 0, 1e-12);
}

TEST(Accuracy, KnowsOrderWhereEveryRateIsOffByTheSame) {
  const std::vector<PredictedAndMeasured> points{{2, 1}, {4, 2}, {10, 5}};
  const Accuracy found = accuracy_of(points);
  EXPECT_NEAR(found.rank_correlation, 1, 1e-12);
  EXPECT_NEAR(found.median_error, 1, 1e-12);
  EXPECT_NEAR(found.calibrated_error, 0, 1e-12);
  EXPECT_NEAR(found.regret, 0, 1e-12);
}

TEST(Accuracy, IsSpearmansRho) {
  // Ranks 1 2 3 4 5 against 2 1 4 3 5: sum of squared differences 4, so 1 - 6 * 4 / (5 * 24) = 0.8.
  const std::vector<PredictedAndMeasured> points{{1, 20}, {2, 10}, {3, 40}, {4, 30}, {5, 50}};
  EXPECT_NEAR(accuracy_of(points).rank_correlation, 0.8, 1e-12);
}

TEST(Accuracy, LetsEqualRatesShareTheirRanks) {
  // Ranks 1.5 1.5 3 against 1 2 3: Pearson's correlation of these is sqrt(3) / 2.
  const std::vector<PredictedAndMeasured> points{{7, 1}, {7, 2}, {9, 3}};
  EXPECT_NEAR(accuracy_of(points).rank_correlation, 0.8660254, 1e-7);
  const std::vector<PredictedAndMeasured> alike{{7, 1}, {7, 2}};
  EXPECT_EQ(accuracy_of(alike).rank_correlation, 0);
}

TEST(Accuracy, RegretsWhatTheChosenPointLacksOfTheBest) {
  const std::vector<PredictedAndMeasured> points{{1, 10}, {3, 6}, {2, 8}};
  const Accuracy found = accuracy_of(points);
  EXPECT_NEAR(found.regret, 0.4, 1e-12);
  EXPECT_NEAR(found.rank_correlation, -1, 1e-12);
}

}  // namespace
}  // namespace gpuseq::bench
