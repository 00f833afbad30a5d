#include "bench/bound/agreement.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "bench/bound/bound.hpp"
#include "bench/bound/device_levels.hpp"
#include "tests/bench/records.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::bench {
namespace {

using testing::bandwidth_record;
using ::testing::ElementsAre;

std::vector<bool> agreeing(const std::vector<double>& times, double tolerance = 0.05) {
  return agreeing_passes(times, tolerance);
}

TEST(AgreeingPasses, AreTheFastestThatAnotherFindsToo) {
  EXPECT_THAT(agreeing({1.00, 1.02, 1.01}), ElementsAre(true, true, true));
  EXPECT_THAT(agreeing({1.60, 1.02, 1.00}), ElementsAre(false, true, true));
  EXPECT_THAT(agreeing({1.30, 1.00, 1.31, 1.01}), ElementsAre(false, true, false, true));
}

TEST(AgreeingPasses, ALoneOneDoesNotCountHoweverFast) {
  EXPECT_THAT(agreeing({1.00, 0.50, 1.01}), ElementsAre(true, false, true));
}

TEST(AgreeingPasses, AreNoneWhereNoTwoAreNear) {
  EXPECT_THAT(agreeing({1.0, 1.2, 1.5}), ElementsAre(false, false, false));
}

TEST(AgreeingPasses, OneByItselfIsRight) {
  EXPECT_THAT(agreeing({7}), ElementsAre(true));
}

TEST(ToleranceOfPasses, FollowsWhatTheMachineRepeatsToWithinItsBounds) {
  const auto machine = [](double gap) { return std::vector(20, std::vector{1.0, 1.0 + gap, 3.0}); };
  EXPECT_DOUBLE_EQ(tolerance_of_passes(machine(0.0001)), 0.02);
  EXPECT_NEAR(tolerance_of_passes(machine(0.01)), 0.0432, 1e-9);
  EXPECT_DOUBLE_EQ(tolerance_of_passes(machine(0.4)), 0.10);
  EXPECT_DOUBLE_EQ(tolerance_of_passes(std::vector(20, std::vector{1.0})), 0.02);
}

TEST(ToleranceOfPasses, HoldsNineteenOfTwentyUndisturbedPoints) {
  std::mt19937 random(3);
  std::exponential_distribution<double> slowed(50);
  std::vector<std::vector<double>> points(2000);
  for (auto& times : points)
    for (int i = 0; i < 3; ++i) times.push_back(1 + slowed(random));
  const double tolerance = tolerance_of_passes(points);
  const auto held = std::ranges::count_if(points, [&](std::vector<double> times) {
    std::ranges::sort(times);
    return times[1] <= (1 + tolerance) * times[0];
  });
  EXPECT_NEAR(static_cast<double>(held) / 2000, 0.95, 0.02);
}

/// A machine with one knee, 20 GB/s up to 4 MiB and less and less past that, and interference: each pass over
/// a point is slowed with probability `disturbed`, to any rate down to a third.
class NoisyMachine : public ::testing::TestWithParam<unsigned> {
 protected:
  static double level(double bytes) {
    constexpr double kCapacity = 4 << 20;
    return bytes <= kCapacity ? 2e10 : 1 / (1 / 2e10 + (1 / 4e9 - 1 / 2e10) * (1 - kCapacity / bytes));
  }
  std::vector<results::Record> records(int passes, double disturbed) {
    std::vector<results::Record> all;
    for (int pass = 0; pass < passes; ++pass)
      for (double bytes = 1 << 16; bytes < 1.01 * (1 << 28); bytes *= std::sqrt(2.0)) {
        const double slowed = uniform() < disturbed ? 1 + 2 * uniform() : 1 + 0.01 * uniform();
        const auto footprint = static_cast<std::int64_t>(bytes) / 1024 * 1024;
        all.push_back(bandwidth_record(footprint, 64, level(bytes) / slowed));
        all.back().repetition = pass;
      }
    return all;
  }
  double uniform() { return std::uniform_real_distribution<double>()(random_); }

