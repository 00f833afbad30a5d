#include "results/statistics/occupancy.hpp"

#include <gtest/gtest.h>

#include "tests/results/measured_record.hpp"

namespace gpuseq::results {
namespace {

/// A device with 10 multiprocessors, 64 blocks of 64 B per warp and load.
Record on_gpu(std::int64_t footprint, double warps, double loads, double rate) {
  Record record =
      example::record("random_access", "cuda", {},
                      {{"footprint_bytes", footprint}, {"block_bytes", 64}, {"access", "independent"}},
                      "cuda:0", 1e9, "bytes", rate);
  record.facts = {{"multiprocessors", 10},
                  {"warps_per_sm", warps},
                  {"loads_per_lane", loads},
                  {"accesses_in_flight", 10 * warps * 8 * loads}};
  return record;
}

std::vector<Occupancy> of(const std::vector<Record>& records) {
  std::vector<const Record*> all;
  for (const Record& record : records) all.push_back(&record);
  return occupancies(all);
}

TEST(Occupancy, HasTheTimeOfAnAccessByLittlesLaw) {
  const auto found =
      of({on_gpu(1 << 30, 8, 1, 5.12e10), on_gpu(1 << 30, 16, 1, 1e11), on_gpu(1 << 30, 32, 4, 2e11)});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].of_warps);
  ASSERT_EQ(found[0].points.size(), 3u);
  const InFlight& least = found[0].points[0];
  EXPECT_EQ(least.accesses, 640);
  EXPECT_EQ(least.per_core, 64);
  EXPECT_DOUBLE_EQ(least.latency_s(64), 640 * 64 / 5.12e10);  // 800 ns
}

TEST(Occupancy, NeedsTheFewestAccessesThatReachAShareOfTheBest) {
  const auto found =
      of({on_gpu(1 << 30, 8, 1, 5e10), on_gpu(1 << 30, 16, 4, 1.9e11), on_gpu(1 << 30, 64, 1, 1.92e11),
          on_gpu(1 << 30, 64, 4, 2e11), on_gpu(1 << 30, 32, 2, 1.91e11)});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(best_rate(found[0]), 2e11);
  const InFlight& enough = fewest_that_reach(found[0], 0.9);
  EXPECT_EQ(enough.accesses, 10 * 64 * 8);  // three ways have as many in flight
  EXPECT_EQ(enough.rate, 1.92e11);          // of which this is the fastest
  EXPECT_EQ(fewest_that_reach(found[0], 0.99).rate, 2e11);
}

TEST(Occupancy, IsOfTheFootprintWithMostPointsAndTheirFastestPasses) {
  std::vector<Record> records{on_gpu(1 << 20, 8, 1, 9e12), on_gpu(1 << 20, 16, 1, 9e12),
                              on_gpu(1 << 20, 32, 1, 9e12)};
  EXPECT_EQ(of(records)[0].footprint_bytes, 1 << 20);
  for (const double warps : {8.0, 16.0, 32.0}) records.push_back(on_gpu(1 << 30, warps, 1, 1e10 * warps));
  records.push_back(on_gpu(1 << 30, 8, 1, 1e11));  // a second pass
  const auto found = of(records);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].footprint_bytes, 1 << 30);  // as many points; the larger one is memory's
  ASSERT_EQ(found[0].points.size(), 3u);
  EXPECT_EQ(found[0].points[0].rate, 1e11);
  EXPECT_EQ(found[0].points[0].record, 6u);
}

TEST(Occupancy, GuessesNothingOfRecordsThatDoNotSayWhatIsInFlight) {
  std::vector<Record> records{on_gpu(1 << 30, 8, 1, 1e10), on_gpu(1 << 30, 16, 1, 2e10),
                              on_gpu(1 << 30, 32, 1, 3e10)};
  records[1].facts = {{"groups", 5}};
  EXPECT_TRUE(of(records).empty());  // two are too few
  for (const nlohmann::json& wrong : {nlohmann::json("x"), nlohmann::json(0), nlohmann::json(nullptr)}) {
    records[1].facts = {
        {"multiprocessors", 10}, {"warps_per_sm", 1}, {"loads_per_lane", 1}, {"accesses_in_flight", wrong}};
    EXPECT_TRUE(of(records).empty()) << wrong;
  }
  records[1] = on_gpu(1 << 30, 16, 1, 2e10);
  records[1].status = Status::failed;
  EXPECT_TRUE(of(records).empty());
}

TEST(Occupancy, OfAProcessorIsByThreadsAndTheirAccesses) {
  std::vector<Record> records;
  for (const int threads : {1, 4})
    for (const int each : {8, 32}) {
      records.push_back(on_gpu(1 << 28, 1, 1, 1e9 * threads * each));
      records.back().state.device = "cpu";
      records.back().facts = {{"threads", threads}, {"accesses_in_flight", threads * each}};
    }
  const auto found = of(records);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FALSE(found[0].of_warps);
  EXPECT_EQ(found[0].points.size(), 4u);  // 32 accesses in one thread or in four
  EXPECT_EQ(found[0].points.back().workers, 4);
  EXPECT_EQ(found[0].points.back().per_worker, 32);
  EXPECT_EQ(found[0].points.back().per_core, 32);
}

}  // namespace
}  // namespace gpuseq::results
