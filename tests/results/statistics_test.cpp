#include "results/statistics/statistics.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <iostream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "runtime/system/random.hpp"
#include "tests/golden_text.hpp"

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

/// In an order that shows no dependence.
std::vector<double> shuffled(std::vector<double> values, std::uint64_t seed = 1) {
  Random random(seed);
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random.below(i)]);
  return values;
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
    std::vector<double> values = shuffled(first_integers(n));
    for (std::uint64_t seed = 2; autocorrelation_time(values) > 1; ++seed)
      values = shuffled(first_integers(n), seed);
    const Interval interval = median_interval(values, 0.95).value.value();
    EXPECT_EQ(interval.low, rank) << "n = " << n;
    EXPECT_EQ(interval.high, n + 1 - rank) << "n = " << n;
    EXPECT_EQ(interval.confidence, 0.95);
  }
}

TEST(MedianInterval, IsExactForManySamples) {
  const std::vector<double> values = shuffled(first_integers(100'000));
  const Interval interval = median_interval(values, 0.95).value.value();
  EXPECT_NEAR(interval.low, 50'000 - 1.96 * std::sqrt(100'000 * autocorrelation_time(values)) / 2, 30);
}

TEST(MedianInterval, OfFewSamplesIsTheirRangeWithTheConfidenceThatItHas) {
  for (const auto& [n, confidence] :
       std::vector<std::pair<int, double>>{{2, 0.5}, {3, 0.75}, {4, 0.875}, {5, 0.9375}}) {
    const Interval interval = median_interval(shuffled(first_integers(n)), 0.95).value.value();
    EXPECT_EQ(interval.low, 1);
    EXPECT_EQ(interval.high, n);
    EXPECT_DOUBLE_EQ(interval.confidence, confidence);
  }
}

TEST(MedianInterval, OfOneSampleIsNoneAndSaysWhy) {
  const Maybe<Interval> none = median_interval(std::vector<double>{3});
  EXPECT_FALSE(none.value);
  expect_text(none.reason);
}

/// A source of values in time whose median is known.
struct Noise {
  std::string name;
  double median;
  std::function<std::vector<double>(Random&, std::size_t)> series;
};

double normal(Random& random) {
  return std::sqrt(-2 * std::log(1 - random.uniform())) * std::cos(2 * 3.141592653589793 * random.uniform());
}

/// Exponential: skewed.
std::vector<double> white(Random& random, std::size_t n) {
  std::vector<double> values(n);
  for (double& value : values) value = -std::log(1 - random.uniform());
  return values;
}

/// Each value remembers half of the one before.
std::vector<double> wandering(Random& random, std::size_t n) {
  std::vector<double> values(n);
  double at = normal(random);
  for (double& value : values) value = 10 + (at = 0.5 * at + std::sqrt(0.75) * normal(random));
  return values;
}

/// A slope of one to six times the noise from the first value to the last, up or down.
std::vector<double> drifting(Random& random, std::size_t n) {
  const double slope = (1 + 5 * random.uniform()) * (random.below(2) == 0 ? 1 : -1);
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = 10 + slope * ((static_cast<double>(i) + 0.5) / static_cast<double>(n) - 0.5) + normal(random);
  return values;
}

/// Three tenths of the time 20 % slower, two values long on average before it may change.
std::vector<double> two_levels(Random& random, std::size_t n) {
  constexpr double kSlow = 0.3;
  std::vector<double> values(n);
  bool slow = random.uniform() < kSlow;
  for (double& value : values) {
    if (random.uniform() < 0.5) slow = random.uniform() < kSlow;
    value = (slow ? 12 : 10) + 0.2 * normal(random);
  }
  return values;
}

/// For values at the lower level, seven tenths of all, five sevenths lie below the median: 0.566 deviations.
constexpr double kMedianOfTwoLevels = 10 + 0.2 * 0.5659488;

TEST(MedianInterval, CoversTheMedianAsOftenAsItPromises) {
  const std::vector<Noise> noises{{"white", std::log(2.0), white},
                                  {"wandering", 10, wandering},
                                  {"drifting", 10, drifting},
                                  {"two levels", kMedianOfTwoLevels, two_levels}};
  Random random(1);
  for (const Noise& noise : noises)
    for (const std::size_t n : {10, 20, 50, 100}) {
      double covered = 0;
      constexpr int kTrials = 2000;
      for (int trial = 0; trial < kTrials; ++trial) {
        const Interval interval = median_interval(noise.series(random, n), 0.95).value.value();
        covered += interval.low <= noise.median && noise.median <= interval.high;
      }
      std::cout << fmt::format("{}, {} samples: {:.1f} %\n", noise.name, n, 100 * covered / kTrials);
      EXPECT_GE(covered / kTrials, 0.93) << noise.name << ", n = " << n;
    }
}

TEST(MedianInterval, OfNoiseThatIsSlowerThanItsSamplesIsLessSureAndSaysSo) {
  Random random(4);
  double covered = 0, stated = 0;
  constexpr int kTrials = 2000;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> values(20);
    double at = normal(random);
    for (double& value : values) value = 10 + (at = 0.9 * at + std::sqrt(1 - 0.81) * normal(random));
    const Interval interval = median_interval(values, 0.95).value.value();
    covered += interval.low <= 10 && 10 <= interval.high;
    stated += interval.confidence;
  }
  std::cout << fmt::format("{:.1f} % covered, {:.1f} % stated\n", 100 * covered / kTrials,
                           100 * stated / kTrials);
  EXPECT_LT(stated / kTrials, 0.85);
  EXPECT_NEAR(covered / kTrials, stated / kTrials, 0.05);
}

