#include "bench/bound/instruction_bound.hpp"

#include <gmock/gmock.h>

#include "bench/bound/bound.hpp"
#include "tests/bench/records.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::bench {
namespace {

using testing::bandwidth_record;
using ::testing::HasSubstr;
using testing::ok_record;

constexpr int kAllThreads = 8;

results::Record probed(const std::string& operation, double rate, Point more = {},
                       const char* device = "cuda:0") {
  Point point{{"operation", operation}};
  for (const auto& [axis, value] : more.values()) point.set(axis, value);
  const double seconds = 1e9 / rate;
  return ok_record({"instruction_throughput", "probe", {}, point, device}, "probe", "probe",
                   {1e9, "operations"}, {seconds, seconds, seconds});
}

results::Record probed_on_cpu(const std::string& operation, double rate, const char* target,
                              std::int64_t threads) {
  return probed(operation, rate, {{"target", target}, {"threads", threads}}, "cpu");
}

Maybe<results::Bound> bound(const std::vector<results::Record>& records, Instructions instructions,
                            const char* device = "cuda:0", std::int64_t threads = 1, double rate = 1) {
  const results::StateKey state{"toy", "steady", {}, {{"threads", threads}}, device};
  return instruction_bound_of(state, {100, "cells"}, instructions, rate, throughputs_of(records),
                              kAllThreads);
}

TEST(InstructionBound, OperationsOfOnePipeAddUp) {
  const std::vector records{probed("prmt", 8e12), probed("viaddmin_s16x2", 8e12)};
  // 400 operations at 8e12 a second for 100 cells.
  const auto found = bound(records, {{{"prmt", 100}, {"viaddmin_s16x2", 300}}}, "cuda:0", 1, 1e12);
  ASSERT_TRUE(found.value) << found.reason;
  EXPECT_DOUBLE_EQ(found.value->rate, 100 / (400 / 8e12));
  EXPECT_DOUBLE_EQ(found.value->fraction, 0.5);
  EXPECT_EQ(found.value->bound_by, "ALU");
  expect_text(found.value->explanation);
}

TEST(InstructionBound, OperationsOfOtherPipesDoNotAddAndTheSlowestPipeBinds) {
  const std::vector records{probed("prmt", 8e12), probed("imad", 8e12), probed("shuffle", 4e12)};
  const auto alu = bound(records, {{{"prmt", 300}, {"imad", 200}, {"shuffle", 100}}});
  EXPECT_DOUBLE_EQ(alu.value->rate, 100 / (300 / 8e12));
  const auto shared = bound(records, {{{"prmt", 300}, {"imad", 200}, {"shuffle", 200}}});
  EXPECT_DOUBLE_EQ(shared.value->rate, 100 / (200 / 4e12));
  EXPECT_EQ(shared.value->bound_by, "shared memory");
  EXPECT_THAT(shared.value->explanation, ::testing::Not(HasSubstr("prmt")));
}

TEST(InstructionBound, AllPipesShareTheIssueSlotsIfAProbeFilledThem) {
  std::vector records{probed("prmt", 8e12), probed("imad", 8e12), probed("shuffle", 4e12)};
  const Instructions even{{{"prmt", 260}, {"imad", 250}, {"shuffle", 100}}};
  EXPECT_EQ(bound(records, even).value->bound_by, "ALU");
  // Fills the slots on other architectures, not on sm_90.
  records.push_back(probed("fma_f16x2", 8e12));
  EXPECT_EQ(bound(records, even).value->bound_by, "ALU");
  records.push_back(probed("add_s32", 16e12));
  const auto found = bound(records, even);
  EXPECT_DOUBLE_EQ(found.value->rate, 100 / (610 / 16e12));
  EXPECT_EQ(found.value->bound_by, "issue");
  expect_text(found.value->explanation);
}

TEST(InstructionBound, AFasterOperationOfAPipeHasUnitsBesideThoseOfTheSlowOne) {
  const std::vector records{probed("prmt", 8e12), probed("min_f16x2", 16e12)};
  // One of each: the fast one may run next to the slow one.
  EXPECT_DOUBLE_EQ(bound(records, {{{"prmt", 100}, {"min_f16x2", 100}}}).value->rate, 100 / (100 / 8e12));
  EXPECT_DOUBLE_EQ(bound(records, {{{"prmt", 100}, {"min_f16x2", 300}}}).value->rate, 100 / (400 / 16e12));
}

TEST(InstructionBound, APairThatRunsFasterThanAnyOfItsOperationsSharesNoPipe) {
  const std::vector records{probed("imad", 8e12), probed("add_s16x2", 8e12), probed("add_s16x2+imad", 15e12)};
  EXPECT_DOUBLE_EQ(bound(records, {{{"imad", 100}, {"add_s16x2", 100}}}).value->rate, 100 / (200 / 15e12));
  EXPECT_DOUBLE_EQ(bound(records, {{{"imad", 200}}}).value->rate, 100 / (200 / 8e12));
}

TEST(InstructionBound, TakesTheBestOfProbesThatDifferInOtherAxes) {
  const std::vector records{probed("prmt", 8e12, {{"blocks_per_sm", 8}}),
                            probed("prmt", 2e12, {{"blocks_per_sm", 1}})};
  EXPECT_DOUBLE_EQ(bound(records, {{{"prmt", 100}}}).value->rate, 8e12);
}

TEST(InstructionBound, OnTheCpuMatchesTargetAndThreads) {
  const std::vector records{probed_on_cpu("add_s16", 1e10, "avx2", 1),
                            probed_on_cpu("add_s16", 6e10, "avx2", 0),
                            probed_on_cpu("add_s16", 3e10, "avx512", 1)};
  const Instructions avx2{{{"add_s16", 100}}, "avx2"};
  EXPECT_DOUBLE_EQ(bound(records, avx2, "cpu", 1).value->rate, 1e10);
  EXPECT_DOUBLE_EQ(bound(records, avx2, "cpu", 0).value->rate, 6e10);
  EXPECT_DOUBLE_EQ(bound(records, avx2, "cpu", kAllThreads).value->rate, 6e10);
  EXPECT_DOUBLE_EQ(bound(records, {{{"add_s16", 100}}, "avx512"}, "cpu", 1).value->rate, 3e10);
  expect_text(bound(records, avx2, "cpu", 1).value->explanation);
  expect_text(bound(records, avx2, "cpu", 3).reason);
  expect_text(bound(records, {{{"add_s16", 100}}, "sse4"}, "cpu", 1).reason);
}

TEST(InstructionBound, OfAllThreadsNeedsTheirProbeOfEachOperation) {
  // A budget cut the second operation's probe of all threads.
  const std::vector records{probed_on_cpu("add_s16", 6e10, "avx2", 0),
                            probed_on_cpu("add_s16", 1e10, "avx2", 1),
                            probed_on_cpu("max_s16", 1e10, "avx2", 1)};
  const Instructions both{{{"add_s16", 100}, {"max_s16", 100}}, "avx2"};
  EXPECT_TRUE(bound(records, both, "cpu", 1).value);
  const auto of_all = bound(records, both, "cpu", 0);
  EXPECT_FALSE(of_all.value);
  EXPECT_THAT(of_all.reason, ::testing::HasSubstr("max_s16"));
}

TEST(InstructionBound, OfDevicesThatShareTheWorkIsTheSumOfTheirRates) {
  std::vector records{probed("prmt", 8e12), probed_on_cpu("add_s16", 6e10, "avx2", 0)};
  // Alone: 2e12 cells/s on the GPU, 3e10 on all processors;
  // together they take 1/(2e12 + 3e10) of each.
  Instructions shared{.operations = {},
                      .by_device = {{"cpu", {{"add_s16", 200}}, "avx2"}, {"cuda:0", {{"prmt", 400}}}}};
  const auto found = bound(records, shared, "cpu", 3, 1.015e12);
  ASSERT_TRUE(found.value) << found.reason;
  EXPECT_DOUBLE_EQ(found.value->rate, 2.03e12);
  EXPECT_DOUBLE_EQ(found.value->fraction, 0.5);
  EXPECT_EQ(found.value->bound_by, "ALU");
  expect_text(found.value->explanation);
  shared.by_device.push_back({"cuda:1", {{"prmt", 400}}});
  expect_text(bound(records, shared, "cpu").reason);
}

TEST(InstructionBound, SaysWhyThereIsNone) {
  expect_text(bound({}, {{{"prmt", 1}}}).reason);
  const std::vector records{probed("prmt", 8e12)};
  expect_text(bound(records, {{{"prmt", 1}, {"imad", 1}}}).reason);
  expect_text(bound(records, {{{"prmt", 1}, {"divide", 1}}}).reason);
  expect_text(bound(records, {{{"prmt", 0}, {"imad", 0}}}).reason);
  expect_text(bound(records, {{}}).reason);
}

TEST(InstructionBound, IsMadeOfTheFastestSamples) {
  const auto disturbed = ok_record({"instruction_throughput", "probe", {}, {{"operation", "prmt"}}, "cuda:0"},
                                   "probe", "probe", {8e9, "operations"}, {2e-3, 1e-3, 2e-3});
  EXPECT_DOUBLE_EQ(bound({disturbed}, {{{"prmt", 100}}}).value->rate, 8e12);
}

TEST(InstructionBound, ProbesThatFailedDoNotCount) {
  std::vector records{probed("prmt", 8e12)};
  records[0].status = results::Status::failed;
  EXPECT_TRUE(throughputs_of(records).empty());
}

/// A record of 1000 bases that touches blocks (1e9 bases/s at most) and executes prmt (`prmt_limit` at most).
results::Record both(double prmt_limit) {
  results::Record record =
      ok_record({"toy", "steady", {}, {}, "cuda:0"}, "kernel", "sweep", {1000, "bases"}, {1e-5});
  record.traffic = Traffic{.blocks = 1000, .block_bytes = 64, .footprint_bytes = 1 << 20};
  record.instructions = Instructions{{{"prmt", 1000 * 8e12 / prmt_limit}}};
  return record;
}

TEST(BoundOfBoth, IsTheLowerOneOrTheOneThatThereIs) {
  const std::vector memory{bandwidth_record(1 << 20, 64, 64e9, "cuda:0")};
  const std::vector all{memory[0], probed("prmt", 8e12)};
  EXPECT_EQ(bound_of(both(2e9), probe_results(all), 1).value->bound_by, "memory");
  const auto lower = bound_of(both(5e8), probe_results(all), 1);
  EXPECT_EQ(lower.value->bound_by, "ALU");
  EXPECT_NEAR(lower.value->rate, 5e8, 1);
  EXPECT_EQ(bound_of(both(5e8), probe_results(memory), 1).value->bound_by, "memory");
  EXPECT_EQ(bound_of(both(2e9), probe_results(std::span(all).subspan(1)), 1).value->bound_by, "ALU");
}

TEST(BoundOfBoth, NamesBothReasonsOrThatNothingIsCounted) {
  expect_text(bound_of(both(1), {}, 1).reason);
  results::Record neither = both(1);
  neither.traffic.reset();
  EXPECT_THAT(bound_of(neither, {}, 1).reason, ::testing::Not(HasSubstr("random_access")));
  neither.instructions.reset();
  expect_text(bound_of(neither, {}, 1).reason);
}

/// A record of a GPU with 100 multiprocessors that takes so long with so many blocks.
results::Record launched(double seconds, long long blocks) {
  results::Record record =
      ok_record({"toy", "steady", {}, {}, "cuda:0"}, "kernel", "sweep", {1000, "bases"}, {seconds});
  record.resources.emplace().blocks = blocks;
  record.provenance = {{"device", {{"multiprocessors", 100}, {"l2_bytes", 1 << 20}}}};
  return record;
}

results::Record empty_launch(double seconds) {
  return ok_record({"launch", "cuda", {}, {{"blocks", std::int64_t{1}}}, "cuda:0"}, "probe", "probe",
                   {1, "launches"}, {seconds, 2 * seconds, 2 * seconds});
}

TEST(LaunchBound, BindsAStateWhoseOwnWorkTakesLessThanAnEmptyLaunch) {
  const std::vector records{probed("prmt", 8e12), empty_launch(5e-6)};
  results::Record record = launched(1e-5, 1000);
  record.instructions = Instructions{{{"prmt", 8e6}}};  // 1 us
  const auto found = bound_of(record, probe_results(records), 1);
  EXPECT_EQ(found.value->bound_by, "launch");
  EXPECT_NEAR(found.value->fraction, 0.5, 1e-9);
  expect_text(found.value->explanation);
  record.instructions->operations["prmt"] = 6.4e7;  // 8 us
  EXPECT_EQ(bound_of(record, probe_results(records), 1).value->bound_by, "ALU");
}

TEST(LaunchBound, IsNotWhatBindsALongStateWhoseCountedWorkIsLittle) {
  const std::vector records{probed("prmt", 8e12), empty_launch(5e-6)};
  results::Record record = launched(8e-4, 1000);
  record.instructions = Instructions{{{"prmt", 8e6}}};  // 1 us
  EXPECT_EQ(bound_of(record, probe_results(records), 1).value->bound_by, "ALU");
}

TEST(LaunchBound, SaysNothingOfALongStateThatCountsNothing) {
  const std::vector records{empty_launch(5e-6)};
  EXPECT_EQ(bound_of(launched(1e-5, 1000), probe_results(records), 1).value->bound_by, "launch");
  expect_text(bound_of(launched(1e-3, 1000), probe_results(records), 1).reason);
}

TEST(LaunchBound, OfFewerBlocksThanMultiprocessorsIsThatOfThoseThatHaveOne) {
  const std::vector records{probed("prmt", 8e12)};
  results::Record record = launched(1e-5, 20);
  record.instructions = Instructions{{{"prmt", 8e6}}};  // 1 us on all, 5 us on a fifth
  const auto found = bound_of(record, probe_results(records), 1);
  EXPECT_EQ(found.value->bound_by, "launch");
  EXPECT_NEAR(found.value->fraction, 0.5, 1e-9);
  expect_text(found.value->explanation);
  record.resources->blocks = 100;
  EXPECT_EQ(bound_of(record, probe_results(records), 1).value->bound_by, "ALU");
}

}  // namespace
}  // namespace gpuseq::bench
