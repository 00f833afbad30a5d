#include "probes/load_path_caches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <list>
#include <numeric>
#include <random>
#include <vector>

namespace gpuseq::probes {
namespace {

/// A cache that is simulated load by load: sets of lines of sectors, least recently used first out.
struct SimulatedCache {
  std::size_t size, line, sector, ways;
  bool hashed = false;

  std::size_t sets() const { return size / line / ways; }
  std::size_t set_of(std::uint64_t address) const {
    const std::uint64_t number = address / line;
    return static_cast<std::size_t>((hashed ? (number * 0x9e3779b97f4a7c15ull) >> 40 : number) % sets());
  }
};

struct Line {
  std::uint64_t number;
  std::vector<bool> sectors;
};

/// Clocks of a load in the second round of a chain.
double clocks_of(const SimulatedCache& cache, const LoadPathPoint& at, double hit, double miss) {
  std::vector<std::uint64_t> chain(static_cast<std::size_t>(at.footprint_bytes / at.stride_bytes));
  std::iota(chain.begin(), chain.end(), 0u);
  std::mt19937_64 random(1);
  if (!at.ascending) std::ranges::shuffle(chain, random);
  std::vector<std::list<Line>> sets(cache.sets());
  double clocks = 0;
  for (int round = 0; round < 2; ++round) {
    clocks = 0;
    for (const std::uint64_t node : chain) {
      const std::uint64_t address = node * static_cast<std::uint64_t>(at.stride_bytes);
      std::list<Line>& set = sets[cache.set_of(address)];
      auto found = std::ranges::find(set, address / cache.line, &Line::number);
      if (found == set.end()) {
        if (set.size() == cache.ways) set.pop_back();
        set.push_front({address / cache.line, std::vector<bool>(cache.line / cache.sector)});
      } else {
        set.splice(set.begin(), set, found);
      }
      std::vector<bool>::reference sector = set.front().sectors[address % cache.line / cache.sector];
      clocks += sector ? hit : miss;
      sector = true;
    }
  }
  return clocks / static_cast<double>(chain.size());
}

/// The points that a config asks for.
std::vector<LoadPathPoint> points_of(const SimulatedCache& cache, double hit = 33, double miss = 250) {
  std::vector<LoadPathPoint> points;
  const auto add = [&](double footprint, double stride, bool ascending) {
    LoadPathPoint at{footprint, stride, ascending, 0};
    at.clocks = clocks_of(cache, at, hit, miss);
    points.push_back(at);
  };
  const double size = static_cast<double>(cache.size);
  for (double footprint = size / 8; footprint <= 8 * size; footprint *= std::sqrt(2.0)) {
    const double whole = std::round(footprint / 512) * 512;
    if (footprint <= 4 * size) add(whole, 32, false);
    add(3.25 * whole, 416, false);
  }
  for (const double stride : {16, 32, 64, 128, 256}) add(4 * size, stride, true);
  for (const double stride : {512, 1024, 2048})
    for (double nodes = 1; nodes * stride <= 16 * size; nodes *= 2)
      if (nodes <= 1024) add(nodes * stride, stride, false);
  return points;
}

TEST(LoadPathCaches, OfSimulatedCachesHaveTheirSizeLineFetchAndWays) {
  for (const SimulatedCache& cache : {SimulatedCache{32768, 128, 32, 64}, SimulatedCache{65536, 64, 64, 64},
                                      SimulatedCache{16384, 32, 32, 64}, SimulatedCache{131072, 128, 64, 256},
                                      SimulatedCache{24576, 128, 128, 96}}) {
    const PathCaches found = path_caches(points_of(cache));
    ASSERT_EQ(found.levels.size(), 2u) << cache.size;
    const auto size = static_cast<double>(cache.size);
    EXPECT_LE(*found.levels[0].served_bytes, 1.02 * size);
    EXPECT_GT(*found.levels[0].exceeded_bytes, 0.98 * size);
    EXPECT_LT(*found.levels[0].exceeded_bytes, 1.5 * *found.levels[0].served_bytes);
    EXPECT_NEAR(found.levels[0].clocks, 33, 1e-9);
    EXPECT_GT(found.levels[1].clocks, 0.7 * 250);  // of sectors longer than the stride some loads still hit
    EXPECT_LE(found.levels[1].clocks, 250);
    EXPECT_EQ(found.fetch_bytes.value, cache.sector) << found.fetch_bytes.reason;
    EXPECT_EQ(found.line_bytes.value, cache.line) << found.line_bytes.reason;
    ASSERT_TRUE(found.ways.value) << found.ways.reason;
    // The last of the tested powers of two that the set holds.
    EXPECT_EQ(*found.ways.value, std::exp2(std::floor(std::log2(cache.ways))));
  }
}

TEST(LoadPathCaches, WhoseSetsAreChosenByAHashSayNoWaysAndWhy) {
  const PathCaches found = path_caches(points_of({65536, 128, 32, 16, true}));
  EXPECT_FALSE(found.ways.value);
  EXPECT_FALSE(found.ways.reason.empty());
}

LoadPathPoint at(double footprint, double clocks) {
  return {.footprint_bytes = footprint, .stride_bytes = 32, .ascending = false, .clocks = clocks};
}

TEST(LoadPathLevels, AreTheStepsOfACurveWhateverTheOrderOfItsPoints) {
  const auto levels = path_levels({at(64, 25.4), at(2048, 26), at(1024, 25), at(4096, 70), at(8192, 90),
                                   at(16384, 91), at(32768, 92), at(65536, 160), at(131072, 240)});
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[0].clocks, 25.4);
  EXPECT_EQ(levels[0].served_bytes, 2048);
  EXPECT_EQ(levels[0].exceeded_bytes, 4096);
  EXPECT_EQ(levels[1].clocks, 91);
  EXPECT_EQ(levels[1].served_bytes, 32768);
  EXPECT_EQ(levels[2].clocks, 240);
  EXPECT_FALSE(levels[2].served_bytes);
}

TEST(LoadPathLevels, OfACurveThatNoiseMovesByTwentiethsIsOne) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> noise(0.955, 1.045);
  for (int i = 0; i < 200; ++i) {
    std::vector<LoadPathPoint> curve;
    for (int k = 0; k < 20; ++k) curve.push_back(at(1024.0 * (k + 1), 200 * noise(random)));
    const auto levels = path_levels(curve);
    ASSERT_EQ(levels.size(), 1u);
    EXPECT_FALSE(levels.front().served_bytes);
  }
  EXPECT_TRUE(path_levels({}).empty());
}

