#include <map>
#include <set>

#include "tests/bench/environment.hpp"
#include "tests/bench/toy_program.hpp"
#include "tests/golden_text.hpp"

// Runs of which a search chooses the points.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
namespace fs = std::filesystem;

std::string config(const std::string& tune,
                   const std::string& variants = R"({"steady": {"speed": "all", "d": "all"}})") {
  return std::string("{\"name\": \"toys\", \"devices\": \"cpu\", ") + kSampling + R"(, "tune": )" + tune +
         R"(, "families": {"toy": {"problems": [{"size": [1, 2]}], "variants": )" + variants + "}}}";
}

class SearchRun : public ::testing::Test {
 protected:
  Result run_here(const std::string& text, std::vector<std::string> more = {}) {
    more.insert(more.begin(),
                {"--config", scratch_.write("toys.json", text), "--output", dir_, "--no-report"});
    return result_of(scratch_, "run", more);
  }

  Scratch scratch_;
  const fs::path dir_ = scratch_ / "run";
};

std::size_t swept(const fs::path& dir) {
  const auto all = records(dir);
  return static_cast<std::size_t>(std::ranges::count(all, "sweep", &results::Record::phase));
}

TEST_F(SearchRun, MeasuresItsEvaluationsOfEachProblemAndNamesAWinner) {
  const Result result =
      run_here(config(R"({"remeasure": 1, "rounds": 1, "strategy": "random", "evaluations": 2})"));
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(swept(dir_), 4u);
  EXPECT_EQ(run_json(dir_)["tuned"].size(), 2u);
}

TEST_F(SearchRun, GoesOnWithAWrongAnswerAndACrash) {
  const Result result = run_here(config(R"({"remeasure": 0, "strategy": "guided", "evaluations": 6})",
                                        R"({"steady": {"speed": [1, 2]}, "wrong": {}, "crash": {}})"));
  EXPECT_EQ(result.code, 1) << result.err;
  EXPECT_EQ(swept(dir_), 8u);  // two problems, each of 4 points
  std::set<std::string> kinds;
  for (const results::Record& record : records(dir_))
    if (record.failure) kinds.insert(record.failure->kind);
  EXPECT_EQ(kinds, (std::set<std::string>{"crash", "wrong_result"}));
}

TEST_F(SearchRun, EveryFaultCostsOneFailedRecordAndTheBestOfTheOthersWins) {
  // A kernel that does not compile throws when it is prepared, as "broken" does.
  const Result result =
      run_here(config(R"({"remeasure": 2, "strategy": "random", "evaluations": 8}, "timeout_s": 3)",
                      R"({"steady": {"speed": [1, 2, 4]}, "wrong": {}, "crash": {}, "hang": {}, "broken": {},
                          "too_big": {}})"));
  EXPECT_EQ(result.code, 1) << result.err;
  std::map<std::string, std::multiset<std::string>> kinds;  // by variant
  for (const results::Record& record : records(dir_))
    if (record.failure) kinds[record.state.variant].insert(record.failure->kind);
  const auto twice = [](const char* kind) { return std::multiset<std::string>{kind, kind}; };  // two problems
  EXPECT_EQ(kinds, (std::map<std::string, std::multiset<std::string>>{{"wrong", twice("wrong_result")},
                                                                      {"crash", twice("crash")},
                                                                      {"hang", twice("timeout")},
                                                                      {"broken", twice("error")},
                                                                      {"too_big", twice("does_not_fit")}}));
  const nlohmann::json tuned = run_json(dir_)["tuned"];
  ASSERT_EQ(tuned.size(), 2u);
  for (const nlohmann::json& winner : tuned) {
    EXPECT_EQ(winner["variant"], "steady");
    EXPECT_EQ(winner["point"]["speed"], 4);
  }
}

TEST_F(SearchRun, OfASpaceOfWhichEveryPointCrashesMeasuresThemAll) {
  const Result result = run_here(config(R"({"strategy": "random", "evaluations": 5})",
                                        R"({"crash": {"speed": "all", "d": "all"}, "steady": {}})"));
  EXPECT_EQ(result.code, 1) << result.err;
  EXPECT_EQ(swept(dir_), 10u);
}

TEST_F(SearchRun, OfARunThatGoesOnMeasuresNothingTwice) {
  const std::string text = config(R"({"remeasure": 0, "strategy": "guided", "evaluations": 3})");
  ASSERT_EQ(run_here(text).code, 0);
  std::vector<std::string> whole;
  for (const results::Record& record : records(dir_)) whole.push_back(record.state.to_string());
  // As if it was killed after its third record.
  keep_records(dir_ / "records.jsonl", 3);
  ASSERT_EQ(run(scratch_, {"--resume", dir_, "--no-report"}), 0);
  std::vector<std::string> resumed;
  for (const results::Record& record : records(dir_)) resumed.push_back(record.state.to_string());
  EXPECT_EQ(resumed, whole);
}

TEST_F(SearchRun, IsRefusedForAShard) {
  const Result result = run_here(config(R"({"strategy": "guided", "evaluations": 3})"), {"--shard", "1/2"});
  EXPECT_EQ(result.code, 2);
  expect_text(result.err);
}

TEST_F(SearchRun, OfAnUnknownStrategyIsAnErrorWithItsPlace) {
  const Result result = run_here(config(R"({"strategy": "lucky"})"));
  EXPECT_EQ(result.code, 2);
  expect_text(result.err);
}

TEST_F(SearchRun, ByTheCommandTuneTakesTheWholeSpaceOfTheConfigsProblems) {
  const fs::path file = scratch_.write("toys.json", config("{}", R"({"steady": {}})"));
  const Result result = result_of(scratch_, "tune",
                                  {"toy", "--config", file, "--variants", "steady,touchy", "--device", "cpu",
                                   "--evaluations", "4", "--output", dir_, "--no-report"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(swept(dir_), 8u);  // of 5 valid points of each variant, for two problems
  std::set<std::string> variants, points;
  for (const results::Record& record : records(dir_)) {
    if (record.kind != "kernel") continue;
    variants.insert(record.state.variant);
    points.insert(record.state.point.to_string());
  }
  EXPECT_EQ(variants.size(), 2u);
  EXPECT_GT(points.size(), 2u);
  EXPECT_EQ(run_json(dir_)["name"], "tune-toy");
}

TEST_F(SearchRun, ByTheCommandTuneOfAnUnknownFamilyIsAnErrorThatNamesThoseThereAre) {
  const Result result = result_of(scratch_, "tune", {"toi"});
  EXPECT_EQ(result.code, 2);
  expect_text(result.err);
}

}  // namespace
}  // namespace gpuseq::bench
