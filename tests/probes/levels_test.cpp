#include "probes/levels/levels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>
#include <vector>

#include "runtime/contract/errors.hpp"
#include "tests/probes/synthetic_machine.hpp"

namespace gpuseq::probes {

void PrintTo(const MemoryLevel& level, std::ostream* out) {
  *out << level.capacity_bytes << " [" << level.low_bytes << ", " << level.high_bytes << "] of "
       << level.evidence.size() << " curves" << (level.uncertain ? ", uncertain" : "");
}

namespace {

std::vector<MemoryLevel> certain(const LevelsFit& fit) {
  std::vector<MemoryLevel> levels = fit.levels;
  std::erase_if(levels, [](const MemoryLevel& level) { return level.uncertain; });
  return levels;
}

bool has(const std::vector<MemoryLevel>& levels, double capacity, double tolerance) {
  return std::ranges::any_of(levels, [&](const MemoryLevel& level) {
    return std::abs(level.capacity_bytes / capacity - 1) < tolerance;
  });
}

using Time = double (*)(double log2_bytes);

/// Curves of six blocks with the same shape; noise by pass, three passes.
std::vector<LevelCurve> curves_of(Time time, double noise, std::uint64_t seed) {
  Draws draws(seed);
  std::vector<LevelCurve> curves;
  for (int k = 0; k < 6; ++k) {
    LevelCurve curve{.name = "curve " + std::to_string(k), .block_bytes = 32.0 * (1 << k), .points = {}};
    for (double x = 12; x <= 34; x += 0.5) {
      CurvePoint point{.footprint_bytes = std::exp2(x), .samples = {}};
      for (int pass = 0; pass < 3; ++pass)
        point.samples.push_back((1 + k) * time(x) * std::exp(noise * draws.normal()));
      point.passes = point.samples;
      curve.points.push_back(point);
    }
    curves.push_back(curve);
  }
  return curves;
}

TEST(Levels, AreFoundWithin10PercentIn95PercentOf200MachinesAndNoneThatIsNone) {
  int right = 0, ends_of_all = 0, covered = 0;
  for (std::uint64_t seed = 1000; seed < 1200; ++seed) {
    Draws draws(seed);
    const std::size_t ends = 2 + seed % 5;
    const auto machine = SyntheticMachine::random(draws, ends);
    const std::vector<LevelCurve> curves = machine.probed(draws, draws.uniform(0.01, 0.03));
    const std::vector<MemoryLevel> levels = certain(fit_levels(curves));
    bool all = levels.size() == ends;
    for (std::size_t i = 0; i < ends; ++i) {
      const double capacity = machine.levels[i].capacity;
      all = all && has(levels, capacity, 0.10);
      covered += std::ranges::any_of(levels, [&](const MemoryLevel& level) {
        return level.low_bytes <= capacity && capacity <= level.high_bytes;
      });
    }
    ends_of_all += static_cast<int>(ends);
    right += all;
  }
  EXPECT_GE(right, 190);
  EXPECT_GE(covered, 0.95 * ends_of_all);
}

TEST(Levels, OfThreeProbingsOfAMachineAgreeWithinTheirIntervals) {
  int pairs = 0, agreeing = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Draws draws(seed);
    const auto machine = SyntheticMachine::random(draws, 4);
    std::vector<std::vector<MemoryLevel>> runs;
    for (int run = 0; run < 3; ++run) runs.push_back(certain(fit_levels(machine.probed(draws, 0.02))));
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < a; ++b) {
        ASSERT_EQ(runs[a].size(), runs[b].size()) << "seed " << seed;
        for (std::size_t i = 0; i < runs[a].size(); ++i, ++pairs)
          agreeing +=
              runs[a][i].low_bytes <= runs[b][i].high_bytes && runs[b][i].low_bytes <= runs[a][i].high_bytes;
      }
  }
  EXPECT_GE(agreeing, 0.95 * pairs);
}

class LevelsAtNoise : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Noise, LevelsAtNoise, testing::Values(0.002, 0.01, 0.03, 0.1));

TEST_P(LevelsAtNoise, AreNoneWhereTimeDoesNotDependOnTheFootprint) {
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    EXPECT_THAT(fit_levels(curves_of([](double) { return 1.0; }, GetParam(), seed)).levels,
                testing::IsEmpty())
        << "seed " << seed;
}

TEST_P(LevelsAtNoise, AreNoneWhereTimeDrifts) {
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    for (const Time time : {Time([](double x) { return 1 + 0.01 * (x - 12); }),
                            Time([](double x) { return 1 - 0.01 * (x - 12); })})
      EXPECT_THAT(fit_levels(curves_of(time, GetParam(), seed)).levels, testing::IsEmpty())
          << "seed " << seed;
}