TEST(MedianInterval, OfSixIndependentSamplesCoversTheMedianInNinetySevenOfAHundred) {
  Random random(2);
  double covered = 0;
  constexpr int kTrials = 4000;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Interval interval = median_interval(white(random, 6), 0.95).value.value();
    covered += interval.low <= std::log(2.0) && std::log(2.0) <= interval.high;
  }
  EXPECT_NEAR(covered / kTrials, 1 - std::exp2(-5), 0.01);
}

TEST(AutocorrelationTime, IsThatOfTheProcessThatMadeALongSeries) {
  Random random(3);
  EXPECT_NEAR(autocorrelation_time(white(random, 4000)), 1, 0.3);
  // For two levels with independent noise, below or above the median within the lower one is independent.
  EXPECT_GT(autocorrelation_time(two_levels(random, 4000)), 1.2);
  // Sides of a process that keeps half: 1 + 2 sum of 2/pi asin(2^-k), 2.38.
  EXPECT_NEAR(autocorrelation_time(wandering(random, 20000)), 2.38, 0.4);
}

TEST(AutocorrelationTime, IsOneForValuesThatAreAllTheSameAndForFew) {
  EXPECT_EQ(autocorrelation_time(std::vector<double>(50, 0.5)), 1);
  EXPECT_EQ(autocorrelation_time(first_integers(9)), 1);
}

TEST(AutocorrelationTime, OfASeriesThatOnlyRisesIsAsLongAsItCanBe) {
  EXPECT_GT(autocorrelation_time(first_integers(40)), 8);
}

TEST(Statistics, AreThoseComputedByHand) {
  const std::vector<double> samples{0.2, 0.1, 0.4, 0.1, 0.2, 0.2};
  const Statistics s = summarise(samples, {.amount = 10, .unit = "cells"}, 0.95, "sample limit");
  EXPECT_EQ(s.samples, 6u);
  EXPECT_DOUBLE_EQ(s.median_s, 0.2);
  EXPECT_DOUBLE_EQ(s.low_s.value(), 0.1);
  EXPECT_DOUBLE_EQ(s.high_s.value(), 0.4);
  EXPECT_EQ(s.confidence, 0.95);
  EXPECT_EQ(s.interval_reason, "");
  EXPECT_DOUBLE_EQ(s.min_s, 0.1);
  EXPECT_DOUBLE_EQ(s.max_s, 0.4);
  EXPECT_DOUBLE_EQ(s.mean_s, 0.2);
  EXPECT_NEAR(s.stddev_s, std::sqrt(0.06 / 5), 1e-12);
  EXPECT_DOUBLE_EQ(s.rate, 50);
  EXPECT_DOUBLE_EQ(s.rate_low.value(), 25);
  EXPECT_DOUBLE_EQ(s.rate_high.value(), 100);
  EXPECT_EQ(s.rate_unit, "cells/s");
  EXPECT_EQ(s.stopped_by, "sample limit");
}

TEST(Statistics, OfOneSampleHaveARateAndNoInterval) {
  const Statistics s =
      summarise(std::vector<double>{0.5}, {.amount = 10, .unit = "cells"}, 0.95, "time limit");
  EXPECT_DOUBLE_EQ(s.rate, 20);
  EXPECT_FALSE(s.low_s || s.high_s || s.rate_low || s.rate_high || s.confidence);
  expect_text(s.interval_reason);
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
  EXPECT_EQ(criterion.decide(first_integers(6), 5), "time limit");
  EXPECT_EQ(criterion.decide({}, 100), std::nullopt);
}

TEST(StoppingCriterion, WaitsForSixSamplesLongerThanForMore) {
  const StoppingCriterion criterion{.max_seconds = 1, .six_samples_seconds = 30};
  EXPECT_EQ(criterion.decide(first_integers(5), 29), std::nullopt);
  EXPECT_EQ(criterion.decide(first_integers(5), 30), "time limit");
  EXPECT_EQ(criterion.decide(first_integers(6), 1), "time limit");
  EXPECT_EQ(criterion.decide(first_integers(1), 31), "time limit");
}

TEST(StoppingCriterion, NeverCallsAnIntervalNarrowThatHasNotItsConfidence) {
  const StoppingCriterion criterion{.min_samples = 1};
  for (std::size_t n = 1; n < 6; ++n)
    EXPECT_EQ(criterion.decide(std::vector<double>(n, 1.0), 0), std::nullopt) << n;
  EXPECT_EQ(criterion.decide(std::vector<double>(6, 1.0), 0), "narrow interval");
  // Twelve that only rise are worth fewer than six.
  std::vector<double> rising;
  for (int i = 0; i < 12; ++i) rising.push_back(1 + 1e-6 * i);
  EXPECT_EQ(criterion.decide(rising, 0), std::nullopt);
}

}  // namespace
}  // namespace gpuseq::results
