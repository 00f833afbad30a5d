#include "kernels/fm_mismatch/traffic.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/kernels/fm_mismatch/small_texts.hpp"

namespace gpuseq::fm_mismatch {
namespace {

using testing::SmallText;

double sum(const std::vector<double>& lines) {
  return std::accumulate(lines.begin(), lines.end(), 0.0);
}

TEST(MismatchTraffic, OfExactSearchIsTwoLinesABaseAtMostOfOneSide) {
  const SmallText text(fm_index::testing::random_letters(20'000, 5), 600, 30);
  const Touched touched = count_touched(text.index.view, text.queries, 0, 1, ~u64{0});
  EXPECT_LE(touched.steps, static_cast<double>(text.queries.total_bases));
  EXPECT_EQ(sum(touched.forward), 0);
  EXPECT_GT(sum(touched.reverse), 0);
  EXPECT_LE(sum(touched.reverse), 2 * touched.steps);
  const Traffic traffic = traffic_of(touched, 20'000, 0);
  EXPECT_EQ(traffic.footprint_bytes, text.index.reverse.size());
  EXPECT_EQ(traffic.block_bytes, 64u);
}

TEST(MismatchTraffic, MismatchesTakeMoreStepsOfBothSides) {
  const SmallText text(fm_index::testing::random_letters(20'000, 5), 400, 30);
  double steps = 0;
  for (const u32 mismatches : {0u, 1u, 2u}) {
    const Touched touched = count_touched(text.index.view, text.queries, mismatches, 1, ~u64{0});
    EXPECT_GT(touched.steps, steps);
    steps = touched.steps;
  }
  const Touched touched = count_touched(text.index.view, text.queries, 2, 1);
  EXPECT_GT(sum(touched.forward), 0);
  const Traffic traffic = traffic_of(touched, 20'000, 0);
  EXPECT_EQ(traffic.footprint_bytes, text.index.bytes());
  double blocks = 0;
  std::size_t last = 0;
  for (const TrafficClass& of_class : traffic.classes) {
    EXPECT_GT(of_class.footprint_bytes, last);
    last = of_class.footprint_bytes;
    blocks += of_class.blocks;
  }
  EXPECT_DOUBLE_EQ(blocks, traffic.blocks);
  EXPECT_LE(last, traffic.footprint_bytes);
}

TEST(MismatchTraffic, BothStrandsTakeAboutTwiceAsMuch) {
  const SmallText text(fm_index::testing::random_letters(20'000, 7), 600, 20);
  const Touched one = count_touched(text.index.view, text.queries, 1, 1, ~u64{0}),
                both = count_touched(text.index.view, text.queries, 1, 2, ~u64{0});
  EXPECT_NEAR(both.steps, 2 * one.steps, 0.5 * one.steps);
}

TEST(MismatchTraffic, WhatATableAnswersIsLookedUpAndNotRead) {
  const SmallText text(fm_index::testing::random_letters(20'000, 5), 600, 30);
  for (const u32 mismatches : {0u, 1u, 2u}) {
    const Touched without = count_touched(text.index.view, text.queries, mismatches, 2, ~u64{0}),
                  with = count_touched(text.with_prefix(4), text.queries, mismatches, 2, ~u64{0});
    EXPECT_EQ(without.look_ups, 0);
    // A strand has a search more than mismatches, whose first parts are mostly long enough.
    EXPECT_LE(with.look_ups, 2 * 600 * (mismatches + 1.0));
    EXPECT_GE(with.look_ups, 600 * (mismatches + 1.0));
    EXPECT_LT(with.steps, without.steps);
    EXPECT_LT(sum(with.forward) + sum(with.reverse), sum(without.forward) + sum(without.reverse));
    const Traffic traffic = traffic_of(with, 20'000, 4);
    double blocks = 0;
    for (const TrafficClass& of_class : traffic.classes) blocks += of_class.blocks;
    EXPECT_DOUBLE_EQ(blocks, traffic.blocks);
    EXPECT_NEAR(traffic.blocks, sum(with.forward) + sum(with.reverse) + with.look_ups, 1e-6 * traffic.blocks);
    EXPECT_EQ(traffic.footprint_bytes, (mismatches == 0 ? 1 : 2) * text.index.forward.size() + 256 * 16);
  }
}

TEST(MismatchTraffic, LookUpsOfWordsThatALargeTextHasAreOfMuchMemory) {
  const Touched touched{.steps = 1e9, .forward = {}, .reverse = {1e9}, .look_ups = 1e9};
  const auto largest = [&](u64 bases, u32 symbols) {
    return traffic_of(touched, bases, symbols).classes.back().footprint_bytes;
  };
  EXPECT_NEAR(static_cast<double>(largest(1'000'000'000, 12)), 268e6, 1e6);
  // A text of fewer bases than there are words has few of them.
  EXPECT_NEAR(static_cast<double>(largest(1'000'000, 12)), 32e6, 1e5);
}

}  // namespace
}  // namespace gpuseq::fm_mismatch
