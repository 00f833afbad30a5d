#include <fmt/format.h>

#include <set>

#include "tests/bench/environment.hpp"
#include "tests/bench/lines.hpp"
#include "tests/bench/toy_program.hpp"
#include "tests/bench/vast_toys.hpp"
#include "tests/golden_text.hpp"

// The command tune on a family with 10^12 combinations of values, and with a variant that needs a GPU.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class VastSearchRun : public ::testing::Test {
 protected:
  fs::path config(const std::string& variants = R"({"narrow": {}})", const std::string& tune = "{}") const {
    return scratch_.write("vast.json", std::string("{\"name\": \"vast\", \"devices\": \"cpu\", ") +
                                           kSampling + R"(, "tune": )" + tune +
                                           R"(, "families": {"vast": {"problems": [{}], "variants": )" +
                                           variants + "}}}");
  }
  Result tune(std::vector<std::string> more) const {
    more.insert(more.begin(),
                {"vast", "--config", config(), "--output", dir_, "--no-report", "--set", "tune.remeasure=0"});
    return result_of(scratch_, "tune", more);
  }
  std::vector<std::string> swept() const {
    std::vector<std::string> keys;
    for (const results::Record& record : records(dir_))
      if (record.phase == "sweep") keys.push_back(record.state.to_string());
    return keys;
  }

  Scratch scratch_;
  const fs::path dir_ = scratch_ / "run";
};

TEST_F(VastSearchRun, MeasuresItsEvaluationsOnAMachineWithoutGpu) {
  const Result result = tune({"--device", "cpu", "--evaluations", "12"});
  ASSERT_EQ(result.code, 0) << result.err;
  expect_text(lines_with(result.err, "vast/gpu_wide"));
  const std::vector<std::string> keys = swept();
  EXPECT_EQ(keys.size(), 12u);
  EXPECT_EQ(std::set<std::string>(keys.begin(), keys.end()).size(), 12u);
  EXPECT_EQ(run_json(dir_)["tuned"].size(), 1u);
}

TEST_F(VastSearchRun, WithVariantsOfItMeasuresThese) {
  for (const char* variants : {"wide", "narrow", "wide,narrow"}) {
    fs::remove_all(dir_);
    ASSERT_EQ(tune({"--variants", variants, "--evaluations", "3"}).code, 0) << variants;
    EXPECT_EQ(swept().size(), 3u) << variants;
  }
}

TEST_F(VastSearchRun, OfOneEvaluationMeasuresOnePoint) {
  ASSERT_EQ(tune({"--evaluations", "1"}).code, 0);
  EXPECT_EQ(swept().size(), 1u);
}

