#include "bench/predict/by_card.hpp"

#include <gmock/gmock.h>

#include "bench/base/registry.hpp"
#include "results/journal.hpp"
#include "results/statistics/statistics.hpp"
#include "tests/bench/records.hpp"
#include "tests/source_dir.hpp"

namespace gpuseq::bench {
namespace {

using testing::bandwidth_record;
using ::testing::HasSubstr;
using testing::ok_record;
using testing::with_device;

constexpr std::int64_t kFootprint = 1 << 20;

const nlohmann::json kGpu{{"name", "a GPU"}, {"multiprocessors", 10}};

/// 6.4e9 B/s of random blocks of 64 bytes, an access 500 ns, an empty launch 10 us.
ProbedMachine machine(const std::vector<results::Record>& more = {}) {
  results::Record latency = ok_record({"latency", "probe", {}, {{"footprint_bytes", kFootprint}}, "cuda:0"},
                                      "probe", "probe", {1e6, "accesses"}, {0.5, 0.5, 0.5});
  std::vector records{with_device(bandwidth_record(kFootprint, 64, 6.4e9, "cuda:0"), kGpu),
                      with_device(std::move(latency), kGpu),
                      with_device(ok_record({"launch", "probe", {}, {{"blocks", 1}}, "cuda:0"}, "probe",
                                            "probe", {1, "launches"}, {1e-5, 1e-5, 1e-5}),
                                  kGpu)};
  records.insert(records.end(), more.begin(), more.end());
  return probed_machine(records);
}

Maybe<Prediction> predicted(const CountedExpectation& expected, const char* device = "cuda:0") {
  return predicted_by_card({"toy", "told", {}, {}, device}, expected, machine());
}

/// 1e6 bases by 1e6 blocks of 64 bytes, which take 10 ms.
Expectation expectation() {
  return {.work = {1e6, "bases"},
          .traffic = Traffic{
              .blocks = 1e6, .block_bytes = 64, .footprint_bytes = kFootprint, .access = "dependent"}};
}

TEST(ByCard, AddsALaunchTheCeilingAndTheWaitingForEachOther) {
  Expectation expected = expectation();
  expected.threads_per_access = 2;
  const Maybe<Prediction> found = predicted({expected});
  ASSERT_TRUE(found.value) << found.reason;
  // 1e6 accesses of 500 ns, 10 multiprocessors of 1280 threads, two an access.
  const double waited_s = 1e6 * 500e-9 / (10 * kResidentThreads / 2);
  EXPECT_NEAR(found.value->rate, 1e6 / (1e-5 + 1e-2 + waited_s), 1);
  EXPECT_EQ(found.value->rate_unit, "bases/s");
  EXPECT_NEAR(found.value->ceiling->rate, 1e8, 1);
  EXPECT_EQ(found.value->rate_here, 0);
}

TEST(ByCard, WaitsLongerWithFewerThreadsOrFewerAccesses) {
  Expectation few = expectation(), single = expectation();
  few.threads_per_multiprocessor = 128;
  single.most_accesses = 1;
  EXPECT_NEAR(predicted({few}).value->rate, 1e6 / (1e-5 + 1e-2 + 1e6 * 500e-9 / 1280), 1);
  EXPECT_NEAR(predicted({single}).value->rate, 1e6 / (1e-5 + 1e-2 + 0.5), 1);
}

TEST(ByCard, PartsLeaveMultiprocessorsIdleInTheirLastRound) {
  Expectation uneven = expectation();
  uneven.traffic->access = "independent";
  const auto seconds = [&](double parts) {
    uneven.parts = parts;
    return 1e6 / predicted({uneven}).value->rate;
  };
  const double even = seconds(0);
  EXPECT_NEAR(seconds(10), even, 1e-9);                  // one each of ten multiprocessors
  EXPECT_NEAR(seconds(11) - even, 1e-2 * 9 / 11, 1e-6);  // two of one of them
  EXPECT_NEAR(seconds(4) - even, 1e-2 * 6 / 4, 1e-6);
  EXPECT_NEAR(seconds(1e6 + 1) - even, 0, 1e-6);
}

TEST(ByCard, NothingTakesLessThanAWarpNeedsForTheLongestPart) {
  Expectation one_long = expectation();
  one_long.traffic->access = "independent";
  one_long.longest_threads = 8;
  const auto seconds = [&](double share) {
    one_long.longest_share = share;
    return 1e6 / predicted({one_long}).value->rate;
  };
  const double even = seconds(0);
  // Ten multiprocessors issue from four warps at a time, and eight of a warp's 32 threads have the part.
  EXPECT_NEAR(seconds(0.1) - even, 1e-2 * (0.1 * 10 * 4 * 32 / 8 - 1), 1e-6);
  EXPECT_NEAR(seconds(1.0 / 160), even, 1e-9);  // as long as the rest
  one_long.longest_threads = 0;
  EXPECT_NEAR(seconds(0.1), even, 1e-9);  // not of a GPU's threads
}

/// Warps that have to issue 1e9 instructions, on 10 multiprocessors that issue 4 each of 1e9 cycles: 25 ms,
/// and the memory takes 10 for their blocks.
CountedExpectation with_warps() {
  CountedExpectation counted{.expected = expectation()};
  counted.expected.traffic->access = "independent";
  counted.warps = WarpWork{.warps = 4000, .instructions = 1e9, .resident_threads = 2048};
  return counted;
}

/// Of a machine whose memory also serves 1e8 sectors of 32 bytes a second. Without the launch.
double seconds_of(const CountedExpectation& counted) {
  ProbedMachine there = machine({with_device(bandwidth_record(kFootprint, 32, 3.2e9, "cuda:0"), kGpu)});
  there.probes.throughputs.push_back(
      {.device = "cuda:0", .operation = "add_s32", .target = {}, .rate = 10 * 4 * 32 * 1e9});
  return 1e6 / predicted_by_card({"toy", "told", {}, {}, "cuda:0"}, counted, there).value->rate - 1e-5;
}

TEST(ByCard, WarpsTakeWhatTheirInstructionsNeedToBeIssuedOrMemoryForBlocks) {
  // Sixteen warps hide each other's results and blocks.
  EXPECT_NEAR(seconds_of(with_warps()), 0.025, 0.01 * 0.025);
  CountedExpectation few = with_warps();
  few.warps->instructions = 1e8;
  EXPECT_NEAR(seconds_of(few), 0.01, 0.02 * 0.01);
  few.warps->instructions = 4e8;  // as long as blocks: both queues are full by turns
  EXPECT_GT(seconds_of(few), 0.0104);
  EXPECT_LT(seconds_of(few), 0.0115);
}

TEST(ByCard, WhatThreadsWriteGoesThroughTheMemoryToo) {
  CountedExpectation counted = with_warps();
  counted.warps->thread_writes = 5e6;  // 50 ms of sectors
  EXPECT_NEAR(seconds_of(counted), 0.06, 0.01 * 0.06);
}

TEST(ByCard, WarpsThatWaitLongShareTheTimeAmongThoseThatAreResident) {
  CountedExpectation counted = with_warps();
  counted.warps->instructions = 4000;
  counted.warps->waits = 4000 * 1e5;  // 50 ms each; 16 of 40 schedulers at a time
  counted.expected.traffic->blocks = 100;
  EXPECT_NEAR(seconds_of(counted), 4000. / 640 * 0.05, 0.001);
  counted.warps->resident_threads = 1024;
  EXPECT_NEAR(seconds_of(counted), 4000. / 320 * 0.05, 0.001);
  counted.warps->warps = 40;
  counted.warps->waits = 40 * 1e5;
  EXPECT_NEAR(seconds_of(counted), 0.05, 0.001);
  counted.warps->longest = 3;
  EXPECT_NEAR(seconds_of(counted), 0.15, 0.001);
}

TEST(ByCard, AThreadOfACpuWaitsForWhatItDoesNotAskForBeforehand) {
  results::Record latency =
      ok_record({"latency", "probe", {}, {{"footprint_bytes", kFootprint}, {"stride_bytes", 128}}, "cpu"},
                "probe", "probe", {1e6, "accesses"}, {0.1, 0.1, 0.1});
  const std::vector records{bandwidth_record(kFootprint, 64, 6.4e9, "cpu"), latency};
  ProbedMachine there = probed_machine(records);
  there.all_threads = 1;
  const auto seconds = [&](double under_way) {
    const CountedExpectation counted{.expected = expectation(), .under_way = under_way};
    const auto found = predicted_by_card({"toy", "told", {}, {}, "cpu"}, counted, there);
    EXPECT_TRUE(found.value) << found.reason;
    return found.value ? 1e6 / found.value->rate : 0;
  };
  EXPECT_NEAR(seconds(1) - seconds(0), 0.1, 1e-6);
  EXPECT_NEAR(seconds(4) - seconds(0), 0.025, 1e-6);
}

TEST(ByCard, SaysWhyNothingIsPredicted) {
  EXPECT_THAT(predicted({expectation()}, "cuda:1").reason, HasSubstr("was not probed"));
  Expectation far = expectation();
  far.traffic->footprint_bytes = std::size_t{1} << 40;
  EXPECT_THAT(predicted({far}).reason, HasSubstr("the probes reach"));
}

/// The contests of a GPU's committed run, predicted by the probes of another one of the same GPU.
std::vector<PredictedContest> judged(const std::string& gpu, const std::string& family_name,
                                     const std::string& run, const std::string& probes,
                                     const SuiteConfig& config = {}) {
  const std::filesystem::path results = source_dir() / "results";
  const Registry registry = make_registry();
  const Family& family = registry.family(family_name);
  const std::vector<results::Record> records =
      results::Journal::load(results / (gpu + "-" + run) / results::kRecordsFile);
  std::vector<State> kernels = kernels_of(records, family);
  std::erase_if(kernels, [](const State& one) { return one.key.device != "cuda:0"; });
  std::vector<PredictedContest> contests =
      predictions_by_card(kernels, config, read_probed_machine(results / (gpu + "-" + probes)));
  judge(contests, records);
  return contests;
}

class ByCardOfAGpu : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Gpus, ByCardOfAGpu, ::testing::Values("h100", "h200"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(ByCardOfAGpu, FindsTheBestSearchesBeforeAnythingRan) {
#ifndef GPUSEQ_HAVE_CUDA
  GTEST_SKIP() << "built without CUDA: its variants are not there";
#endif
  for (const char* run : {"fm-index", "fm-index-layouts"}) {
    std::vector<double> regrets, errors;
    for (const PredictedContest& contest : judged(GetParam(), "fm_index", run, "fm-index")) {
      ASSERT_TRUE(contest.accuracy) << contest.problem_label;
      EXPECT_LE(contest.accuracy->regret, 0.07) << contest.problem_label;
      EXPECT_GE(contest.accuracy->rank_correlation, 0.4) << contest.problem_label;
      regrets.push_back(contest.accuracy->regret);
      errors.push_back(contest.accuracy->median_error);
    }
    ASSERT_FALSE(regrets.empty());
    EXPECT_LE(results::median(regrets), 0.05);
    EXPECT_LE(results::median(errors), 0.25);
  }
}

/// On the genome that they were measured on.
TEST_P(ByCardOfAGpu, FindsGoodMatchersBeforeAnythingRan) {
#ifndef GPUSEQ_HAVE_CUDA
  GTEST_SKIP() << "built without CUDA: its variants are not there";
#endif
  const std::filesystem::path genome = "/usr/share/doc/bowtie/examples/genomes/NC_008253.fna.gz";
  if (!std::filesystem::exists(genome)) GTEST_SKIP() << "package bowtie-examples is not installed";
  SuiteConfig config;
  config.data["ecoli"].path = genome;
  std::vector<double> regrets;
  for (const PredictedContest& contest :
       judged(GetParam(), "exact_match", "exact-match", "exact-match", config)) {
    ASSERT_TRUE(contest.accuracy) << contest.problem_label;
    EXPECT_LE(contest.accuracy->regret, 0.28) << contest.problem_label;
    // Of whole reads many points are as fast as each other.
    EXPECT_GE(contest.accuracy->rank_correlation, 0.57) << contest.problem_label;
    EXPECT_LE(contest.accuracy->median_error, 0.36) << contest.problem_label;
    EXPECT_EQ(contest.left_out_count, 2u);  // whose queries are sorted
    regrets.push_back(contest.accuracy->regret);
  }
  ASSERT_EQ(regrets.size(), 2u);
  EXPECT_LE(results::median(regrets), 0.15);
}

/// Medians over the contests of a run, each predicted by the same run's probes.
struct Medians {
  double regret = 0, rank_correlation = 0;
};
Medians medians_of(const std::string& gpu, const std::string& family, const std::string& run) {
  std::vector<double> regrets, correlations;
  for (const PredictedContest& contest : judged(gpu, family, run, run))
    if (contest.accuracy) {
      regrets.push_back(contest.accuracy->regret);
      correlations.push_back(contest.accuracy->rank_correlation);
    }
  if (regrets.empty()) throw std::runtime_error(run + ": no contest was predicted");
  return {results::median(regrets), results::median(correlations)};
}

/// Kernels that instructions bind, by how many each executes: what keeps a kernel from its ceiling is not
/// in that, so that of variants the best is found, and of the shapes of its tiles hardly.
TEST_P(ByCardOfAGpu, OrdersKernelsThatInstructionsBind) {
#ifndef GPUSEQ_HAVE_CUDA
  GTEST_SKIP() << "built without CUDA: its variants are not there";
#endif
  const Medians papara = medians_of(GetParam(), "papara", "papara");
  EXPECT_LE(papara.regret, 0.02);
  EXPECT_GE(papara.rank_correlation, 0.85);
  const Medians distance = medians_of(GetParam(), "pairwise_distance", "pairwise-distance");
  EXPECT_LE(distance.regret, 0.25);
  EXPECT_GE(distance.rank_correlation, 0.9);
}

}  // namespace
}  // namespace gpuseq::bench
