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
  const Touched touched = count_touched(text.index, text.queries, 0, 1, ~u64{0});
  EXPECT_LE(touched.steps, static_cast<double>(text.queries.total_bases));
  EXPECT_EQ(sum(touched.forward), 0);
  EXPECT_GT(sum(touched.reverse), 0);
  EXPECT_LE(sum(touched.reverse), 2 * touched.steps);
  const Traffic traffic = traffic_of(touched, 20'000);
  EXPECT_EQ(traffic.footprint_bytes, text.index.reverse.size());
  EXPECT_EQ(traffic.block_bytes, 64u);
}

TEST(MismatchTraffic, MismatchesTakeMoreStepsOfBothSides) {
  const SmallText text(fm_index::testing::random_letters(20'000, 5), 400, 30);
  double steps = 0;
  for (const u32 mismatches : {0u, 1u, 2u}) {
    const Touched touched = count_touched(text.index, text.queries, mismatches, 1, ~u64{0});
    EXPECT_GT(touched.steps, steps);
    steps = touched.steps;
  }
  const Touched touched = count_touched(text.index, text.queries, 2, 1);
  EXPECT_GT(sum(touched.forward), 0);
  const Traffic traffic = traffic_of(touched, 20'000);
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
  const Touched one = count_touched(text.index, text.queries, 1, 1, ~u64{0}),
                both = count_touched(text.index, text.queries, 1, 2, ~u64{0});
  EXPECT_NEAR(both.steps, 2 * one.steps, 0.5 * one.steps);
}

}  // namespace
}  // namespace gpuseq::fm_mismatch
