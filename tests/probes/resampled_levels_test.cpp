#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "probes/levels/resampled.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/json_text.hpp"
#include "tests/probes/synthetic_machine.hpp"
#include "tests/source_dir.hpp"

namespace gpuseq::probes {
namespace {

using testing::ElementsAre;
using Levels = std::vector<MemoryLevel>;

TEST(AlignedPlaces, AreTheNearestInOrderAndWhatIsLeftOverCostsAnOctave) {
  const std::vector<double> a{16, 20.3, 25}, b{16.25, 25.5};
  const Alignment alignment = align_places(a, b);
  EXPECT_THAT(alignment.of_a, ElementsAre(0, -1, 1));
  EXPECT_DOUBLE_EQ(alignment.distance, 0.25 + 1 + 0.5);
  EXPECT_THAT(align_places(b, a).of_a, ElementsAre(0, 2));
}

TEST(AlignedPlaces, OfAnOctaveApartAreNotTheSame) {
  const std::vector<double> a{16}, b{17.01};
  EXPECT_THAT(align_places(a, b).of_a, ElementsAre(-1));
  EXPECT_DOUBLE_EQ(align_places(a, b).distance, 2);
}

TEST(AlignedPlaces, AreTakenSoThatTheSumIsTheLeast) {
  // The first of `a` is nearer to 20.6 than the second is, but then that has none.
  const std::vector<double> a{20, 20.9}, b{20.6, 21.5};
  EXPECT_THAT(align_places(a, b).of_a, ElementsAre(0, 1));
  EXPECT_TRUE(align_places({}, b).of_a.empty());
  EXPECT_DOUBLE_EQ(align_places({}, b).distance, 2);
}

bool overlap(const MemoryLevel& a, const MemoryLevel& b) {
  return a.low_bytes <= b.high_bytes && b.low_bytes <= a.high_bytes;
}

/// Whether each level that one of two runs is certain of is one of the other's, within their intervals.
bool agree(const Levels& a, const Levels& b) {
  const auto has_all = [](const Levels& some, const Levels& others) {
    return std::ranges::all_of(some, [&](const MemoryLevel& level) {
      return level.uncertain ||
             std::ranges::any_of(others, [&](const MemoryLevel& other) { return overlap(level, other); });
    });
  };
  return has_all(a, b) && has_all(b, a);
}

Levels certain(LevelsFit fit) {
  std::erase_if(fit.levels, [](const MemoryLevel& level) { return level.uncertain; });
  return fit.levels;
}

/// Curves of a recorded run of probes.
std::vector<LevelCurve> recorded(const nlohmann::json& run) {
  std::vector<LevelCurve> curves;
  for (const nlohmann::json& one : run) {
    const bool latency = one["latency"];
    LevelCurve curve{.name = one["name"],
                     .order = latency ? AccessOrder::cycle : AccessOrder::random,
                     .one_at_a_time = latency,
                     .block_bytes = one["block_bytes"],
                     .points = {}};
    for (const nlohmann::json& point : one["points"])
      curve.points.push_back({.footprint_bytes = point[0], .samples = {point[1].get<double>()}});
    curves.push_back(std::move(curve));
  }
  return curves;
}

std::vector<std::vector<LevelCurve>> three_runs(const std::string& device) {
  const nlohmann::json data = read_json(source_dir() / "tests/data/levels_of_three_runs.json");
  std::vector<std::vector<LevelCurve>> runs;
  for (const nlohmann::json& run : data["devices"][device]["runs"]) runs.push_back(recorded(run));
  return runs;
}

/// Pairs of three runs that agree.
int agreeing_pairs(const std::vector<Levels>& runs) {
  return agree(runs[0], runs[1]) + agree(runs[0], runs[2]) + agree(runs[1], runs[2]);
}

/// An H200's points differ by less than a percent from run to run, but for two. One fit of each had ended at
/// 30.5 and 88 MiB, at 27.6 and 54, and at 30.5 and 89, with intervals that exclude each other.
TEST(ResampledLevels, OfThreeRunsOfAnH200AreTheSameWithinTheirIntervals) {
  std::vector<Levels> single, resampled;
  for (const std::vector<LevelCurve>& run : three_runs("H200")) {
    single.push_back(fit_levels(run).levels);
    resampled.push_back(fit_levels_resampled(run).levels);
  }
  EXPECT_LT(agreeing_pairs(single), 3) << "the recorded runs show nothing";
  EXPECT_EQ(agreeing_pairs(resampled), 3);
  for (const Levels& levels : resampled) {
    const auto holds = [&](double bytes) {
      return std::ranges::any_of(levels, [&](const MemoryLevel& level) {
        return level.low_bytes <= bytes && bytes <= level.high_bytes;
      });
    };
    EXPECT_TRUE(holds(30 * 0x1p20));
    EXPECT_TRUE(holds(60 * 0x1p20));
    EXPECT_TRUE(holds(64 * 0x1p30));
  }
}

/// With a point an octave, in noise, levels that are there are found and three runs agree on them.
TEST(ResampledLevels, OfThreeProbingsWithAPointAnOctaveAgreeWithinTheirIntervals) {
  int agreeing = 0, covered = 0, ends = 0;
  constexpr int kMachines = 12;
  for (std::uint64_t seed = 0; seed < kMachines; ++seed) {
    Draws draws(seed);
    const auto machine = SyntheticMachine::random(draws, 3);
    std::vector<Levels> runs;
    for (int run = 0; run < 3; ++run) {
      runs.push_back(fit_levels_resampled(machine.probed(draws, 0.02, 0x1p35, 1)).levels);
      for (std::size_t i = 0; i < 3; ++i, ++ends)
        covered += std::ranges::any_of(runs.back(), [&](const MemoryLevel& level) {
          return level.low_bytes <= machine.levels[i].capacity &&
                 machine.levels[i].capacity <= level.high_bytes;
        });
    }
    agreeing += agreeing_pairs(runs);
  }
  EXPECT_GE(agreeing, 0.95 * 3 * kMachines);
  EXPECT_GE(covered, 0.95 * ends);
}

TEST(ResampledLevels, AreCertainOnlyIfMostFitsHaveThem) {
  Draws draws(5);
  const auto machine = SyntheticMachine::random(draws, 2);
  const LevelsFit fit = fit_levels_resampled(machine.probed(draws, 0.01));
  ASSERT_EQ(certain(fit).size(), 2u);
  for (const MemoryLevel& level : fit.levels) {
    EXPECT_LE(level.found_in, 1);
    EXPECT_TRUE(level.uncertain || level.found_in >= 0.8);
    EXPECT_LE(level.low_bytes, level.capacity_bytes);
    EXPECT_GE(level.high_bytes, level.capacity_bytes);
  }
}

TEST(ResampledLevels, AreTheSameForTheSameInputWhateverThreadsThereAre) {
  const auto runs = three_runs("Xeon");
  const LevelsFit a = fit_levels_resampled(runs[0]), b = fit_levels_resampled(runs[0]);
  ASSERT_EQ(a.levels.size(), b.levels.size());
  for (std::size_t i = 0; i < a.levels.size(); ++i) {
    EXPECT_EQ(a.levels[i].capacity_bytes, b.levels[i].capacity_bytes);
    EXPECT_EQ(a.levels[i].high_bytes, b.levels[i].high_bytes);
  }
}

TEST(ResampledLevels, OfNoCurvesAreNoneAndWrongOnesAreRefused) {
  EXPECT_TRUE(fit_levels_resampled({}).levels.empty());
  const std::vector<LevelCurve> wrong{{.name = "latency", .block_bytes = 32, .points = {{1024, {0}}}}};
  EXPECT_THROW(fit_levels_resampled(wrong), UsageError);
}

}  // namespace
}  // namespace gpuseq::probes
