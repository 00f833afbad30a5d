#include "bench/phases/predict/carry_over.hpp"

#include <gmock/gmock.h>

#include "bench/phases/predict/predictions.hpp"
#include "tests/bench/records.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::bench {
namespace {

using testing::bandwidth_record;
using testing::ok_record;
using testing::with_device;

constexpr std::int64_t kFootprint = 1 << 20;

results::Record operations_record(const char* operation, double per_s) {
  const double seconds = 1e9 / per_s;
  return ok_record({"instruction_throughput", "probe", {}, {{"operation", std::string(operation)}}, "cuda:0"},
                   "probe", "probe", {1e9, "operations"}, {seconds, seconds, seconds});
}

nlohmann::json gpu(const char* name, int multiprocessors) {
  return {{"name", name},
          {"multiprocessors", multiprocessors},
          {"max_sm_clock_mhz", 1000.0},
          {"memory_bytes", 1e9}};
}

/// A GPU of so much random bandwidth and so many additions a second.
ProbedMachine machine(const nlohmann::json& device, double bytes_per_s, double operations_per_s) {
  const std::vector records{with_device(bandwidth_record(kFootprint, 64, bytes_per_s, "cuda:0"), device),
                            with_device(operations_record("lop3", operations_per_s), device)};
  return probed_machine(records);
}

/// 1000 bases of 1000 blocks of 64 B, in so many microseconds.
results::Record kernel(double microseconds, const nlohmann::json& device) {
  const double seconds = 1e-6 * microseconds;
  results::Record record = ok_record({"toy", "steady", {{"size", 1}}, {{"k", 1}}, "cuda:0"}, "kernel",
                                     "sweep", {1000, "bases"}, {seconds, seconds, seconds});
  record.traffic = Traffic{.blocks = 1000, .block_bytes = 64, .footprint_bytes = kFootprint};
  return with_device(std::move(record), device);
}

class CarryOverTest : public ::testing::Test {
 protected:
  const nlohmann::json small_ = gpu("small", 10), large_ = gpu("large", 40);
  const ProbedMachine here_ = machine(small_, 6.4e9, 1e12);  // so that 1000 blocks take 10 us at least
  Maybe<Prediction> predict(const results::Record& record, const ProbedMachine& there) const {
    return CarryOver(here_, "cuda:0", there, there.devices.at(0)).of(record);
  }
};

TEST_F(CarryOverTest, MovesWhatReachesItsBoundAsTheBoundsDo) {
  const Maybe<Prediction> found = predict(kernel(10, small_), machine(large_, 4 * 6.4e9, 1e12));
  ASSERT_TRUE(found.value) << found.reason;
  EXPECT_NEAR(found.value->rate, 1000 / 2.5e-6, 1);
  EXPECT_NEAR(found.value->rate_here, 1000 / 10e-6, 1);
  EXPECT_NEAR(found.value->bound_share, 1, 1e-9);
  EXPECT_NEAR(found.value->bound->fraction, 1, 1e-9);
  EXPECT_EQ(found.value->state.device, "cuda:0");
}

TEST_F(CarryOverTest, MovesTheRestAsInstructionsDo) {
  // 10 of 30 us are the memory's; there it is as fast and instructions are twice as fast: 10 + 20 / 2.
  const Maybe<Prediction> found = predict(kernel(30, small_), machine(large_, 6.4e9, 2e12));
  ASSERT_TRUE(found.value) << found.reason;
  EXPECT_NEAR(found.value->rate, 1000 / 20e-6, 1);
  EXPECT_NEAR(found.value->bound_share, 0.5, 1e-9);
}

TEST_F(CarryOverTest, TakesMultiprocessorsAndClocksWhereNoInstructionWasProbedOfBoth) {
  const std::vector records{with_device(bandwidth_record(kFootprint, 64, 6.4e9, "cuda:0"), large_)};
  // Four times the multiprocessors: 10 + 20 / 4.
  EXPECT_NEAR(predict(kernel(30, small_), probed_machine(records)).value->rate, 1000 / 15e-6, 1);
}

TEST_F(CarryOverTest, CountsAStateThatViolatesItsBoundAsBoundByIt) {
  const Maybe<Prediction> found = predict(kernel(5, small_), machine(large_, 2 * 6.4e9, 1e12));
  EXPECT_NEAR(found.value->rate, 1000 / 2.5e-6, 1);
}

TEST_F(CarryOverTest, LetsAGridThatFillsAGpuHereFillOneThere) {
  results::Record record = kernel(10, small_);
  record.traffic.reset();
  record.instructions = Instructions{.operations = {{"lop3", 1e7}}};  // 10 us at 1e12 a second
  record.resources.emplace();
  record.resources->blocks = 20;
  const Maybe<Prediction> found = predict(record, machine(large_, 6.4e9, 4e12));
  ASSERT_TRUE(found.value) << found.reason;
  EXPECT_NEAR(found.value->rate, 1000 / 2.5e-6, 1);  // 80 blocks on 40 multiprocessors
}

TEST_F(CarryOverTest, MovesAllAsInstructionsDoWhereThereIsNoBound) {
  const std::vector records{with_device(operations_record("lop3", 3e12), large_)};
  const Maybe<Prediction> found = predict(kernel(30, small_), probed_machine(records));
  ASSERT_TRUE(found.value) << found.reason;
  EXPECT_NEAR(found.value->rate, 1000 / 10e-6, 1);
  EXPECT_FALSE(found.value->bound);
}

TEST_F(CarryOverTest, HasAnIntervalFromTheBoundToTheInstructions) {
  const Maybe<Prediction> found = predict(kernel(30, small_), machine(large_, 6.4e9, 2e12));
  EXPECT_NEAR(found.value->rate_low, 1000 / 30e-6, 1);   // all of it as the memory, which is as fast
  EXPECT_NEAR(found.value->rate_high, 1000 / 15e-6, 1);  // all of it as instructions
  EXPECT_GT(found.value->rate, found.value->rate_low);
  EXPECT_LT(found.value->rate, found.value->rate_high);
}

TEST_F(CarryOverTest, LeavesOutInstructionsThatAProcessorLacks) {
  nlohmann::json other = large_;
  other["instruction_sets"] = {"sse4_1", "avx2"};
  for (const auto& [target, is_there] :
       {std::pair("avx512", false), std::pair("avx2", true), std::pair("best", true)}) {
    results::Record record = kernel(10, small_);
    record.state.point.set("target", std::string(target));
    const Maybe<Prediction> found = predict(record, machine(other, 6.4e9, 1e12));
    EXPECT_EQ(found.value.has_value(), is_there) << target;
    if (!is_there) expect_text(found.reason);
  }
}

TEST_F(CarryOverTest, LeavesOutWhatTheLimitDoesNotAllow) {
  std::vector<results::Record> records;
  for (const std::int64_t k : {1, 2, 3}) {
    results::Record record = kernel(10, small_);
    record.state.point.set("k", k);
    if (k < 3) record.memory.value = HeldMemory{{{"index", static_cast<std::uint64_t>(100 * k)}}};
    records.push_back(std::move(record));
  }
  const auto found =
      predictions(records, {"toy"}, here_, machine(large_, 6.4e9, 1e12), MemoryLimits{.bytes = 150});
  ASSERT_EQ(found.size(), 1u);
  ASSERT_EQ(found[0].ranking.size(), 1u);
  EXPECT_EQ(found[0].ranking[0].state.point.integer("k"), 1);
  EXPECT_EQ(found[0].left_out_count, 2u);
  EXPECT_THAT(found[0].left_out, ::testing::SizeIs(1));
}

TEST_F(CarryOverTest, SaysWhatDoesNotFit) {
  results::Record record = kernel(10, small_);
  HeldMemory held;
  held.add("index", 2'000'000'000);
  record.memory.value = held;
  expect_text(predict(record, machine(large_, 6.4e9, 1e12)).reason);
}

}  // namespace
}  // namespace gpuseq::bench
