#include "results/statistics/steps.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "runtime/system/random.hpp"

namespace gpuseq::results {
namespace {

/// Gaussian noise on logarithms, with a heavy tail where asked for.
double noisy(double level, double noise, Random& random, bool heavy = false) {
  const double normal =
      std::sqrt(-2 * std::log(1 - random.uniform())) * std::cos(6.283185307179586 * random.uniform());
  return level * std::exp(noise * normal * (heavy && random.below(10) == 0 ? 5 : 1));
}

TEST(FindSteps, FindsPlaceAndLevelsOfAStep) {
  Random random(1);
  std::vector<double> values;
  for (int i = 0; i < 60; ++i) values.push_back(noisy(i < 40 ? 1 : 1.05, 0.01, random));
  const std::vector<Step> steps = find_steps(values);
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_NEAR(static_cast<double>(steps[0].place), 40, 1);
  EXPECT_NEAR(steps[0].before, 1, 0.01);
  EXPECT_NEAR(steps[0].after, 1.05, 0.01);
  EXPECT_GE(steps[0].confidence, 0.95);
}

TEST(FindSteps, FindsAStretchThatRisesAndFallsBack) {
  Random random(2);
  std::vector<double> values;
  for (int i = 0; i < 100; ++i) values.push_back(noisy(i >= 50 && i < 58 ? 1.2 : 1, 0.04, random));
  const std::vector<Step> steps = find_steps(values);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_NEAR(static_cast<double>(steps[0].place), 50, 1);
  EXPECT_NEAR(static_cast<double>(steps[1].place), 58, 1);
  EXPECT_GT(steps[0].after, steps[0].before);
  EXPECT_LT(steps[1].after, steps[1].before);
}

TEST(FindSteps, FindsAStepOnceThreeValuesStandBehindIt) {
  Random random(3);
  std::vector<double> values;
  for (int i = 0; i < 30; ++i) values.push_back(noisy(i < 27 ? 1 : 1.3, 0.01, random));
  const std::vector<Step> steps = find_steps(values);
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].place, 27u);
}

TEST(FindSteps, TakesASeriesOfThousandsOfValues) {
  Random random(4);
  std::vector<double> values;
  for (int i = 0; i < 6000; ++i) values.push_back(noisy(i < 1500 || i >= 4000 ? 1 : 1.02, 0.02, random));
  const std::vector<Step> steps = find_steps(values);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_NEAR(static_cast<double>(steps[0].place), 1500, 10);
  EXPECT_NEAR(static_cast<double>(steps[1].place), 4000, 10);
}

class WhiteNoise : public testing::TestWithParam<std::tuple<int, bool>> {};

TEST_P(WhiteNoise, GivesAStepInAtMostFivePercentOfSeries) {
  const auto [length, heavy] = GetParam();
  int with_steps = 0;
  constexpr int kSeries = 400;
  for (int series = 0; series < kSeries; ++series) {
    Random random(static_cast<std::uint64_t>(series), static_cast<std::uint64_t>(length));
    std::vector<double> values;
    for (int i = 0; i < length; ++i) values.push_back(noisy(3, 0.02, random, heavy));
    with_steps += !find_steps(values, 0.95, static_cast<std::uint64_t>(series)).empty();
  }
  // 5 % of 400, and two standard deviations of that count.
  EXPECT_LE(with_steps, 20 + 9);
}
INSTANTIATE_TEST_SUITE_P(Lengths, WhiteNoise, testing::Combine(testing::Values(8, 20, 50), testing::Bool()));

TEST(FindSteps, NeedsNoValuesAndNoSpread) {
  EXPECT_TRUE(find_steps({}).empty());
  EXPECT_TRUE(find_steps(std::vector<double>{1, 2, 3}).empty());
  EXPECT_TRUE(find_steps(std::vector<double>(50, 1.0)).empty());
  EXPECT_THROW(find_steps(std::vector<double>{1, 0}), std::invalid_argument);
  EXPECT_THROW(find_steps(std::vector<double>{1}, 1.5), std::invalid_argument);
}

}  // namespace
}  // namespace gpuseq::results