TEST(LoadPathCaches, OfAPathWithoutAnEndSayNothingAndWhy) {
  const std::vector<LoadPathPoint> flat{at(1024, 23), at(4096, 23), at(32768, 23)};
  const PathCaches found = path_caches(flat);
  ASSERT_EQ(found.levels.size(), 1u);
  for (const Shown& shown : {found.fetch_bytes, found.line_bytes, found.ways}) {
    EXPECT_FALSE(shown.value);
    EXPECT_FALSE(shown.reason.empty());
  }
  EXPECT_TRUE(path_caches({}).levels.empty());
}

TEST(LoadPathCaches, HaveNoFetchWhereTheLeastStrideMissesAlways) {
  std::vector<LoadPathPoint> points{at(1024, 20), at(2048, 20), at(4096, 100), at(8192, 100)};
  for (const double stride : {32, 64, 128})
    points.push_back({.footprint_bytes = 8192, .stride_bytes = stride, .ascending = true, .clocks = 100});
  EXPECT_FALSE(path_caches(points).fetch_bytes.value);
}

TEST(LoadPathEviction, IsAskedOnlyWhereTheCacheHoldsOneChainAndNotBoth) {
  const std::vector<PathLevel> levels{{33, 192 << 10, 256 << 10, 100}, {.clocks = 260}};
  EXPECT_FALSE(is_evicted(levels, 64 << 10, 200).has_value());
  EXPECT_FALSE(is_evicted(levels, 256 << 10, 200).has_value());
  EXPECT_EQ(is_evicted(levels, 128 << 10, 200), true);
  EXPECT_EQ(is_evicted(levels, 128 << 10, 40), false);
  EXPECT_FALSE(is_evicted(std::vector<PathLevel>{{.clocks = 33}}, 1024, 40).has_value());
}

}  // namespace
}  // namespace gpuseq::probes