 private:
  std::mt19937 random_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Seeds, NoisyMachine, ::testing::Range(1u, 11u));

TEST_P(NoisyMachine, ItsOneLevelIsFoundThroughTheDisturbancesAndNoOther) {
  const std::vector<Curve> curves = curves_of(records(5, 0.2));
  ASSERT_EQ(curves.size(), 1u);
  const std::vector<probes::MemoryLevel> levels =
      probes::fit_levels(level_curves(curves, curves[0].device)).levels;
  ASSERT_EQ(levels.size(), 1u);
  EXPECT_LE(levels[0].low_bytes, 1.2 * (4 << 20));
  EXPECT_GE(levels[0].high_bytes, (4 << 20) / 1.2);
}

TEST_P(NoisyMachine, APointThatCountsHasTheRateOfAQuietMachine) {
  const std::vector<results::Record> all = records(5, 0.2);
  int wrong = 0;
  for (const Curve::At& at : curves_of(all)[0].points)
    wrong += std::abs(at.median / level(at.footprint_bytes) - 1) > 0.1 ? 1 : 0;
  EXPECT_LE(wrong, 1) << "chance lets two disturbed passes agree now and then";
}

TEST_P(NoisyMachine, WhereEveryPassIsDisturbedPointsAreLeftOut) {
  const Curve curve = curves_of(records(3, 1.0))[0];
  EXPECT_EQ(curve.points.size() + curve.disturbed.size(), 25u);
  EXPECT_GT(curve.disturbed.size(), 4u);
}

std::vector<results::Record> passes(std::int64_t footprint, const std::vector<double>& rates,
                                    const char* device = "cpu") {
  std::vector<results::Record> all;
  for (const double rate : rates) {
    all.push_back(bandwidth_record(footprint, 64, rate, device));
    all.back().repetition = static_cast<int>(all.size()) - 1;
  }
  return all;
}

void append(std::vector<results::Record>& all, std::vector<results::Record> more) {
  std::ranges::move(more, std::back_inserter(all));
}

TEST(CurvesInPasses, TakeTheLevelAndTheValuesOfThePassesThatAgree) {
  const Curve curve = curves_of(passes(1 << 20, {8e9, 2e9, 8.1e9}))[0];
  ASSERT_EQ(curve.points.size(), 1u);
  EXPECT_NEAR(curve.points[0].median, 8.05e9, 1);
  EXPECT_EQ(curve.points[0].levels.size(), 2u);
  EXPECT_EQ(curve.points[0].values.size(), 6u);
}

TEST(CurvesInPasses, HaveNoDisturbedPointsWhereThereIsOnePassNorOnAGpu) {
  EXPECT_TRUE(curves_of(passes(1 << 20, {8e9}))[0].disturbed.empty());
  const Curve gpu = curves_of(passes(1 << 20, {8e9, 2e9}, "cuda:0"))[0];
  EXPECT_TRUE(gpu.disturbed.empty());
  EXPECT_EQ(gpu.points.size(), 1u);
}

Maybe<results::Bound> bound(const std::vector<results::Record>& records) {
  const results::StateKey state{"toy", "steady", {}, {{"threads", std::int64_t{1}}}, "cpu"};
  return memory_bound_of(state, {1000, "bases"},
                         {.blocks = 1000, .block_bytes = 64, .footprint_bytes = 1 << 21}, 1e6,
                         curves_of(records), 2);
}

TEST(BoundOfPasses, IsInterpolatedOverDisturbedPoints) {
  std::vector<results::Record> records = passes(1 << 20, {8e9, 8e9, 8e9});
  append(records, passes(1 << 21, {1e9, 2e9, 3e9}));
  append(records, passes(1 << 22, {2e9, 2e9, 2e9}));
  const auto found = bound(records);
  ASSERT_TRUE(found.value) << found.reason;
  EXPECT_NEAR(found.value->rate, 1000 / (1000 * 64 / 4e9), 1);
}

TEST(BoundOfPasses, IsNoneWhereAllPointsAreDisturbed) {
  const auto found = bound(passes(1 << 21, {1e9, 2e9, 3e9}));
  EXPECT_FALSE(found.value);
  expect_text(found.reason);
}

}  // namespace
}  // namespace gpuseq::bench
