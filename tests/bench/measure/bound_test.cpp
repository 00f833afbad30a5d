#include "bench/bound/bound.hpp"

#include <gtest/gtest.h>

#include "tests/bench/records.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::bench {
namespace {

using testing::bandwidth_record;

constexpr int kAllThreads = 8;

results::StateKey state(const char* device = "cpu", std::int64_t threads = 1) {
  return {"toy", "steady", {}, {{"threads", threads}}, device};
}

Maybe<results::Bound> bound(const std::vector<results::Record>& records, Traffic traffic, double rate = 1e6,
                            const results::StateKey& key = state()) {
  return memory_bound_of(key, {1000, "bases"}, traffic, rate, curves_of(records), kAllThreads);
}

TEST(Bound, IsWorkOverTheTimeThatTheBlocksTakeAtTheProbedBandwidth) {
  const std::vector records{bandwidth_record(1 << 20, 64, 6.4e9)};
  // 2000 blocks of 64 B at 6.4e9 B/s take 20 us; 1000 bases in 20 us are 5e7 bases/s.
  const auto found = bound(records, {.blocks = 2000, .block_bytes = 64, .footprint_bytes = 1 << 20}, 1e7);
  ASSERT_TRUE(found.value) << found.reason;
  EXPECT_NEAR(found.value->rate, 5e7, 1);
  EXPECT_NEAR(found.value->fraction, 0.2, 1e-9);
  EXPECT_EQ(found.value->bound_by, "memory");  // of a device that does not describe its caches
  expect_text(found.value->explanation);
}

TEST(Bound, IsNotMadeOfAccessesToTheHostsMemoryOrUnderLoad) {
  std::vector records{bandwidth_record(1 << 20, 64, 6.4e9)};
  const Traffic traffic{.blocks = 2000, .block_bytes = 64, .footprint_bytes = 1 << 20};
  const double alone = bound(records, traffic).value->rate;
  for (const char* family : {"zero_copy", "zero_copy_sequential", "loaded_latency"})
    for (const double rate : {1e9, 1e12}) {
      records.push_back(bandwidth_record(1 << 20, 64, rate));
      records.back().state.family = family;
    }
  EXPECT_EQ(bound(records, traffic).value->rate, alone);
}

TEST(Bound, InterpolatesTheFootprintLogLog) {
  // 8e9 at 1 MiB and 2e9 at 4 MiB: half way in octaves is 4e9.
  const std::vector records{bandwidth_record(1 << 20, 64, 8e9), bandwidth_record(1 << 22, 64, 2e9)};
  const auto found = bound(records, {.blocks = 1000, .block_bytes = 64, .footprint_bytes = 1 << 21});
  EXPECT_NEAR(found.value->rate, 1000 / (1000 * 64 / 4e9), 1);
}

TEST(Bound, BeforeAnEdgeThatNobodySawIsThatOfTheNearerPoint) {
  // Over an octave a cache that serves a share of the
  // accesses loses half at most: a larger fall has an edge.
  const std::vector records{bandwidth_record(1 << 20, 64, 8e9), bandwidth_record(1 << 21, 64, 1e9)};
  const auto at = [&](std::size_t footprint) {
    return bound(records, {.blocks = 1000, .block_bytes = 64, .footprint_bytes = footprint}).value->rate;
  };
  EXPECT_NEAR(at(3 << 19), 1000 / (1000 * 64 / 8e9), 1);
  EXPECT_NEAR(at(1 << 21), 1000 / (1000 * 64 / 1e9), 1);
  EXPECT_NEAR(at(1 << 20), 1000 / (1000 * 64 / 8e9), 1);
}

TEST(Bound, InterpolatesTheBlockSizeLogLogAndChargesSmallBlocksAsTheSmallestProbed) {
  const std::vector records{bandwidth_record(1 << 20, 64, 2e9), bandwidth_record(1 << 20, 256, 8e9)};
  const auto between = bound(records, {.blocks = 1000, .block_bytes = 128, .footprint_bytes = 1 << 20});
  EXPECT_NEAR(between.value->rate, 1000 / (1000 * 128 / 4e9), 1);
  const auto below = bound(records, {.blocks = 1000, .block_bytes = 32, .footprint_bytes = 1 << 20});
  EXPECT_NEAR(below.value->rate, 1000 / (1000 * 64 / 2e9), 1);
  const auto above = bound(records, {.blocks = 1000, .block_bytes = 512, .footprint_bytes = 1 << 20});
  EXPECT_NEAR(above.value->rate, 1000 / (1000 * 512 / 8e9), 1);
}

TEST(Bound, OfFewBytesIsNoLessThanWhatLargerFootprintsReach) {
  // A noisy neighbour slowed the probes at 1 MiB.
  const std::vector records{bandwidth_record(1 << 20, 64, 2e9), bandwidth_record(1 << 22, 64, 5e9)};
  const auto found = bound(records, {.blocks = 1000, .block_bytes = 64, .footprint_bytes = 1 << 20});
  EXPECT_NEAR(found.value->rate, 1000 / (1000 * 64 / 5e9), 1);
}

TEST(Bound, OfAPointIsThatOfItsBestPass) {
  std::vector<results::Record> records;
  for (const double rate : {4e9, 4.1e9, 4.2e9}) records.push_back(bandwidth_record(1 << 20, 64, rate));
  for (std::size_t pass = 0; pass < records.size(); ++pass) records[pass].repetition = static_cast<int>(pass);
  const auto found = bound(records, {.blocks = 1000, .block_bytes = 64, .footprint_bytes = 1 << 20});
  EXPECT_NEAR(found.value->rate, 1000 / (1000 * 64 / 4.2e9), 1);
}

TEST(Bound, OfSmallBlocksIsNoFewerASecondThanOfLargerOnes) {
  const std::vector records{bandwidth_record(1 << 20, 32, 1e9), bandwidth_record(1 << 20, 128, 8e9)};
  const auto small = bound(records, {.blocks = 1000, .block_bytes = 32, .footprint_bytes = 1 << 20});
  EXPECT_NEAR(small.value->rate, 1000 / (1000 * 128 / 8e9), 1);
}

TEST(Bound, OfLargeBlocksIsNoLessThanInPiecesOfSmallerOnes) {
  const std::vector records{bandwidth_record(1 << 20, 64, 6e9), bandwidth_record(1 << 20, 256, 2e9)};
  const auto whole = bound(records, {.blocks = 1000, .block_bytes = 128, .footprint_bytes = 1 << 20});
  EXPECT_NEAR(whole.value->rate, 1000 / (1000 * 128 / 6e9), 1);
  // 80 bytes are two pieces of 64.
  const auto partial = bound(records, {.blocks = 1000, .block_bytes = 80, .footprint_bytes = 1 << 20});
  EXPECT_GE(partial.value->rate, 1000 / (1000 * 128 / 6e9));
}

TEST(Bound, TakesTheBestOfTheCurvesThatDifferInOtherAxes) {
  const std::vector records{bandwidth_record(1 << 20, 64, 1e9, "cpu", "independent", 1),
                            bandwidth_record(1 << 20, 64, 3e9, "cpu", "independent", 8)};
  const auto found = bound(records, {.blocks = 1000, .block_bytes = 64, .footprint_bytes = 1 << 20});
  EXPECT_NEAR(found.value->rate, 1000 / (1000 * 64 / 3e9), 1);
}

TEST(Bound, MatchesThreadsOnTheCpuWhereZeroMeansAll) {
  const std::vector records{bandwidth_record(1 << 20, 64, 1e9, "cpu", "independent", 4, 1),
                            bandwidth_record(1 << 20, 64, 7e9, "cpu", "independent", 4, 0)};
  const Traffic traffic{.blocks = 1000, .block_bytes = 64, .footprint_bytes = 1 << 20};
  EXPECT_NEAR(bound(records, traffic, 1, state("cpu", 1)).value->rate, 1000 / (1000 * 64 / 1e9), 1);
  EXPECT_NEAR(bound(records, traffic, 1, state("cpu", kAllThreads)).value->rate, 1000 / (1000 * 64 / 7e9), 1);
  expect_text(bound(records, traffic, 1, state("cpu", 3)).reason);
}

TEST(Bound, WhatOneThreadReachesAllThreadsCanEvenIfTheirProbeWasDisturbed) {
  const std::vector records{bandwidth_record(1 << 20, 64, 5e9, "cpu", "independent", 4, 1),
                            bandwidth_record(1 << 20, 64, 2e9, "cpu", "independent", 4, 0)};
  const Traffic traffic{.blocks = 1000, .block_bytes = 64, .footprint_bytes = 1 << 20};
  EXPECT_NEAR(bound(records, traffic, 1, state("cpu", 0)).value->rate, 1000 / (1000 * 64 / 5e9), 1);
}

TEST(Bound, OfAllThreadsNeedsTheirProbeAtTheFootprint) {
  // A budget cut the probes of all threads beyond the caches.
  const std::vector records{bandwidth_record(1 << 20, 64, 9e9, "cpu", "independent", 4, 0),
                            bandwidth_record(1 << 20, 64, 5e9, "cpu", "independent", 16, 1),
                            bandwidth_record(1 << 30, 64, 1e9, "cpu", "independent", 16, 1)};
  const Traffic traffic{.blocks = 1000, .block_bytes = 64, .footprint_bytes = 1 << 30};
  EXPECT_TRUE(bound(records, traffic, 1, state("cpu", 1)).value);
  const auto of_all = bound(records, traffic, 1, state("cpu", 0));
  EXPECT_FALSE(of_all.value);
  EXPECT_EQ(of_all.reason, "no random_access probe on 8 threads reaches 1.07e+09 bytes");
}

TEST(Bound, OfAccessesThatWaitForEachOtherTheFasterOfTwoProbesCounts) {
  std::vector records{bandwidth_record(1 << 20, 64, 4e9)};
  const Traffic traffic{.blocks = 1000, .block_bytes = 64, .footprint_bytes = 1 << 20, .access = "dependent"};
  const auto loose = bound(records, traffic);
  EXPECT_NEAR(loose.value->rate, 1000 / (1000 * 64 / 4e9), 1);
  expect_text(loose.value->explanation);
  records.push_back(bandwidth_record(1 << 20, 64, 1e9, "cpu", "dependent"));
  EXPECT_NEAR(bound(records, traffic).value->rate, 1000 / (1000 * 64 / 4e9), 1);
  // A probe shows a lower limit: a disturbed one violates nothing.
  records.push_back(bandwidth_record(1 << 20, 64, 5e9, "cpu", "dependent"));
  records.erase(records.begin() + 1);
  const auto faster = bound(records, traffic);
  EXPECT_NEAR(faster.value->rate, 1000 / (1000 * 64 / 5e9), 1);
  expect_text(faster.value->explanation);
}

TEST(Bound, IsBoundByTheNearestLevelThatHoldsTheFootprint) {
  const nlohmann::json cpu{{"caches",
                            {{{"level", 1}, {"bytes", 32 << 10}},
                             {{"level", 2}, {"bytes", 1 << 20}},
                             {{"level", 3}, {"bytes", 32 << 20}}}}};
  const nlohmann::json gpu{{"l2_bytes", 50 << 20}, {"multiprocessors", 132}};
  EXPECT_EQ(level_at(limits_of(cpu), 32 << 10), BindingResource::l1);
  EXPECT_EQ(level_at(limits_of(cpu), 33 << 10), BindingResource::l2);
  EXPECT_EQ(level_at(limits_of(cpu), 2 << 20), BindingResource::l3);
  EXPECT_EQ(level_at(limits_of(cpu), 33 << 20), BindingResource::dram);
  EXPECT_EQ(level_at(limits_of(gpu), 1 << 20), BindingResource::l2);
  EXPECT_EQ(level_at(limits_of(gpu), 1 << 30), BindingResource::dram);
  EXPECT_EQ(level_at(limits_of(nullptr), 1), BindingResource::memory);
  const Traffic traffic{.blocks = 10, .block_bytes = 64, .footprint_bytes = 2 << 20};
  const std::vector records{bandwidth_record(2 << 20, 64, 1e9)};
  const auto found =
      memory_bound_of(state(), {1000, "bases"}, traffic, 1, curves_of(records), kAllThreads, limits_of(cpu));
  EXPECT_EQ(found.value->bound_by, "L3");
}

/// A record of the probe latency.
results::Record latency_record(std::int64_t footprint, double ns) {
  return testing::ok_record({"latency", "cuda", {}, {{"footprint_bytes", footprint}}, "cuda:0"}, "probe",
                            "probe", {1000, "accesses"}, {1e-6 * ns, 1e-6 * ns, 1e-6 * ns});
}

Maybe<results::Bound> latency_bound(const Traffic& traffic, double rate = 1) {
  const std::vector records{latency_record(1 << 20, 200), latency_record(1 << 22, 800)};
  return latency_bound_of(state("cuda:0"), {1000, "bases"}, traffic, rate, curves_of(records));
}

TEST(Bound, OfBlocksThatWaitForEachOtherIsBoundByLatencyWhereFewAreInFlight) {
  Traffic traffic{.blocks = 1000, .block_bytes = 64, .footprint_bytes = 1 << 22, .access = "dependent"};
  EXPECT_FALSE(latency_bound(traffic).value);  // their number is unknown
  traffic.in_flight = 10;
  const auto found = latency_bound(traffic, 1e6);  // 100 times 800 ns
  ASSERT_TRUE(found.value);
  EXPECT_EQ(found.value->bound_by, "latency");
  EXPECT_NEAR(found.value->rate, 1000 / 80e-6, 1);
  EXPECT_NEAR(found.value->fraction, 0.08, 1e-9);
  traffic.classes = {{1 << 20, 600}, {1 << 22, 400}};  // 60 times 200 ns, 40 times 800
  EXPECT_NEAR(latency_bound(traffic).value->rate, 1000 / 44e-6, 1);
  traffic.classes = {{1 << 16, 600}, {1 << 22, 400}};  // below the probed footprints it may take no time
  EXPECT_NEAR(latency_bound(traffic).value->rate, 1000 / 32e-6, 1);
  traffic.access = "independent";
  EXPECT_FALSE(latency_bound(traffic).value);
}

/// 8e9, 4e9 and 1e9 bytes/s at 1, 2 and 4 MiB.
std::vector<results::Record> falling_bandwidth(const char* access = "independent") {
  return {bandwidth_record(1 << 20, 64, 8e9, "cpu", access),
          bandwidth_record(1 << 21, 64, 4e9, "cpu", access),
          bandwidth_record(1 << 22, 64, 1e9, "cpu", access)};
}

TEST(Bound, OfClassesIsThatOfTheFootprintOutsideOfWhichTheBlocksTakeLongest) {
  // Outside the hottest 1, 2 and 4 MiB are 900, 600 and 100 blocks: 7.2, 9.6 and 6.4 us.
  Traffic traffic{.blocks = 900,
                  .block_bytes = 64,
                  .footprint_bytes = 1 << 23,
                  .classes = {{1 << 20, 300}, {1 << 21, 500}, {1 << 22, 100}}};
  const auto middle = bound(falling_bandwidth(), traffic, 1e7);
  ASSERT_TRUE(middle.value) << middle.reason;
  EXPECT_NEAR(middle.value->rate, 1000 / 9.6e-6, 1);
  EXPECT_NEAR(middle.value->fraction, 1e7 / (1000 / 9.6e-6), 1e-9);
  expect_text(middle.value->explanation);
  traffic.classes = {{1 << 20, 600}, {1 << 21, 200}, {1 << 22, 100}};  // 7.2, 4.8 and 6.4 us
  EXPECT_NEAR(bound(falling_bandwidth(), traffic).value->rate, 1000 / 7.2e-6, 1);
  traffic.classes = {{1 << 20, 100}, {1 << 21, 200}, {1 << 22, 600}};  // 7.2, 12.8 and 38.4 us
  EXPECT_NEAR(bound(falling_bandwidth(), traffic).value->rate, 1000 / 38.4e-6, 1);
}

TEST(Bound, OfOneClassIsThatOfBlocksSpreadEvenlyOverItsFootprint) {
  for (const std::size_t footprint : {1u << 20, 1u << 21, 3u << 20, 1u << 22, 1u << 23}) {
    const Traffic even{.blocks = 700, .block_bytes = 64, .footprint_bytes = footprint};
    Traffic one = even;
    one.classes = {{footprint, 700}};
    EXPECT_DOUBLE_EQ(bound(falling_bandwidth(), one).value->rate,
                     bound(falling_bandwidth(), even).value->rate);
  }
}

TEST(Bound, OfBlocksThatLieInMoreMemoryThanTheyTouchIsThatOfAllOfItButForWhatACacheMayHold) {
  // 8e9 B/s up to 64 MiB, 1e9 at 1 GiB, past the reach of translation.
  const std::vector records{bandwidth_record(1 << 16, 64, 8e9), bandwidth_record(1 << 26, 64, 8e9),
                            bandwidth_record(1 << 30, 64, 1e9)};
  const nlohmann::json device{{"l2_bytes", 1 << 22}};
  const auto rate = [&](std::size_t footprint, std::size_t spread) {
    const Traffic traffic{.blocks = 1000,
                          .block_bytes = 64,
                          .footprint_bytes = 1 << 30,
                          .classes = {{footprint, 1000, spread}}};
    const auto found = memory_bound_of(state(), {1000, "bases"}, traffic, 1, curves_of(records), kAllThreads,
                                       limits_of(device));
    return found.value ? found.value->rate : 0;
  };
  EXPECT_NEAR(rate(1 << 26, 0), 8e9 / 64, 1);
  // 4 of 64 MiB may be in the cache: 15 of 16 blocks come at 1e9 B/s.
  EXPECT_NEAR(rate(1 << 26, 1 << 30), 1e9 / 64 * 16 / 15, 1);
  EXPECT_NEAR(rate(1 << 22, 1 << 30), 8e9 / 64, 1);  // all may be in it
  // Caches may hold so much that the probe of the footprint says less.
  EXPECT_NEAR(rate((1 << 22) + (1 << 16), 1 << 30), 8e9 / 64, 1);
}

TEST(Bound, OfClassesLeavesOutThoseThatNoProbeSpeaksFor) {
  // Caches below 1 MiB may be faster than was probed, by how much is not known.
  Traffic traffic{.blocks = 1000,
                  .block_bytes = 64,
                  .footprint_bytes = 1 << 21,
                  .classes = {{1 << 16, 900}, {1 << 20, 100}}};
  EXPECT_NEAR(bound(falling_bandwidth(), traffic).value->rate, 1000 / (100 * 64 / 8e9), 1);
  traffic.classes = {{1 << 16, 1000}};
  expect_text(bound(falling_bandwidth(), traffic).reason);
  // Behind the last probe blocks still take as long as nearer ones.
  traffic.classes = {{1 << 20, 900}, {1 << 30, 100}};
  EXPECT_NEAR(bound(falling_bandwidth(), traffic).value->rate, 1000 / (1000 * 64 / 8e9), 1);
}

TEST(Bound, OfClassesTakesIndependentAccessesWhereDependentOnesWereNotProbed) {
  const Traffic traffic{.blocks = 1000,
                        .block_bytes = 64,
                        .footprint_bytes = 1 << 22,
                        .access = "dependent",
                        .classes = {{1 << 20, 100}, {1 << 21, 900}}};
  const auto loose = bound(falling_bandwidth(), traffic);
  EXPECT_NEAR(loose.value->rate, 1000 / (900 * 64 / 4e9), 1);
  expect_text(loose.value->explanation);
  expect_text(bound(falling_bandwidth("dependent"), traffic).value->explanation);
}

TEST(Bound, OfClassesIsNotLostToPointsAtOneFootprint) {
  const Traffic traffic{.blocks = 1000,
                        .block_bytes = 64,
                        .footprint_bytes = 1 << 22,
                        .classes = {{1 << 20, 600}, {1 << 22, 400}}};
  std::vector<results::Record> records = falling_bandwidth();
  const double alone = bound(records, traffic).value->rate;
  // Fewer in flight, at a footprint beyond both classes.
  for (const std::int64_t in_flight : {1, 2, 3})
    records.push_back(bandwidth_record(1 << 28, 64, 1e8, "cpu", "independent", in_flight));
  const auto with = bound(records, traffic);
  ASSERT_TRUE(with.value) << with.reason;
  EXPECT_EQ(with.value->rate, alone);
}

TEST(Bound, SaysWhyWhereNoProbeFits) {
  const std::vector records{bandwidth_record(1 << 20, 64, 1e9)};
  expect_text(bound(records, {.blocks = 1, .block_bytes = 64, .footprint_bytes = 1 << 20}, 1, state("cuda:0"))
                  .reason);
  expect_text(bound(records, {.blocks = 1, .block_bytes = 64, .footprint_bytes = 1 << 30}).reason);
  expect_text(bound({}, {.blocks = 0, .block_bytes = 64, .footprint_bytes = 1}).reason);
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

TEST(Curves, OfOneFootprintStandAsideFromLongerOnesOfTheirDevice) {
  std::vector records{bandwidth_record(1 << 20, 64, 2e9), bandwidth_record(1 << 22, 64, 2e9),
                      bandwidth_record(1 << 22, 64, 1e9, "cpu", "independent", 1),
                      bandwidth_record(1 << 22, 64, 1e9, "cuda:0", "independent", 1)};
  records.push_back(records[2]);
  records.back().state.family = "sequential";
  const auto curves = curves_of(records);
  ASSERT_EQ(curves.size(), 4u);
  for (const Curve& curve : curves)
    EXPECT_EQ(stands_aside(curve, curves), curve.probe == "random_access" && curve.device == "cpu" &&
                                               curve.fixed.integer("in_flight") == 1);
}

TEST(Curves, LeaveOutWhatFailed) {
  std::vector records{bandwidth_record(1 << 20, 64, 2e9)};
  records[0].status = results::Status::failed;
  EXPECT_TRUE(curves_of(records).empty());
}

}  // namespace
}  // namespace gpuseq::bench
