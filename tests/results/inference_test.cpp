#include "results/statistics/inference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "runtime/system/random.hpp"

namespace gpuseq::results {
namespace {

using Values = std::vector<double>;

/// Timings around `level` with a tail to the right, as those of a shared machine have.
Values timings(std::size_t count, double level, double noise, std::uint64_t seed) {
  Random random(seed);
  Values values(count);
  for (double& value : values) value = level * (1 - noise * std::log(1 - random.uniform()));
  return values;
}

// Values of scipy 1.17.1: mannwhitneyu(a, b, method="exact" or "asymptotic").pvalue
TEST(MannWhitney, CountsExactlyWhatScipyCounts) {
  EXPECT_NEAR(mann_whitney_p(Values{1.1, 1.3, 1.7, 2.0, 2.2, 2.9}, Values{1.0, 1.9, 2.4, 2.8, 3.1, 3.5, 3.6}),
              0.18065268065268064, 1e-12);
  EXPECT_NEAR(mann_whitney_p(Values{1, 2, 3, 4, 5}, Values{2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 0.5}),
              0.2222222222222222, 1e-12);
  EXPECT_NEAR(mann_whitney_p(Values{1, 2, 3, 4}, Values{5, 6, 7, 8}), 0.02857142857142857, 1e-12);
  EXPECT_NEAR(mann_whitney_p(Values{1.5}, Values{1, 2}), 1, 1e-12);
}

TEST(MannWhitney, ApproximatesAsScipyDoesWithTiesAndManyValues) {
  EXPECT_NEAR(mann_whitney_p(Values{1, 2, 2, 3, 4, 4, 4, 5}, Values{2, 3, 5, 6, 6, 7, 8}),
              0.05378813035869443, 1e-12);
  Values a, b;
  for (int i = 1; i <= 30; ++i) a.push_back(i);
  for (int i = 1; i <= 25; ++i) b.push_back(i * 1.1 + 0.05);
  EXPECT_NEAR(mann_whitney_p(a, b), 0.6420497358773687, 1e-12);
  EXPECT_EQ(mann_whitney_p(Values{1, 1, 1}, Values{1, 1, 1}), 1);
}

TEST(MannWhitney, GivesItsLeastValueForSidesThatDoNotOverlap) {
  for (const std::size_t n : {1, 2, 5, 8, 20})
    for (const std::size_t m : {1, 3, 8, 20}) {
      Values a, b;
      for (std::size_t i = 0; i < n; ++i) a.push_back(1 + static_cast<double>(i));
      for (std::size_t i = 0; i < m; ++i) b.push_back(100 + static_cast<double>(i));
      EXPECT_NEAR(mann_whitney_p(a, b), least_mann_whitney_p(n, m), 1e-12) << n << " " << m;
      EXPECT_EQ(mann_whitney_p(a, b), mann_whitney_p(b, a));
    }
}

// Values of scipy 1.17.1: false_discovery_control([0.01, 0.04, 0.03, 0.005, 0.5, 0.9])
TEST(FalseDiscoveryRates, AreThoseOfScipyInTheOrderOfThePValues) {
  const Values q = false_discovery_rates(Values{0.01, 0.04, 0.03, 0.005, 0.5, 0.9});
  const Values expected{0.03, 0.06, 0.06, 0.03, 0.6, 0.9};
  ASSERT_EQ(q.size(), expected.size());
  for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(q[i], expected[i], 1e-12) << i;
  EXPECT_TRUE(false_discovery_rates({}).empty());
}

TEST(RatioOfMedians, CoversTheTrueRatioAboutAsOftenAsItsConfidenceSays) {
  int covered = 0;
  constexpr int kTrials = 400;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    const RatioInterval found =
        ratio_of_medians(timings(15, 1, 0.05, 2 * trial), timings(15, 1.2, 0.05, 2 * trial + 1), 0.95, trial);
    EXPECT_LE(found.low, found.ratio);
    EXPECT_GE(found.high, found.ratio);
    covered += found.low <= 1.2 && 1.2 <= found.high;
  }
  EXPECT_GE(covered, kTrials * 92 / 100);
  EXPECT_LT(covered, kTrials) << "an interval that always covers is too wide to find anything";
}

TEST(RatioOfMedians, IsTheSameForTheSameSeed) {
  const Values a = timings(100, 1, 0.1, 1), b = timings(99, 1, 0.1, 2);
  const RatioInterval first = ratio_of_medians(a, b, 0.9, 7), again = ratio_of_medians(a, b, 0.9, 7);
  EXPECT_EQ(first.low, again.low);
  EXPECT_EQ(first.high, again.high);
  EXPECT_NE(first.low, ratio_of_medians(a, b, 0.9, 8).low);
}

TEST(RatioOfMedians, NarrowsWithMoreValues) {
  const RatioInterval few = ratio_of_medians(timings(8, 1, 0.1, 1), timings(8, 1, 0.1, 2), 0.95, 1);
  const RatioInterval many = ratio_of_medians(timings(200, 1, 0.1, 1), timings(200, 1, 0.1, 2), 0.95, 1);
  EXPECT_LT(many.high - many.low, (few.high - few.low) / 2);
}

TEST(RatioOfMedians, RefusesWhatIsNoDuration) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(ratio_of_medians({}, Values{1}, 0.95, 1), std::invalid_argument);
  EXPECT_THROW(ratio_of_medians(Values{1}, Values{0}, 0.95, 1), std::invalid_argument);
  EXPECT_THROW(ratio_of_medians(Values{1}, Values{nan}, 0.95, 1), std::invalid_argument);
  EXPECT_THROW(ratio_of_medians(Values{1}, Values{1}, 1, 1), std::invalid_argument);
  EXPECT_THROW(mann_whitney_p(Values{1}, Values{nan}), std::invalid_argument);
}

