#include "probes/l2_sides.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <set>
#include <vector>

#include "runtime/contract/errors.hpp"

namespace gpuseq::probes {
namespace {

constexpr std::size_t kMultiprocessors = 132, kLines = 128;

using TimeOf = std::function<double(std::size_t multiprocessor, std::size_t line)>;

std::vector<double> times_of(const TimeOf& time, std::size_t multiprocessors = kMultiprocessors,
                             std::size_t lines = kLines) {
  std::vector<double> times;
  for (std::size_t m = 0; m < multiprocessors; ++m)
    for (std::size_t l = 0; l < lines; ++l) times.push_back(time(m, l));
  return times;
}

/// Some slices are further than others, from everywhere and from some.
struct Chip {
  std::vector<double> of_multiprocessor, of_line;
  std::vector<bool> multiprocessor_side, line_side;
  std::mt19937 random;

  explicit Chip(unsigned seed, double share_of_side = 0.5) : random(seed) {
    std::normal_distribution<double> spread(0, 8);
    for (std::size_t m = 0; m < kMultiprocessors; ++m) {
      of_multiprocessor.push_back(spread(random));
      multiprocessor_side.push_back((m / 2) % 2 == 0);
    }
    for (std::size_t l = 0; l < kLines; ++l) {
      of_line.push_back(spread(random));
      line_side.push_back(std::uniform_real_distribution<double>()(random) < share_of_side);
    }
  }
  std::vector<double> times(double gap, double noise) {
    std::normal_distribution<double> of_one(0, noise);
    return times_of([&](std::size_t m, std::size_t l) {
      return 260 + of_multiprocessor[m] + of_line[l] + of_one(random) +
             (multiprocessor_side[m] != line_side[l] ? gap : 0);
    });
  }
};

TEST(CacheSides, AreFoundWithTheirTimesAndGroups) {
  for (const unsigned seed : {1u, 2u, 3u})
    for (const double share : {0.5, 0.3})
      for (const double gap : {60.0, 200.0}) {
        Chip chip(seed, share);
        const CacheSides found = cache_sides(chip.times(gap, 10), kMultiprocessors);
        ASSERT_TRUE(found.near) << found.reason;
        EXPECT_NEAR(*found.near, 260, 8);
        EXPECT_NEAR(*found.far, 260 + gap, 8);
        EXPECT_NEAR(*found.near_share, 0.5, 0.01) << "multiprocessors are half on each side";
        ASSERT_EQ(found.groups.size(), 2u);
        EXPECT_EQ(found.groups[0].front(), 0u);
        EXPECT_EQ(found.groups[0].size() + found.groups[1].size(), kMultiprocessors);
        for (std::size_t group = 0; group < 2; ++group)
          for (const std::size_t m : found.groups[group]) EXPECT_EQ(chip.multiprocessor_side[m], group == 0);
        EXPECT_EQ(found.reason, "");
        EXPECT_GE(found.on_side, 0.9);
        EXPECT_TRUE(std::ranges::is_sorted(found.quantiles));
        EXPECT_EQ(found.quantiles.size(), kQuantiles.size());
      }
}

TEST(CacheSides, OfUnequalSizeAreFoundToo) {
  Chip chip(4);
  for (std::size_t m = 0; m < kMultiprocessors; ++m) chip.multiprocessor_side[m] = m < 40;
  const CacheSides found = cache_sides(chip.times(150, 10), kMultiprocessors);
  ASSERT_EQ(found.groups.size(), 2u) << found.reason;
  EXPECT_EQ(found.groups[0].size(), 40u);
}

TEST(CacheSides, ThatSomeTimesAreFarOffDoesNotHide) {
  Chip chip(5);
  auto times = chip.times(150, 10);
  for (std::size_t i = 0; i < times.size(); i += 97) times[i] += 5000;
  const CacheSides found = cache_sides(times, kMultiprocessors);
  EXPECT_TRUE(found.near) << found.reason;
}

/// Copies on the near side, as where loads are answered by these.
TEST(CacheSides, AreNoneOfOneModeWhateverTheNoise) {
  for (const double noise : {0.0, 2.0, 20.0, 60.0}) {
    Chip chip(6);
    const CacheSides found = cache_sides(chip.times(0, noise), kMultiprocessors);
    EXPECT_FALSE(found.near) << noise;
    EXPECT_TRUE(found.groups.empty());
    EXPECT_FALSE(found.reason.empty());
  }
  EXPECT_FALSE(cache_sides(times_of([](auto, auto) { return 260; }), kMultiprocessors).near);
}

/// Slices in a row, and multiprocessors next to them: a larger distance takes longer, without two sides.
TEST(CacheSides, AreNoneOfDistancesAlongALineOrARing) {
  const auto place = [](std::size_t i, std::size_t count) {
    return static_cast<double>(i) / static_cast<double>(count);
  };
  const auto line = times_of([&](std::size_t m, std::size_t l) {
    return 200 + 200 * std::fabs(place(m, kMultiprocessors) - place(l, kLines));
  });
  EXPECT_FALSE(cache_sides(line, kMultiprocessors).near);
  const auto ring = times_of([&](std::size_t m, std::size_t l) {
    const double apart = std::fabs(place(m, kMultiprocessors) - place(l, kLines));
    return 200 + 400 * std::min(apart, 1 - apart);
  });
  EXPECT_FALSE(cache_sides(ring, kMultiprocessors).near);
}

/// One multiprocessor that is far from half of the lines is no side.
TEST(CacheSides, AreNoneOfOneOddMultiprocessor) {
  const auto times =
      times_of([&](std::size_t m, std::size_t l) { return m == 7 && l % 2 == 0 ? 400.0 : 260.0; });
  EXPECT_FALSE(cache_sides(times, kMultiprocessors).near);
}

TEST(CacheSides, NeedSomeMultiprocessorsAndLinesAndAsManyOfEach) {
  EXPECT_EQ(cache_sides(times_of([](auto, auto) { return 1; }, 2, 8), 2).reason,
            "2 multiprocessors and 8 lines are too few");
  EXPECT_TRUE(cache_sides({}, 4).quantiles.empty());
  EXPECT_THROW(cache_sides(std::vector<double>(7, 1.0), 2), UsageError);
  EXPECT_THROW(cache_sides({}, 0), UsageError);
}

}  // namespace
}  // namespace gpuseq::probes
