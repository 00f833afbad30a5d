#include "probes/knees.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "probes/median.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::probes {
namespace {

using Function = std::function<double(double)>;  // of log2(bytes)

constexpr double kib = 10, mib = 20, gib = 30;

/// A curve from 64 KiB to 64 GiB with `noise` relative standard deviation per sample.
std::vector<CurvePoint> curve(const Function& value, double noise = 0.01, int per_octave = 2, int samples = 5,
                              unsigned seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, noise);
  std::vector<CurvePoint> points;
  for (int i = 0; i <= 20 * per_octave; ++i) {
    const double x = 16 + static_cast<double>(i) / per_octave;
    CurvePoint point{std::exp2(x), {}};
    for (int s = 0; s < samples; ++s) point.samples.push_back(value(x) * std::exp(normal(random)));
    points.push_back(point);
  }
  return points;
}

/// From `before` to `after`, evenly in the logarithm of both, over [at, at + octaves].
Function soft_step(double at, double octaves, double before, double after) {
  return
      [=](double x) { return before * std::pow(after / before, std::clamp((x - at) / octaves, 0.0, 1.0)); };
}

/// Time per access when a level of 2^capacity bytes is exceeded by random accesses.
Function misses(double capacity, double hit, double miss) {
  return [=](double x) { return x <= capacity ? hit : hit + (miss - hit) * (1 - std::exp2(capacity - x)); };
}

double octaves_from(const Knee& knee, double x) {
  return std::abs(std::log2(knee.at_bytes) - x);
}

class KneesAtNoise : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Noise, KneesAtNoise, testing::Values(0.001, 0.01, 0.02, 0.05));

TEST_P(KneesAtNoise, AFlatCurveHasNone) {
  for (unsigned seed = 1; seed <= 10; ++seed)
    EXPECT_TRUE(find_knees(curve([](double) { return 100.0; }, GetParam(), 2, 5, seed)).empty())
        << "seed " << seed;
}

TEST_P(KneesAtNoise, AGentleSlopeHasNone) {
  for (unsigned seed = 1; seed <= 5; ++seed)
    EXPECT_TRUE(
        find_knees(curve([](double x) { return 100.0 - 0.8 * (x - 16); }, GetParam(), 2, 5, seed)).empty())
        << "seed " << seed;
}

TEST_P(KneesAtNoise, OneHardKneeLiesBetweenItsTwoPoints) {
  const auto knees = find_knees(curve([](double x) { return x < 25.2 ? 1000.0 : 400.0; }, GetParam()));
  ASSERT_EQ(knees.size(), 1u);
  EXPECT_TRUE(knees[0].hard);
  EXPECT_DOUBLE_EQ(std::log2(knees[0].from_bytes), 25.0);
  EXPECT_DOUBLE_EQ(std::log2(knees[0].to_bytes), 25.5);
  EXPECT_NEAR(knees[0].before, 1000, 50);
  EXPECT_NEAR(knees[0].after, 400, 20);
  EXPECT_GE(knees[0].confidence, 0.95);
}

TEST_P(KneesAtNoise, ThreeKneesOfARisingCurveAreFoundAtTheCapacitiesOfItsLevels) {
  const Function l2 = misses(mib, 4, 14), l3 = misses(mib + 5, 0, 36), tlb = misses(gib, 0, 100);
  const auto knees = find_knees(curve([&](double x) { return l2(x) + l3(x) + tlb(x); }, GetParam(), 4));
  ASSERT_EQ(knees.size(), 3u);
  const double wanted[] = {mib, mib + 5, gib};
  for (int i = 0; i < 3; ++i) {
    EXPECT_LE(octaves_from(knees[i], wanted[i]), 0.6) << "knee " << i;
    EXPECT_LT(knees[i].before, knees[i].after);
  }
}

TEST_P(KneesAtNoise, ASoftTransitionOverThreeOctavesIsOneKneeAndNotHard) {
  for (double octaves : {2.0, 3.0}) {
    const auto knees = find_knees(curve(soft_step(mib + 4, octaves, 8000, 3000), GetParam()));
    ASSERT_EQ(knees.size(), 1u) << octaves;
    EXPECT_FALSE(knees[0].hard);
    EXPECT_LE(octaves_from(knees[0], mib + 4), 0.75);
    EXPECT_GE(knees[0].to_bytes, knees[0].from_bytes * std::exp2(octaves - 1));
    EXPECT_NEAR(knees[0].before, 8000, 500);
    EXPECT_NEAR(knees[0].after, 3000, 300);
  }
}

TEST_P(KneesAtNoise, RatesAndTheirReciprocalsHaveTheSameKnees) {
  const Function time = misses(mib + 5, 10, 80);
  const auto latency = find_knees(curve(time, GetParam()));
  const auto rate = find_knees(curve([&](double x) { return 64 / time(x); }, GetParam()));
  ASSERT_EQ(latency.size(), 1u);
  ASSERT_EQ(rate.size(), 1u);
  EXPECT_LE(octaves_from(latency[0], mib + 5), 0.5);
  EXPECT_LE(octaves_from(rate[0], mib + 5), 0.5);
  EXPECT_GT(rate[0].before, rate[0].after);
}

