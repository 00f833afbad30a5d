#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/fm_index/data/rank.hpp"
#include "kernels/fm_index/traffic.hpp"
#include "tests/kernels/fm_index/brute_force.hpp"

namespace gpuseq::fm_index {
namespace {

class HeatOfASearch : public ::testing::Test {
 protected:
  static std::string strains_of(const std::string& text, u32 count) {
    Random random(7);
    std::string all = text;
    for (u32 strain = 1; strain < count; ++strain)
      for (const char letter : text) all += random.below(100) == 0 ? "ACGT"[random.below(4)] : letter;
    return all;
  }
  static Queries queries_of(const std::string& text, bool occur) {
    constexpr u32 kBases = 60;
    Queries queries;
    Random random(3);
    for (u32 i = 0; i < 10'000; ++i)
      queries.add(occur ? text.substr(random.below(text.size() - kBases), kBases)
                        : testing::random_letters(kBases, 100 + i));
    return queries;
  }
  Traffic count(const std::string& text, bool occur, const Layout& layout, const HeatWalk& heat = {}) {
    Bwt bwt = testing::bwt_of_letters(text, pool_);
    const ColumnRank rank(bwt, pool_);
    const Index index = build_index(bwt, rank, layout, 8, pool_);
    return count_traffic(index, queries_of(text, occur), RowsRead::counted, kMostWalked, {}, heat);
  }

  /// Blocks that need a memory of so many bytes at least, of those of the entries.
  static double share_outside(const Traffic& traffic, double bytes) {
    double sum = 0, all = 0;
    for (const TrafficClass& at : traffic.classes) {
      if (at.spread_bytes > 0 || at.blocks == 10'000) continue;  // of the prefix table
      all += at.blocks;
      if (static_cast<double>(at.footprint_bytes) >= 0.97 * bytes) sum += at.blocks;
    }
    return sum / all;
  }
  /// How long it takes where a block takes the longer the larger its memory is.
  static double seconds_where_memory_is_slow(const Traffic& traffic) {
    double longest = 0;
    for (const TrafficClass& at : traffic.classes) {
      double blocks = 0;
      for (const TrafficClass& other : traffic.classes)
        if (other.footprint_bytes >= at.footprint_bytes) blocks += other.blocks;
      longest = std::max(longest, blocks * static_cast<double>(at.footprint_bytes));
    }
    return longest;
  }

  ThreadPool pool_{1};
  std::string random_ = testing::random_letters(400'000, 1);
  std::string strains_ = strains_of(random_.substr(0, 20'000), 20);
};

TEST_F(HeatOfASearch, IsInAPanGenomeWhereQueriesDoNotOccur) {
  for (const Layout& layout : {Layout{.k = 1, .d = 64}, Layout{.k = 2, .d = 64},
                               Layout{.kind = LayoutKind::one_hot, .k = 1, .d = 224}}) {
    const Traffic found = count(strains_, false, layout);
    const Traffic even = count(strains_, false, layout, {.most_visits = 0});
    const auto bytes = static_cast<double>(found.footprint_bytes);
    EXPECT_GT(share_outside(even, bytes), 0.97) << layout.k;
    EXPECT_LT(share_outside(found, bytes), 0.85) << layout.k;
    EXPECT_GT(share_outside(found, bytes / 4), 0.8) << layout.k;
    EXPECT_EQ(found.blocks, even.blocks);
    EXPECT_LT(seconds_where_memory_is_slow(found), 0.85 * seconds_where_memory_is_slow(even)) << layout.k;
    double sum = 0;
    for (const TrafficClass& at : found.classes) sum += at.blocks;
    EXPECT_NEAR(sum, found.blocks, 1e-6 * sum);
    EXPECT_TRUE(std::ranges::is_sorted(found.classes, {}, &TrafficClass::footprint_bytes));
    EXPECT_LE(found.classes.size(), even.classes.size() + 4) << layout.k;
  }
}

TEST_F(HeatOfASearch, IsNoneInARandomTextWhoseWordsAreSearched) {
  for (const Layout& layout : {Layout{.k = 1, .d = 64}, Layout{.k = 2, .d = 64}}) {
    const Traffic found = count(random_, true, layout);
    const Traffic even = count(random_, true, layout, {.most_visits = 0});
    EXPECT_EQ(found.classes.size(), even.classes.size());
    EXPECT_NEAR(seconds_where_memory_is_slow(found) / seconds_where_memory_is_slow(even), 1, 0.01);
  }
}

TEST_F(HeatOfASearch, IsTheSameCountedByManyThreads) {
  const Layout layout{.k = 1, .d = 64};
  EXPECT_EQ(count(strains_, false, layout).classes, count(strains_, false, layout, {.threads = 3}).classes);
}

TEST_F(HeatOfASearch, IsCountedForChromosome20) {
  constexpr u64 kSectors = 136'012'800 / 32, kVisitsOfEach = 4;  // k = 2, one-hot
  EXPECT_GE(HeatWalk().most_visits, kVisitsOfEach * kSectors);
}

TEST_F(HeatOfASearch, IsNotToldOfFewVisits) {
  const Layout layout{.k = 1, .d = 64};
  EXPECT_EQ(count(strains_, false, layout, {.most_visits = 20'000}).classes,
            count(strains_, false, layout, {.most_visits = 0}).classes);
}

}  // namespace
}  // namespace gpuseq::fm_index
