#include "tests/bench/lines.hpp"
#include "tests/bench/toy_program.hpp"
#include "tests/golden_text.hpp"

// Runs whose budget ends while something takes long. No test asserts how long: without it none would end.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
namespace fs = std::filesystem;
using results::Record;
using results::Status;

class BudgetRun : public ::testing::Test {
 protected:
  fs::path config(const std::string& variants) const {
    return scratch_.write("toys.json",
                          std::string("{\"name\": \"toys\", \"devices\": \"cpu\", ") + kSampling +
                              R"(, "tune": {"remeasure": 0}, "families": {"toy": {"problems": [{}],
                              "variants": )" +
                              variants + "}}}");
  }
  Result run_here(const std::string& variants, std::vector<std::string> more) const {
    more.insert(more.begin(), {"--config", config(variants), "--output", dir_, "--no-report"});
    return result_of(scratch_, "run", more);
  }

  Scratch scratch_;
  const fs::path dir_ = scratch_ / "run";
};

TEST_F(BudgetRun, StopsTheRunningCaseAndRecordsItAsCut) {
  const Result result = run_here(R"({"hang": {}})", {"--budget", "2"});
  EXPECT_EQ(result.code, 0) << result.err;
  const std::vector<Record> all = records(dir_);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all.front().status, Status::skipped);
  EXPECT_EQ(all.front().failure->kind, "timeout");
  expect_text(all.front().failure->reason);
  EXPECT_EQ(run_json(dir_)["complete"], true);
}

TEST_F(BudgetRun, ACaseThatHangsLeavesTimeForOtherVariants) {
  const Result result = run_here(R"({"hang": {}, "steady": {"speed": "all"}})", {"--budget", "6"});
  EXPECT_EQ(result.code, 0) << result.err;
  ASSERT_EQ(run_json(dir_)["tuned"].size(), 1u);
  EXPECT_EQ(run_json(dir_)["tuned"][0]["variant"], "steady");
}

TEST_F(BudgetRun, AResumedRunMeasuresNoCutCaseAgain) {
  ASSERT_EQ(run_here(R"({"hang": {"speed": [1, 2, 4]}})", {"--budget", "2"}).code, 0);
  const std::size_t before = records(dir_).size();
  ASSERT_EQ(run(scratch_, {"--resume", dir_, "--no-report"}), 0);
  EXPECT_EQ(records(dir_).size(), before);
}

TEST_F(BudgetRun, AResumedRunTakesAnotherBudgetAndMeasuresTheRest) {
  const std::string variants = R"({"steady": {"speed": [1, 2, 4]}})";
  ASSERT_EQ(run_here(variants, {"--budget", "0.001"}).code, 0);
  const std::size_t before = records(dir_).size();
  ASSERT_EQ(run(scratch_, {"--resume", dir_, "--no-report", "--budget", "60"}), 0);
  EXPECT_EQ(records(dir_).size(), before + 3);
  EXPECT_EQ(run_json(dir_)["config"]["budget_s"], 60);
  EXPECT_TRUE(run_json(dir_)["budget"]["cut"].empty());
}

TEST_F(BudgetRun, GivesUpAPageThatTakesTooLong) {
  const fs::path python = scratch_.write("python", "#!/bin/sh\nsleep 1000\n");
  fs::permissions(python, fs::perms::owner_all);
  Program program(scratch_,
                  {"run", "--config", config(R"({"steady": {}})"), "--output", dir_, "--budget", "4"},
                  [&] { setenv("GPUSEQ_PYTHON", python.c_str(), 1); });
  EXPECT_EQ(program.wait(), 0) << program.err();
  expect_text(replaced(lines_with(program.out(), "page"), dir_.string(), "<folder>"));
}

TEST_F(BudgetRun, ATuneEndsWithItToo) {
  const Result result = result_of(scratch_, "tune",
                                  {"toy", "--config", config(R"({"steady": {}})"), "--variants",
                                   "hang,steady", "--output", dir_, "--no-report", "--budget", "2"});
  EXPECT_EQ(result.code, 0) << result.err;
  for (const Record& record : records(dir_))
    if (record.state.variant == "hang") {
      EXPECT_EQ(record.status, Status::skipped);
    }
}

TEST_F(BudgetRun, ASearchOfOneProblemLeavesTimeForTheNext) {
  const Result result = result_of(
      scratch_, "tune",
      {"toy", "--config", config(R"({"steady": {}})"), "--variants", "hang,steady", "--output", dir_,
       "--no-report", "--budget", "8", "--set", R"(families.toy.problems=[{"size": 1}, {"size": 2}])"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(run_json(dir_)["tuned"].size(), 2u);
}

}  // namespace
}  // namespace gpuseq::bench