TEST(Knees, AStepThatThreePassesAgreeOnIsOneAlsoInAShortCurve) {
  for (const double noise : {0.001, 0.003, 0.01}) {
    std::vector<CurvePoint> points = curve([](double x) { return x <= mib ? 1e10 : 2e9; }, noise, 1, 3);
    points.resize(9);  // 64 KiB to 16 MiB
    for (CurvePoint& point : points) point.passes = point.samples;
    const std::vector<Knee> knees = find_knees(points);
    ASSERT_EQ(knees.size(), 1u) << noise;
    EXPECT_EQ(knees[0].from_bytes, 1 << 20);
    EXPECT_EQ(knees[0].to_bytes, 2 << 20);
  }
}

TEST(Knees, SoftAndHardKneesOfOneCurveAreToldApart) {
  const Function cache = soft_step(mib + 5, 2, 8000, 4200);
  const auto knees = find_knees(curve([&](double x) { return x < 35.8 ? cache(x) : 1350.0; }, 0.01, 4));
  ASSERT_EQ(knees.size(), 2u);
  EXPECT_FALSE(knees[0].hard);
  EXPECT_TRUE(knees[1].hard);
  EXPECT_LE(octaves_from(knees[1], 35.8), 0.25);
}

TEST(Knees, AHardKneeThatOnlyTheLastPointShowsIsFound) {
  const auto knees = find_knees(curve([](double x) { return x < 35.9 ? 1290.0 : 341.0; }, 0.02));
  ASSERT_EQ(knees.size(), 1u);
  EXPECT_TRUE(knees[0].hard);
  EXPECT_DOUBLE_EQ(std::log2(knees[0].to_bytes), 36.0);
}

/// Nearly noiseless passes that a thousandfold step parts, as two runs recorded them: of atoms that are all
/// but alike the fit took one in place of another for ever.
TEST(Knees, AStepAThousandfoldIsFoundAndTheFitEnds) {
  constexpr double kBytes = 1.05e6;
  const std::vector<std::vector<std::vector<double>>> runs{
      {{0.105002005, 0.105001765, 0.105001365},
       {0.105001755, 0.105001655, 0.105001905},
       {0.000105116, 0.000105136, 0.000105136, 0.000105116, 0.000105126, 0.000105116},
       {0.000105106, 0.000105106, 0.000105106, 0.000105176, 0.000105206, 0.000105166},
       {0.000105397, 0.000105136, 0.000105177, 0.000105176, 0.000105136, 0.000105197}},
      {{0.105003358, 0.105002266, 0.105002239},
       {0.105002787, 0.105004029, 0.105003588},
       {0.000105156, 0.000105146, 0.000105226, 0.000105137, 0.000105166, 0.000105167},
       {0.000105176, 0.000105157, 0.000105166, 0.000105136, 0.000105147, 0.000105206},
       {0.000105146, 0.000105136, 0.000105146, 0.000105166, 0.000105146, 0.000105147}}};
  for (const auto& times : runs) {
    std::vector<CurvePoint> curve;
    for (const std::vector<double>& of_point : times) {
      CurvePoint point{.footprint_bytes = curve.empty() ? 65536 : 2 * curve.back().footprint_bytes,
                       .samples = {}};
      for (const double seconds : of_point) point.samples.push_back(kBytes / seconds);
      for (auto pass = of_point.begin(); of_point.size() > 3 && pass != of_point.end(); pass += 3)
        point.passes.push_back(kBytes / median({pass, pass + 3}));
      curve.push_back(std::move(point));
    }
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const std::vector<Knee> knees = find_knees(curve, {.seed = seed});
      ASSERT_EQ(knees.size(), 1u) << seed;
      EXPECT_GT(knees[0].low_bytes, 65536 * 1.99);
      EXPECT_LE(knees[0].high_bytes, 4 * 65536 * 1.01);
    }
  }
}

TEST(Knees, OnePointOffTheCurveIsNoKnee) {
  auto points = curve([](double) { return 100.0; });
  for (double& sample : points[12].samples) sample *= 0.7;
  EXPECT_TRUE(find_knees(points).empty());
}

TEST(Knees, StepsBelowTheSmallestRelativeChangeAreNotReported) {
  const auto points = curve([](double x) { return x < 25.2 ? 100.0 : 93.0; }, 0.002);
  EXPECT_TRUE(find_knees(points, {.min_relative_change = 0.10}).empty());
  EXPECT_EQ(find_knees(points, {.min_relative_change = 0.05}).size(), 1u);
}

TEST(Knees, TheIntervalOfTheKneeContainsItsPlaceAndTheResultDependsOnTheSeedOnly) {
  const auto points = curve(misses(mib + 5, 10, 80), 0.03);
  const auto first = find_knees(points, {.seed = 7}), second = find_knees(points, {.seed = 7});
  ASSERT_EQ(first.size(), 1u);
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(first[0].low_bytes, second[0].low_bytes);
  EXPECT_EQ(first[0].high_bytes, second[0].high_bytes);
  EXPECT_LE(first[0].low_bytes, first[0].at_bytes);
  EXPECT_GE(first[0].high_bytes, first[0].at_bytes);
  EXPECT_LE(std::log2(first[0].high_bytes / first[0].low_bytes), 1.0);
}

