#include "results/statistics/statistics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "runtime/system/random.hpp"

namespace gpuseq::results {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<double> first_integers(int n) {
  std::vector<double> values;
  for (int i = 1; i <= n; ++i) values.push_back(i);
  return values;
}

TEST(Median, IsTheMiddleValueOrTheMeanOfTheTwoMiddleOnes) {
  EXPECT_EQ(median(std::vector<double>{3}), 3);
  EXPECT_EQ(median(std::vector<double>{9, 1, 5}), 5);
  EXPECT_EQ(median(std::vector<double>{4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median(std::vector<double>{1e308, 1e308}), 1e308);
}

TEST(MedianInterval, TakesTheRanksOfTheTablesOfTheSignTest) {
  // Ranks for 95 % confidence, two-sided sign test tables: n -> smallest rank of the pair.
  for (const auto& [n, rank] : std::vector<std::pair<int, int>>{{6, 1},
                                                                {8, 1},
                                                                {9, 2},
                                                                {10, 2},
                                                                {12, 3},
                                                                {15, 4},
                                                                {20, 6},
                                                                {25, 8},
                                                                {30, 10},
                                                                {50, 18},
                                                                {100, 40}}) {
    const Interval interval = median_interval(first_integers(n), 0.95);
    EXPECT_EQ(interval.low, rank) << "n = " << n;
    EXPECT_EQ(interval.high, n + 1 - rank) << "n = " << n;
  }
}

TEST(MedianInterval, IsExactForManySamples) {
  const Interval interval = median_interval(first_integers(100'000), 0.95);
  EXPECT_NEAR(interval.low, 50'000 - 1.96 * std::sqrt(100'000) / 2, 2);
}

TEST(MedianInterval, CoversTheMedianAsOftenAsItPromises) {
  Random random(1);
  for (const std::size_t n : {6, 11, 30, 101}) {
    int covered = 0;
    constexpr int kTrials = 2000;
    for (int trial = 0; trial < kTrials; ++trial) {
      std::vector<double> values(n);
      for (double& value : values)
        value = -std::log(1 - random.uniform());  // exponential: skewed, median ln 2
      const Interval interval = median_interval(values, 0.95);
      covered += interval.low <= std::log(2.0) && std::log(2.0) <= interval.high;
    }
    EXPECT_GT(covered / double{kTrials}, 0.94) << "n = " << n;
  }
}

TEST(MedianInterval, OfFewSamplesIsASeededBootstrapWithinTheirRange) {
  const std::vector<double> values{5, 1, 4, 2, 3};
  const Interval interval = median_interval(values, 0.95, 7);
  EXPECT_LE(interval.low, 2);
  EXPECT_GE(interval.high, 4);
  EXPECT_GE(interval.low, 1);
  EXPECT_LE(interval.high, 5);
  const Interval again = median_interval(values, 0.95, 7);
  EXPECT_EQ(interval.low, again.low);
  EXPECT_EQ(interval.high, again.high);
}

TEST(MedianInterval, OfOneOrTwoSamplesIsTheirRange) {
  EXPECT_EQ(median_interval(std::vector<double>{3}).high, 3);
  EXPECT_EQ(median_interval(std::vector<double>{3, 1}).low, 1);
  EXPECT_EQ(median_interval(std::vector<double>{3, 1}).high, 3);
}

TEST(Statistics, AreThoseComputedByHand) {
  const std::vector<double> samples{0.2, 0.1, 0.4, 0.1, 0.2, 0.2};
  const Statistics s = summarise(samples, {.amount = 10, .unit = "cells"}, 0.95, "sample limit");
  EXPECT_EQ(s.samples, 6u);
  EXPECT_DOUBLE_EQ(s.median_s, 0.2);
  EXPECT_DOUBLE_EQ(s.low_s, 0.1);
  EXPECT_DOUBLE_EQ(s.high_s, 0.4);
  EXPECT_DOUBLE_EQ(s.min_s, 0.1);
  EXPECT_DOUBLE_EQ(s.max_s, 0.4);
  EXPECT_DOUBLE_EQ(s.mean_s, 0.2);
  EXPECT_NEAR(s.stddev_s, std::sqrt(0.06 / 5), 1e-12);
  EXPECT_DOUBLE_EQ(s.rate, 50);
  EXPECT_DOUBLE_EQ(s.rate_low, 25);
  EXPECT_DOUBLE_EQ(s.rate_high, 100);
  EXPECT_EQ(s.rate_unit, "cells/s");
  EXPECT_EQ(s.stopped_by, "sample limit");
}

TEST(Statistics, RefuseSamplesThatAreNoDurations) {
  const Work work{.amount = 1, .unit = "cells"};
  for (const std::vector<double>& samples : {std::vector<double>{},
                                             {kNan},
                                             {1, kInfinity},
                                             {-1},
                                             {0, 1},
                                             {5e-324},
                                             {1e-300, 1},
                                             {1e300},
                                             {1, 2, -kInfinity}})
    EXPECT_THROW(summarise(samples, work, 0.95, ""), std::invalid_argument);
  for (const double amount : {-1.0, kNan, kInfinity})
    EXPECT_THROW(summarise(std::vector<double>{1}, {.amount = amount, .unit = "x"}, 0.95, ""),
                 std::invalid_argument);
  for (const double confidence : {0.0, 1.0, kNan})
    EXPECT_THROW(summarise(std::vector<double>{1}, work, confidence, ""), std::invalid_argument);
}

TEST(StoppingCriterion, StopsForTheReasonThatComesFirst) {
  const StoppingCriterion criterion{
      .min_samples = 10, .max_samples = 20, .max_seconds = 5, .relative_interval = 0.01, .confidence = 0.95};
  const std::vector<double> steady(10, 0.5);
  EXPECT_EQ(criterion.decide(steady, 0.1), "narrow interval");
  EXPECT_EQ(criterion.decide(std::vector<double>(9, 0.5), 0.1), std::nullopt);
  EXPECT_EQ(criterion.decide(first_integers(19), 0.1), std::nullopt);
  EXPECT_EQ(criterion.decide(first_integers(20), 0.1), "sample limit");
  EXPECT_EQ(criterion.decide(first_integers(1), 5), "time limit");
  EXPECT_EQ(criterion.decide({}, 100), std::nullopt);
}

TEST(StoppingCriterion, NeverCallsTheIntervalOfOneOrTwoSamplesNarrow) {
  const StoppingCriterion criterion{.min_samples = 1};
  EXPECT_EQ(criterion.decide(std::vector<double>{1}, 0), std::nullopt);
  EXPECT_EQ(criterion.decide(std::vector<double>{1, 1}, 0), std::nullopt);
  EXPECT_EQ(criterion.decide(std::vector<double>{1, 1, 1}, 0), "narrow interval");
}

}  // namespace
}  // namespace gpuseq::results
