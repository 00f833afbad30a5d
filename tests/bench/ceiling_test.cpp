#include "bench/ceiling.hpp"

#include <gmock/gmock.h>

#include "tests/bench/records.hpp"

namespace gpuseq::bench {
namespace {

using testing::bandwidth_record;
using ::testing::HasSubstr;

constexpr int kAllThreads = 8;

results::StateKey state(const char* device = "cpu", std::int64_t threads = 1) {
  return {"toy", "steady", {}, {{"threads", threads}}, device};
}

Maybe<results::Ceiling> ceiling(const std::vector<results::Record>& records, Traffic traffic,
                                double rate = 1e6, const results::StateKey& key = state()) {
  return memory_ceiling_of(key, {1000, "bases"}, traffic, rate, curves_of(records), kAllThreads);
}

TEST(Ceiling, IsWorkOverTheTimeThatTheBlocksTakeAtTheProbedBandwidth) {
  const std::vector records{bandwidth_record(1 << 20, 64, 6.4e9)};
  // 2000 blocks of 64 B at 6.4e9 B/s take 20 us; 1000 bases in 20 us are 5e7 bases/s.
  const auto found = ceiling(records, {.blocks = 2000, .block_bytes = 64, .footprint_bytes = 1 << 20}, 1e7);
  ASSERT_TRUE(found.value) << found.reason;
  EXPECT_NEAR(found.value->rate, 5e7, 1);
  EXPECT_NEAR(found.value->fraction, 0.2, 1e-9);
  EXPECT_EQ(found.value->bound_by, "random access");
  EXPECT_THAT(found.value->explanation, HasSubstr("200 blocks of 64 B per 100 bases"));
}

TEST(Ceiling, InterpolatesTheFootprintLogLog) {
  // 8e9 at 1 MiB and 2e9 at 4 MiB: half way in octaves is 4e9.
  const std::vector records{bandwidth_record(1 << 20, 64, 8e9), bandwidth_record(1 << 22, 64, 2e9)};
  const auto found = ceiling(records, {.blocks = 1000, .block_bytes = 64, .footprint_bytes = 1 << 21});
  EXPECT_NEAR(found.value->rate, 1000 / (1000 * 64 / 4e9), 1);
}

TEST(Ceiling, InterpolatesTheBlockSizeLogLogAndChargesSmallBlocksAsTheSmallestProbed) {
  const std::vector records{bandwidth_record(1 << 20, 64, 2e9), bandwidth_record(1 << 20, 256, 8e9)};
  const auto between = ceiling(records, {.blocks = 1000, .block_bytes = 128, .footprint_bytes = 1 << 20});
  EXPECT_NEAR(between.value->rate, 1000 / (1000 * 128 / 4e9), 1);
  const auto below = ceiling(records, {.blocks = 1000, .block_bytes = 32, .footprint_bytes = 1 << 20});
  EXPECT_NEAR(below.value->rate, 1000 / (1000 * 64 / 2e9), 1);
  const auto above = ceiling(records, {.blocks = 1000, .block_bytes = 512, .footprint_bytes = 1 << 20});
  EXPECT_NEAR(above.value->rate, 1000 / (1000 * 512 / 8e9), 1);
}

TEST(Ceiling, TakesTheBestOfTheCurvesThatDifferInOtherAxes) {
  const std::vector records{bandwidth_record(1 << 20, 64, 1e9, "cpu", "independent", 1),
                            bandwidth_record(1 << 20, 64, 3e9, "cpu", "independent", 8)};
  const auto found = ceiling(records, {.blocks = 1000, .block_bytes = 64, .footprint_bytes = 1 << 20});
  EXPECT_NEAR(found.value->rate, 1000 / (1000 * 64 / 3e9), 1);
}

TEST(Ceiling, MatchesThreadsOnTheCpuWhereZeroMeansAll) {
  const std::vector records{bandwidth_record(1 << 20, 64, 1e9, "cpu", "independent", 4, 1),
                            bandwidth_record(1 << 20, 64, 7e9, "cpu", "independent", 4, 0)};
  const Traffic traffic{.blocks = 1000, .block_bytes = 64, .footprint_bytes = 1 << 20};
  EXPECT_NEAR(ceiling(records, traffic, 1, state("cpu", 1)).value->rate, 1000 / (1000 * 64 / 1e9), 1);
  EXPECT_NEAR(ceiling(records, traffic, 1, state("cpu", kAllThreads)).value->rate, 1000 / (1000 * 64 / 7e9),
              1);
  EXPECT_THAT(ceiling(records, traffic, 1, state("cpu", 3)).reason, HasSubstr("3 threads"));
}

TEST(Ceiling, WhatOneThreadReachesAllThreadsCanEvenIfTheirProbeWasDisturbed) {
  const std::vector records{bandwidth_record(1 << 20, 64, 5e9, "cpu", "independent", 4, 1),
                            bandwidth_record(1 << 20, 64, 2e9, "cpu", "independent", 4, 0)};
  const Traffic traffic{.blocks = 1000, .block_bytes = 64, .footprint_bytes = 1 << 20};
  EXPECT_NEAR(ceiling(records, traffic, 1, state("cpu", 0)).value->rate, 1000 / (1000 * 64 / 5e9), 1);
}

TEST(Ceiling, IndependentAccessesStandInForDependentOnesThatWereNotProbed) {
  std::vector records{bandwidth_record(1 << 20, 64, 4e9)};
  const Traffic traffic{.blocks = 1000, .block_bytes = 64, .footprint_bytes = 1 << 20, .access = "dependent"};
  const auto loose = ceiling(records, traffic);
  EXPECT_NEAR(loose.value->rate, 1000 / (1000 * 64 / 4e9), 1);
  EXPECT_THAT(loose.value->explanation, HasSubstr("independent"));
  records.push_back(bandwidth_record(1 << 20, 64, 1e9, "cpu", "dependent"));
  const auto tight = ceiling(records, traffic);
  EXPECT_NEAR(tight.value->rate, 1000 / (1000 * 64 / 1e9), 1);
  EXPECT_THAT(tight.value->explanation, HasSubstr("of dependent"));
}

TEST(Ceiling, SaysWhyWhereNoProbeFits) {
  const std::vector records{bandwidth_record(1 << 20, 64, 1e9)};
  EXPECT_THAT(
      ceiling(records, {.blocks = 1, .block_bytes = 64, .footprint_bytes = 1 << 20}, 1, state("cuda:0"))
          .reason,
      HasSubstr("cuda:0"));
  EXPECT_THAT(ceiling(records, {.blocks = 1, .block_bytes = 64, .footprint_bytes = 1 << 30}).reason,
              HasSubstr("the probes reach"));
  EXPECT_THAT(ceiling({}, {.blocks = 0, .block_bytes = 64, .footprint_bytes = 1}).reason,
              HasSubstr("no memory"));
}

TEST(Curves, MergePhasesAndRepetitionsAndSortByFootprint) {
  std::vector records{bandwidth_record(1 << 22, 64, 2e9), bandwidth_record(1 << 20, 64, 4e9),
                      bandwidth_record(1 << 21, 64, 3e9)};
  records[2].phase = "refine";
  records.push_back(records[0]);
  const auto curves = curves_of(records);
  ASSERT_EQ(curves.size(), 1u);
  EXPECT_EQ(curves[0].points.size(), 3u);
  EXPECT_EQ(curves[0].points[0].footprint_bytes, 1 << 20);
  EXPECT_EQ(curves[0].points[2].values.size(), 6u);
  EXPECT_EQ(curves[0].unit, "bytes/s");
  EXPECT_FALSE(curves[0].fixed.has("footprint_bytes"));
}

TEST(Curves, LeaveOutWhatFailed) {
  std::vector records{bandwidth_record(1 << 20, 64, 2e9)};
  records[0].status = results::Status::failed;
  EXPECT_TRUE(curves_of(records).empty());
}

}  // namespace
}  // namespace gpuseq::bench
