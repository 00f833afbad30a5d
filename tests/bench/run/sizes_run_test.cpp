#include "bench/plan/sizes/sizes_json.hpp"
#include "tests/bench/environment.hpp"
#include "tests/bench/growing_toys.hpp"
#include "tests/bench/lines.hpp"
#include "tests/bench/toy_program.hpp"
#include "tests/golden_text.hpp"

// Runs of problems whose size the run finds, and runs with a budget.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

std::string config(const std::string& more = "") {
  return R"({"name": "growing", "devices": "cpu",
    "sampling": {"min_samples": 3, "max_samples": 3, "max_seconds": 0.02, "probe_passes": 1},
    "tune": {"remeasure": 1, "rounds": 1},
    "families": {"growing": {"problems": [{"toys": "auto"}],
                 "variants": {"steady": {"speed": [1, 2]}, "slow": {}}}})" +
         more + "}";
}

class SizesRun : public ::testing::Test {
 protected:
  Result run_here(std::vector<std::string> more = {}, const std::string& in_config = "") {
    more.insert(more.begin(), {"--config", scratch_.write("growing.json", config(in_config)), "--output",
                               dir_, "--no-report"});
    return result_of(scratch_, "run", more);
  }
  std::vector<results::Record> of_phase(const std::string& phase) const {
    std::vector<results::Record> found;
    for (results::Record& record : records(dir_))
      if (record.phase == phase) found.push_back(std::move(record));
    return found;
  }

  Scratch scratch_;
  const fs::path dir_ = scratch_ / "run";
};

TEST_F(SizesRun, FindASizeAndMeasureEveryPointAtIt) {
  const Result result = run_here();
  ASSERT_EQ(result.code, 0) << result.err;
  const auto on_the_way = of_phase("size"), sweep = of_phase("sweep");
  ASSERT_GE(on_the_way.size(), 3u);
  EXPECT_EQ(on_the_way.front().size->value, 1000);
  ASSERT_EQ(sweep.size(), 3u);
  for (const results::Record& record : sweep) {
    EXPECT_EQ(record.size->value, on_the_way.back().size->value);
    EXPECT_EQ(record.size->axis, "toys");
    ASSERT_TRUE(record.fills_device);
    EXPECT_FALSE(record.fills_device->reason.empty());  // its value depends on other programs here
    EXPECT_GT(record.took_s, 0);
  }
  const nlohmann::json summary = run_json(dir_);
  ASSERT_EQ(summary["sizes"].size(), 1u);
  EXPECT_EQ(summary["sizes"][0]["devices"][0]["size"], sweep.front().size->value);
  EXPECT_GE(summary["sizes"][0]["devices"][0]["curve"].size(), 2u);
  ASSERT_EQ(summary["tuned"].size(), 1u) << "sizes on the way are no contests";
  EXPECT_EQ(summary["tuned"][0]["fills_device"], summary["sizes"][0]["devices"][0]["fills_device"]);
  EXPECT_THAT(result.out, HasSubstr("n_1/2 of"));
}

TEST_F(SizesRun, GoOnWhereTheyWereWithoutMeasuringTwice) {
  ASSERT_EQ(run_here().code, 0);
  const auto whole = records(dir_);
  // The journal as it was in the middle of the way.
  keep_records(dir_ / "records.jsonl", 3);
  ASSERT_EQ(run(scratch_, {"--resume", dir_, "--no-report"}), 0);
  EXPECT_EQ(of_phase("sweep").size(), 3u);
  EXPECT_EQ(of_phase("size").front().date, whole.front().date);
}

TEST_F(SizesRun, AreListedWithoutTheSize) {
  const Result result = run_here({"--benchmark_list_tests"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("growing/steady/toys=auto,colour=0/speed=1/cpu"));
}

TEST_F(SizesRun, AreRefusedWithShards) {
  const Result result = run_here({"--shard", "1/2"});
  EXPECT_EQ(result.code, 2);
  expect_text(result.err);
}

TEST_F(SizesRun, AreRefusedByAGate) {
  const Result result = result_of(scratch_, "gate",
                                  {"--base-cmd", "true", "--new-cmd", "true", "--config",
                                   scratch_.write("growing.json", config()), "--output", dir_});
  EXPECT_EQ(result.code, 2);
  expect_text(result.err);
}

TEST_F(SizesRun, ArePlannedAndValidated) {
  const std::string file = scratch_.write("growing.json", config());
  const Result plan = result_of(scratch_, "plan", {"--config", file});
  EXPECT_EQ(plan.code, 0) << plan.err;
  expect_text(at_any_load(plan.out));
  const Result validated = result_of(scratch_, "validate", {"--config", file});
  EXPECT_EQ(validated.code, 0) << validated.err;
  expect_text(validated.out);
}

TEST_F(SizesRun, ABudgetThatIsTooShortForAnyCaseCutsAllAndSaysSo) {
  const Result result = run_here({"--budget", "0.001"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(records(dir_).empty());
  const nlohmann::json budget = run_json(dir_)["budget"];
  EXPECT_EQ(budget["seconds"], 0.001);
  ASSERT_EQ(budget["cut"].size(), 2u);
  EXPECT_EQ(budget["cut"][0]["states"], 2) << "the first size";
  EXPECT_EQ(budget["cut"][1]["states"], 3);
  expect_text(lines_with(result.out, "budget of"));
}

TEST_F(SizesRun, ABudgetMayHaveAUnit) {
  const Result wrong = run_here({"--budget", "2 fortnights"});
  EXPECT_EQ(wrong.code, 2);
  expect_text(wrong.err);
  EXPECT_EQ(run_here({"--budget", "0"}).code, 2);
}

TEST_F(SizesRun, ARunWithinItsBudgetCutsNothing) {
  ASSERT_EQ(run_here({"--budget", "1min"}).code, 0);
  EXPECT_EQ(run_json(dir_)["budget"]["seconds"], 60);
  EXPECT_TRUE(run_json(dir_)["budget"]["cut"].empty());
  EXPECT_EQ(of_phase("sweep").size(), 3u);
}

TEST_F(SizesRun, AResumedRunHasTheBudgetThatItsRecordsLeft) {
  ASSERT_EQ(run_here({"--budget", "0.001"}).code, 0);
  const std::size_t before = records(dir_).size();
  ASSERT_EQ(run(scratch_, {"--resume", dir_, "--no-report"}), 0);
  EXPECT_EQ(records(dir_).size(), before);
  EXPECT_FALSE(run_json(dir_)["budget"]["cut"].empty());
}

TEST_F(SizesRun, ABudgetIsAnswerableForProbesToo) {
  const Result result =
      run_here({"--budget", "0.001"},
               R"(, "probes": {"random_access": {"footprint_bytes": [524288, 1048576, 2097152]}})");
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_LT(of_phase("probe").size(), 3u);
  EXPECT_THAT(result.out, HasSubstr("probes of cpu"));
}

}  // namespace
}  // namespace gpuseq::bench

int main(int argc, char** argv) {
  if (std::getenv("GPUSEQ_TEST_PROGRAM") != nullptr)
    return gpuseq::bench::run_program(argc, argv, gpuseq::bench::testing::growing_registry());
  ::testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