TEST(Knees, SinglesSamplesAreEnough) {
  const auto knees = find_knees(curve([](double x) { return x < 25.2 ? 1000.0 : 400.0; }, 0.02, 2, 1));
  ASSERT_EQ(knees.size(), 1u);
  EXPECT_GE(knees[0].confidence, 0.95);
}

TEST(Knees, FewerThanFivePointsHaveNone) {
  const auto points = curve([](double x) { return x < 17.2 ? 1000.0 : 400.0; });
  EXPECT_TRUE(find_knees({}).empty());
  EXPECT_TRUE(find_knees(std::span(points).first(4)).empty());
}

TEST(Knees, UnsortedFootprintsAndImpossibleValuesAreRefused) {
  auto points = curve([](double) { return 1.0; });
  std::swap(points[3], points[4]);
  EXPECT_THROW(find_knees(points), UsageError);
  for (double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    points = curve([](double) { return 1.0; });
    points[5].samples[1] = bad;
    EXPECT_THROW(find_knees(points), UsageError) << bad;
  }
  points = curve([](double) { return 1.0; });
  points[5].samples.clear();
  EXPECT_THROW(find_knees(points), UsageError);
}

TEST(Footprints, AreLogSpacedMultiplesOf1024WithBothEnds) {
  const auto footprints = log_footprints(65536, std::size_t{100} << 30, 4);
  EXPECT_EQ(footprints.front(), 65536u);
  EXPECT_EQ(footprints.back(), std::size_t{100} << 30);
  EXPECT_TRUE(std::ranges::is_sorted(footprints));
  for (std::size_t footprint : footprints) EXPECT_EQ(footprint % 1024, 0u);
  for (std::size_t i = 1; i < footprints.size(); ++i)
    EXPECT_LE(std::log2(static_cast<double>(footprints[i]) / static_cast<double>(footprints[i - 1])), 0.26);
  EXPECT_THAT(log_footprints(65536, 65536, 1), testing::ElementsAre(65536u));
}

TEST(Footprints, ThePointThatIsNextToTheEndIsLeftOut) {
  using testing::ElementsAre;
  EXPECT_THAT(log_footprints(65536, 278'528, 2), ElementsAre(65536u, 93184u, 131072u, 185344u, 278528u));
  EXPECT_THAT(log_footprints(65536, 266'240, 2),  // as good as there
              ElementsAre(65536u, 93184u, 131072u, 185344u, 262144u));
  EXPECT_THAT(log_footprints(65536, 327'680, 2),
              ElementsAre(65536u, 93184u, 131072u, 185344u, 262144u, 327680u));
  EXPECT_THAT(log_footprints(65536, 70'656, 2), ElementsAre(65536u, 70656u));  // both ends
}

TEST(Footprints, ImpossibleRangesAreRefused) {
  EXPECT_THROW(log_footprints(0, 1024, 1), UsageError);
  EXPECT_THROW(log_footprints(2048, 1024, 1), UsageError);
  EXPECT_THROW(log_footprints(1024, 2048, 0), UsageError);
}

TEST(Refinement, AddsNewPointsInsideAndNextToEachKnee) {
  const auto points = curve([](double x) { return x < 25.2 ? 1000.0 : 400.0; });
  const auto knees = find_knees(points);
  ASSERT_EQ(knees.size(), 1u);
  const auto more = refine_footprints(points, knees, 4);
  ASSERT_EQ(more.size(), 4u);
  EXPECT_TRUE(std::ranges::is_sorted(more));
  for (double bytes : more) {
    EXPECT_GE(std::log2(bytes), 24.75);
    EXPECT_LE(std::log2(bytes), 25.75);
    EXPECT_EQ(std::fmod(bytes, 1024), 0);
    EXPECT_TRUE(
        std::ranges::none_of(points, [&](const CurvePoint& p) { return p.footprint_bytes == bytes; }));
  }
  EXPECT_TRUE(refine_footprints(points, {}, 4).empty());
}

TEST(Refinement, NarrowsAHardKnee) {
  const Function step = [](double x) { return x < 25.2 ? 1000.0 : 400.0; };
  auto points = curve(step);
  const auto knees = find_knees(points);
  for (double bytes : refine_footprints(points, knees, 4))
    points.push_back({bytes, {step(std::log2(bytes))}});
  std::ranges::sort(points, {}, &CurvePoint::footprint_bytes);
  const auto refined = find_knees(points);
  ASSERT_EQ(refined.size(), 1u);
  EXPECT_LT(refined[0].to_bytes / refined[0].from_bytes, knees[0].to_bytes / knees[0].from_bytes);
}

}  // namespace
}  // namespace gpuseq::probes
