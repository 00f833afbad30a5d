#include "kernels/fm_locate/traffic.hpp"

#include <gtest/gtest.h>

#include "tests/kernels/fm_locate/small_texts.hpp"

namespace gpuseq::fm_locate {
namespace {

using testing::SmallText;

TEST(LocateTraffic, CountsALineAStepAndASampleAWalk) {
  SmallText text(fm_index::testing::random_letters(20'000, 5), 600, 30);
  const auto all = static_cast<double>(text.occurrences.total());
  for (const u32 rate : {4u, 32u}) {
    const Touched marked = count_touched(text.index({rate, true}), text.occurrences, ~u64{0});
    const Touched by_rows = count_touched(text.index({rate, false}), text.occurrences, ~u64{0});
    EXPECT_NEAR(marked.steps_per_position, (rate - 1) / 2.0, 0.05 * rate);
    EXPECT_NEAR(by_rows.steps_per_position, rate - 1, 0.1 * rate);
    EXPECT_LE(marked.lines, all * (marked.steps_per_position + 1) * 1.001);
    EXPECT_LE(by_rows.lines, all * by_rows.steps_per_position * 1.001);
    EXPECT_LE(marked.samples, all);
  }
}

TEST(LocateTraffic, CountsOnceWhatWalksOfAQueryShare) {
  // For one base repeated all walks of a query stay next to each other.
  SmallText text(std::string(4000, 'A'), 2, 1);
  const Touched touched = count_touched(text.index({32, true}), text.occurrences);
  EXPECT_LE(touched.lines, 4001 / 128 + 1);
  EXPECT_LE(touched.samples, 4001.0 / 32 / 16 + 1);
}

TEST(LocateTraffic, OfASampleCountsAboutWhatAllHave) {
  SmallText text(fm_index::testing::random_letters(20'000, 6), 900, 30);
  const Index index = text.index({16, true});
  const Touched all = count_touched(index, text.occurrences, ~u64{0}),
                some = count_touched(index, text.occurrences, 30'000);
  EXPECT_NEAR(some.lines, all.lines, 0.5 * all.lines);
  EXPECT_NEAR(some.steps_per_position, all.steps_per_position, 0.1 * all.steps_per_position);
}

TEST(LocateTraffic, IsIndependentReadsWhereTheWholeSuffixArrayIsThere) {
  SmallText text(fm_index::testing::random_letters(5000, 6), 900, 30);
  const Index whole = text.index({1, true});
  const Touched touched = count_touched(whole, text.occurrences);
  EXPECT_EQ(touched.lines, 0);
  EXPECT_EQ(touched.steps_per_position, 0);
  const Traffic traffic = traffic_of(touched, whole.layout, 5000, 32);
  EXPECT_EQ(traffic.access, "independent");
  EXPECT_EQ(traffic.block_bytes, 32u);
  EXPECT_EQ(traffic.footprint_bytes, whole.samples.size());
  const Index sampled = text.index({8, true});
  const Traffic walked = traffic_of(count_touched(sampled, text.occurrences), sampled.layout, 5000, 32);
  EXPECT_EQ(walked.access, "dependent");
  EXPECT_GT(walked.block_bytes, 32u);
  EXPECT_LE(walked.block_bytes, 64u);
  EXPECT_EQ(walked.footprint_bytes, sampled.bytes());
}

}  // namespace
}  // namespace gpuseq::fm_locate