TEST(NoiseFloor, IsExceededByAboutTheShareOfRepeatsThatItsConfidenceLeaves) {
  int above = 0;
  constexpr int kTrials = 1000;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    const Values base = timings(40, 1, 0.05, 2 * trial), again = timings(40, 1, 0.05, 2 * trial + 1);
    const double floor = *noise_floor(base, 40, Order::exchangeable, 0.95, trial);
    above += std::abs(std::log(median(again) / median(base))) > std::log1p(floor);
  }
  EXPECT_LE(above, kTrials * 8 / 100);
  EXPECT_GE(above, kTrials * 2 / 100);
}

TEST(NoiseFloor, IsUnknownWithFewerThanFourValues) {
  EXPECT_FALSE(noise_floor(Values{1, 2, 3}, 8, Order::in_time, 0.95, 1));
  EXPECT_TRUE(noise_floor(Values{1, 2, 3, 4}, 8, Order::in_time, 0.95, 1));
  EXPECT_THROW(noise_floor(Values{1, 2, 3, 4}, 0, Order::in_time, 0.95, 1), std::invalid_argument);
}

TEST(NoiseFloor, SeesDriftOfValuesInTimeWhichResamplingDoesNot) {
  Values drifting;
  for (int i = 0; i < 100; ++i) drifting.push_back(i < 50 ? 1.0 + i * 1e-5 : 1.1 + i * 1e-5);
  drifting.insert(drifting.begin(), 60, 1.0);  // most values agree, so that medians of resamples do
  EXPECT_LT(*noise_floor(drifting, 160, Order::exchangeable, 0.95, 1), 0.01);
  EXPECT_GT(*noise_floor(drifting, 160, Order::in_time, 0.95, 1), 0.05);
}

TEST(NoiseFloor, IsLargerAgainstFewerValuesOfTheOtherSide) {
  const Values base = timings(40, 1, 0.1, 3);
  EXPECT_GT(*noise_floor(base, 5, Order::exchangeable, 0.95, 1),
            *noise_floor(base, 40, Order::exchangeable, 0.95, 1));
}

}  // namespace
}  // namespace gpuseq::results