TEST_F(VastSearchRun, OfADeviceThatIsAbsentSaysSo) {
  const Result result = tune({"--device", "cuda:77"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("cuda:77"));  // and the devices of this machine
  EXPECT_FALSE(fs::exists(dir_));
}

TEST_F(VastSearchRun, ThatGoesOnMeasuresNothingTwiceAndWhatItWouldHave) {
  const std::vector<std::string> options{"--evaluations", "9", "--strategy", "random", "--variants", "wide"};
  ASSERT_EQ(tune(options).code, 0);
  const std::vector<std::string> whole = swept();
  keep_records(dir_ / "records.jsonl", 4);
  ASSERT_EQ(run(scratch_, {"--resume", dir_, "--no-report"}), 0);
  EXPECT_EQ(swept(), whole);
}

TEST_F(VastSearchRun, ItsBestRaceThoughTheSampleLacksThem) {
  const Result result = result_of(
      scratch_, "tune",
      {"vast", "--config", config(), "--output", dir_, "--no-report", "--set", "tune.remeasure=2", "--set",
       "tune.rounds=1", "--variants", "wide", "--strategy", "greedy", "--evaluations", "25"});
  ASSERT_EQ(result.code, 0) << result.err;
  std::set<std::string> raced;
  for (const results::Record& record : records(dir_))
    if (record.phase == "tune") raced.insert(record.state.to_string());
  EXPECT_GE(raced.size(), 2u);
  const std::vector<std::string> all = swept();
  for (const std::string& key : raced) EXPECT_NE(std::ranges::find(all, key), all.end());
}

const std::string kWhole = whole_vast_space(), kEvaluations = R"({"strategy": "guided", "evaluations": 7})";

TEST_F(VastSearchRun, ItsPlanSaysHowManyCombinationsThereAre) {
  const Result result = result_of(
      scratch_, "plan", {"--config", config("{\"wide\": " + kWhole + ", \"narrow\": {}}", kEvaluations)});
  ASSERT_EQ(result.code, 0) << result.err;
  expect_text(at_any_load(result.out));
}

TEST_F(VastSearchRun, AFilterThatNamesAStateLetsItThroughThoughTheSampleLacksIt) {
  std::string point;
  for (int i = 0; i < 12; ++i)
    point += (i == 0 ? "" : ",") + ("a" + std::to_string(i)) + "=" + (i < 2 ? "7" : "2");
  const fs::path file = config("{\"wide\": " + kWhole + "}", kEvaluations);
  const std::string problem = ToyFamily().problem_space().complete({}).to_string();
  const Result result =
      result_of(scratch_, "run",
                {"--config", file, "--benchmark_list_tests",
                 "--benchmark_filter=^vast/wide/" + problem + "/" + point + "/cpu/iterations"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("vast/wide/" + problem + "/" + point + "/cpu\n"));
  EXPECT_EQ(std::ranges::count(result.out, '\n'), 1) << result.out;
}

TEST_F(VastSearchRun, AFilterOfAPageLetsItsStateThroughThoughTheSampleLacksIt) {
  std::string point, filter = "^vast/wide/(|[^/]*,)size=1(|,[^/]*)/(|[^/]*,)";
  for (int i = 0; i < 12; ++i) {
    const std::string axis = fmt::format("a{}={}", i, i < 2 ? 7 : 2);
    point += (i == 0 ? "" : ",") + axis;
    filter += (i == 0 ? "" : "(,|,[^/]*,)") + axis;
  }
  const fs::path file = config("{\"wide\": " + kWhole + "}", kEvaluations);
  const Result result =
      result_of(scratch_, "run",
                {"--config", file, "--benchmark_list_tests", "--benchmark_filter=" + filter + "(|,[^/]*)/"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, "vast/wide/size=1/" + point + "/cpu\n");
}

TEST_F(VastSearchRun, ASpaceThatIsMeasuredWholeHasALimit) {
  const Result result =
      result_of(scratch_, "run", {"--config", config("{\"wide\": " + kWhole + "}"), "--output", dir_});
  EXPECT_EQ(result.code, 2);
  expect_text(result.err);
  EXPECT_FALSE(fs::exists(dir_));
}

TEST_F(VastSearchRun, NeedsNoDataThatItsProblemsDoNotName) {
  const fs::path file = scratch_.write(
      "data.json", std::string("{\"name\": \"d\", ") + kSampling +
                       R"(, "data": {"gone": {"path": "/gone.fa", "package": "of-gone"}}, "families": {
             "toy": {"problems": [{}], "variants": {"steady": {}}}, "vast": {"problems": [{}], "variants": {"narrow": {}}}}})");
  const Result result =
      result_of(scratch_, "tune",
                {"vast", "--config", file, "--variants", "narrow", "--device", "cpu", "--evaluations", "2",
                 "--output", dir_, "--no-report", "--set", "tune.remeasure=0"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result_of(scratch_, "run", {"--config", file, "--device", "cpu", "--no-report"}).code, 2);
}

}  // namespace
}  // namespace gpuseq::bench

int main(int argc, char** argv) {
  if (std::getenv("GPUSEQ_TEST_PROGRAM") != nullptr)
    return gpuseq::bench::run_program(argc, argv, gpuseq::bench::testing::vast_registry());
  ::testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