TEST(Levels, AreNoneWhereErrorsOfNeighboursAreTheSame) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<LevelCurve> curves = curves_of([](double) { return 1.0; }, 0.005, seed);
    Draws draws(seed + 100);
    for (LevelCurve& curve : curves) {
      double error = 0;
      for (CurvePoint& point : curve.points) {
        error = 0.8 * error + 0.6 * 0.03 * draws.normal();
        for (double& value : point.passes) value *= std::exp(error);
      }
    }
    EXPECT_THAT(certain(fit_levels(curves)), testing::IsEmpty()) << "seed " << seed;
  }
}

TEST(Levels, AreNotMadeByADentOfOneCurve) {
  for (const std::size_t first : {8u, 20u, 30u, 41u}) {
    std::vector<LevelCurve> curves =
        curves_of([](double x) { return x < 20 ? 1 : 4 - 3 * std::exp2(20 - x); }, 0.01, first);
    for (std::size_t i = first; i < first + 4; ++i)
      for (double& value : curves[2].points[i].passes) value *= 1.6;
    const std::vector<MemoryLevel> levels = certain(fit_levels(curves));
    ASSERT_EQ(levels.size(), 1u) << first;
    EXPECT_NEAR(levels[0].capacity_bytes, 0x1p20, 0.1 * 0x1p20);
  }
}

TEST(Levels, ThatOneCurveShowsAreUncertain) {
  std::vector<LevelCurve> curves = curves_of([](double) { return 1.0; }, 0.01, 1);
  for (CurvePoint& point : curves[3].points)
    if (point.footprint_bytes > 0x1p22)
      for (double& value : point.passes) value *= 3 - 2 * 0x1p22 / point.footprint_bytes;
  const LevelsFit fit = fit_levels(curves);
  ASSERT_EQ(fit.levels.size(), 1u);
  EXPECT_TRUE(fit.levels[0].uncertain);
  ASSERT_EQ(fit.levels[0].evidence.size(), 1u);
  EXPECT_EQ(fit.levels[0].evidence[0].curve, 3u);
  EXPECT_NEAR(fit.levels[0].evidence[0].before_ns, 4, 0.2);
  EXPECT_NEAR(fit.levels[0].evidence[0].after_ns, 12, 0.6);
}

TEST(Levels, TellTranslationFromACacheByItsCostThatIsTheSameForAllBlocks) {
  int told = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Draws draws(seed);
    SyntheticMachine machine = SyntheticMachine::random(draws, 3);
    machine.reach = 0x1p36;
    machine.levels[3].bytes_per_ns = 64 / machine.levels[3].request_ns;
    machine.walk_ns = 10 * machine.access_ns(3, 128);
    const LevelsFit fit = fit_levels(machine.probed(draws, 0.01, 0x1.2p37, 0.25));
    const std::vector<MemoryLevel> levels = certain(fit);
    if (levels.size() != 4 || levels.back().kind != LevelKind::translation) continue;
    told += std::abs(levels.back().capacity_bytes / machine.reach - 1) < 0.10 &&
            std::ranges::all_of(levels, [&](const MemoryLevel& level) {
              return level.capacity_bytes > 0x1p35 || level.kind == LevelKind::cache;
            });
  }
  EXPECT_GE(told, 19);
}

TEST(Levels, HaveTheTimesOfTheMachine) {
  Draws draws(3);
  const auto machine = SyntheticMachine::random(draws, 3);
  std::vector<LevelCurve> curves = machine.probed(draws, 0.01);
  const LevelsFit fit = fit_levels(curves);
  ASSERT_EQ(fit.curves.size(), curves.size());
  for (std::size_t k = 0; k < curves.size(); ++k) {
    // How a cycle leaves a level is no form that the model has exactly.
    const bool random = curves[k].order == AccessOrder::random;
    EXPECT_LT(fit.curves[k].relative_error, random ? 0.03 : 0.10) << curves[k].name;
    if (!random) continue;
    for (const CurvePoint& point : curves[k].points)
      EXPECT_NEAR(fit.curves[k].time_at(point.footprint_bytes) / point.passes[1], 1, 0.1) << curves[k].name;
  }
}

TEST(Levels, OfNoCurvesAreNone) {
  EXPECT_TRUE(fit_levels({}).levels.empty());
  const std::vector<LevelCurve> four{
      {.name = "four", .block_bytes = 32, .points = {{1024, {1}}, {2048, {1}}, {4096, {9}}, {8192, {9}}}}};
  const LevelsFit fit = fit_levels(four);
  EXPECT_TRUE(fit.levels.empty());
  EXPECT_EQ(fit.curves.size(), 1u);
}

TEST(Levels, RefuseTimesAndFootprintsThatAreNone) {
  const auto refused = [](std::vector<CurvePoint> points) {
    const std::vector<LevelCurve> curves{{.name = "latency", .block_bytes = 32, .points = std::move(points)}};
    EXPECT_THROW(fit_levels(curves), UsageError);
  };
  refused({{1024, {1}}, {1024, {1}}});
  refused({{1024, {0}}});
  refused({{1024, {}}});
  refused({{1024, {std::numeric_limits<double>::quiet_NaN()}}});
}

}  // namespace
}  // namespace gpuseq::probes
