#include <set>

#include "bench/config/schema_check.hpp"
#include "bench/phases/winners/tuned_file.hpp"
#include "tests/bench/lines.hpp"
#include "tests/bench/toy_program.hpp"
#include "tests/golden_text.hpp"

// Findings of a run are written down, kept, and taken by later runs and by exec on the same machine.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

class WinnersRun : public ::testing::Test {
 protected:
  /// A config of one problem of the toy.
  fs::path config(const std::string& variants, const std::string& problems = "[{}]") {
    return scratch_.write("toys.json",
                          std::string("{\"name\": \"toys\", \"devices\": \"cpu\", ") + kSampling +
                              R"(, "tune": {"remeasure": 0}, "families": {"toy": {"problems": )" + problems +
                              R"(, "variants": )" + variants + "}}}");
  }
  Result tune(std::vector<std::string> more = {}) {
    more.insert(more.begin(),
                {"toy", "--config", config(R"({"steady": {}})"), "--variants", "steady", "--device", "cpu",
                 "--strategy", "exhaustive", "--output", dir("tuned"), "--no-report"});
    return result_of(scratch_, "tune", more);
  }
  Result run_config(const std::string& name, const fs::path& file, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"--config", file, "--output", dir(name), "--no-report"});
    return result_of(scratch_, "run", more);
  }
  fs::path dir(const std::string& name) const { return scratch_ / name; }
  std::set<std::string> points(const std::string& name) const {
    std::set<std::string> found;
    for (const results::Record& record : records(dir(name))) found.insert(record.state.point.to_string());
    return found;
  }
  /// The file of this machine's winners.
  fs::path kept() const {
    for (const auto& entry : fs::recursive_directory_iterator(scratch_ / "cache"))
      if (entry.path().filename() == "toy.json") return entry.path();
    return {};
  }

  Scratch scratch_;
  using Points = std::set<std::string>;
};

TEST_F(WinnersRun, TuneWritesThemAsTheSchemaHasItAndSaysWhy) {
  const Result result = tune();
  ASSERT_EQ(result.code, 0) << result.err;
  const nlohmann::json tuned = read_json(dir("tuned") / "tuned.json");
  check_schema(tuned, tuned_schema(), "tuned.json");
  ASSERT_EQ(tuned["winners"].size(), 1u);
  const nlohmann::json& winner = tuned["winners"][0];
  EXPECT_EQ(winner["variant"], "steady");
  EXPECT_EQ(winner["point"]["speed"], 4);
  EXPECT_EQ(winner["bytes"], 4'000'000'000);
  EXPECT_TRUE(winner["tied_with"].empty());
  EXPECT_GE(winner["race"]["rounds"], 3);
  EXPECT_TRUE(tuned["machines"].contains(winner["machine"].get<std::string>()));
  EXPECT_THAT(
      winner["why"].get<std::string>(),
      AllOf(HasSubstr("by throughput the best is steady (speed=4,d=64)"), HasSubstr("distinguished it")));
  EXPECT_THAT(result.out, HasSubstr(winner["why"].get<std::string>()));
}

TEST_F(WinnersRun, AreTakenByARunWhoseConfigSaysNoAxis) {
  ASSERT_EQ(tune().code, 0);
  const Result result = run_config("after", config(R"({"steady": {}, "touchy": {}})"));
  ASSERT_EQ(result.code, 0) << result.err;
  expect_text(lines_with(result.err, "toy/steady"));
  for (const results::Record& record : records(dir("after"))) {
    if (record.kind != "kernel") continue;
    EXPECT_EQ(record.state.point.integer("speed"), record.state.variant == "steady" ? 4 : 1);
  }
}

TEST_F(WinnersRun, OfAnotherMachineAreIgnoredAndNamed) {
  ASSERT_EQ(tune().code, 0);
  nlohmann::json document = read_json(kept());
  document["machines"] = {{"0000000000000000", document["machines"].front()}};
  std::ofstream(kept(), std::ios::trunc) << document;
  const Result planned = result_of(scratch_, "plan", {"--config", config(R"({"steady": {}})")});
  EXPECT_EQ(planned.code, 0);
  EXPECT_THAT(planned.err,
              AllOf(HasSubstr("0000000000000000"), Not(HasSubstr("the winner on this machine"))));
  ASSERT_EQ(run_config("after", config(R"({"steady": {}})")).code, 0);
  EXPECT_EQ(points("after"), (Points{"speed=1,d=64"}));
}

TEST_F(WinnersRun, AreNotTakenWhereTheConfigOrTheCommandSaysOtherwise) {
  ASSERT_EQ(tune().code, 0);
  ASSERT_EQ(run_config("listed", config(R"({"steady": {"d": 64}})")).code, 0);
  EXPECT_EQ(points("listed"), (Points{"speed=1,d=64"}));
  const Result result = run_config("default", config(R"({"steady": {}})"), {"--default-points"});
  EXPECT_EQ(points("default"), (Points{"speed=1,d=64"}));
  EXPECT_THAT(result.err, Not(HasSubstr("winner of this machine")));
}

TEST_F(WinnersRun, UnderALimitAreKeptWithItAndTakenByRunsThatHaveIt) {
  ASSERT_EQ(tune({"--max-bytes", "2.5G"}).code, 0);
  const auto winners = winners_from(content(kept()), "kept");
  ASSERT_EQ(winners.size(), 1u);
  EXPECT_EQ(winners.front().json.at("max_bytes"), 2'500'000'000);
  const fs::path file = config(R"({"steady": {}})");
  ASSERT_EQ(run_config("without", file).code, 0);
  EXPECT_EQ(points("without"), (Points{"speed=1,d=64"}));
  ASSERT_EQ(run_config("within", file, {"--max-bytes", "2.5G"}).code, 0);
  EXPECT_THAT(points("within"), ::testing::ElementsAre(HasSubstr("speed=2")));
  fs::remove_all(dir("tuned"));
  ASSERT_EQ(tune().code, 0);
  EXPECT_EQ(winners_from(content(kept()), "kept").size(), 2u);
}

TEST_F(WinnersRun, AreTakenByNeitherSideOfAGate) {
  setenv("GPUSEQ_PYTHON", "", 1);  // the package of the checkout
  ASSERT_EQ(tune().code, 0);
  const std::string program =
      "env GPUSEQ_TEST_PROGRAM=1 '" + fs::read_symlink("/proc/self/exe").string() + "'";
  const Result result =
      result_of(scratch_, "gate",
                {"--base-cmd", program, "--new-cmd", program, "--config", config(R"({"steady": {}})"),
                 "--rounds", "1", "--budget", "0.001", "--output", dir("gate")});
  for (const char* side : {"base", "new"})
    EXPECT_EQ(points((fs::path("gate") / side / "001").string()), (Points{"speed=1,d=64"})) << result.err;
}

TEST_F(WinnersRun, OfASearchHaveBeatenTheDefaultPoint) {
  for (const char* seed : {"seed=1", "seed=2", "seed=3"}) {
    const std::string name = std::string("search-") + seed;
    ASSERT_EQ(run(scratch_, {"tune", "toy", "--config", config(R"({"steady": {}})"), "--variants", "steady",
                             "--device", "cpu", "--strategy", "random", "--evaluations", "4", "--set", seed,
                             "--output", dir(name), "--no-report"}),
              0);
    EXPECT_EQ(records(dir(name)).front().state.point.to_string(), "speed=1,d=64");
  }
  EXPECT_FALSE(kept().empty());
}

TEST_F(WinnersRun, AreOfProblemsOfTheirClassOnly) {
  ASSERT_EQ(tune().code, 0);  // size 1
  ASSERT_EQ(run_config("both", config(R"({"steady": {}})", R"([{"size": [1, 2]}])")).code, 0);
  EXPECT_EQ(points("both"), (Points{"speed=4,d=64"}));  // 2 is within a factor of four
  ASSERT_EQ(run(scratch_,
                {"tune", "toy", "--config", config("{\"steady\": {}}"), "--variants", "steady", "--device",
                 "cpu", "--set", "sampling.cache=cold", "--output", dir("cold"), "--no-report"}),
            0);
  EXPECT_EQ(winners_from(content(kept()), "kept").size(), 1u);  // of cold caches nothing is kept
}

TEST_F(WinnersRun, ARunThatTookThemIsResumedWithItsConfig) {
  ASSERT_EQ(tune().code, 0);
  const fs::path file = config(R"({"steady": {}})");
  ASSERT_EQ(run_config("after", file).code, 0);
  fs::remove_all(scratch_ / "cache" / "gpuseq-bench" / "winners");
  fs::resize_file(dir("after") / "records.jsonl", 0);
  const Result result =
      result_of(scratch_, "run", {"--resume", dir("after"), "--config", file, "--no-report"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(points("after"), (Points{"speed=4,d=64"}));
}

TEST_F(WinnersRun, AreTakenByExecUnlessAPointIsNamed) {
  ASSERT_EQ(tune().code, 0);
  const auto exec = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"toy", "--device", "cpu", "--out", scratch_ / "answers"});
    const Result result = result_of(scratch_, "exec", more);
    EXPECT_EQ(result.code, 0) << result.err;
    return content(scratch_ / "answers") + result.err;
  };
  EXPECT_THAT(exec({}), AllOf(HasSubstr("steady speed=4,d=64 on cpu\n"),
                              HasSubstr("on cpu, winner of this machine, tuned 20")));
  EXPECT_THAT(exec({"--variant", "no_number"}), HasSubstr("no_number speed=1,d=64"));
  for (const std::vector<std::string>& own :
       {std::vector<std::string>{"--point", "speed=2"}, std::vector<std::string>{"--default-points"}})
    EXPECT_THAT(exec(own), AllOf(Not(HasSubstr("speed=4")), Not(HasSubstr("winner of this machine"))));
}

TEST_F(WinnersRun, ThatAreDamagedOrNoMoreAreIgnoredWithAWord) {
  ASSERT_EQ(tune().code, 0);
  const fs::path file = config(R"({"steady": {}})");
  std::string text = content(kept());
  for (std::size_t at = text.find("\"speed\": 4"); at != text.npos; at = text.find("\"speed\": 4"))
    text.replace(at, 10, "\"speed\": 5");
  std::ofstream(kept(), std::ios::trunc) << text;
  Result result = run_config("no-point", file);
  EXPECT_EQ(result.code, 0) << result.err;
  expect_text(lines_with(result.err, "is ignored"));
  EXPECT_EQ(points("no-point"), (Points{"speed=1,d=64"}));
  std::ofstream(kept(), std::ios::trunc) << text.substr(0, text.size() / 2);
  result = run_config("damaged", file);
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("thrown away"));
  EXPECT_EQ(points("damaged"), (Points{"speed=1,d=64"}));
}

TEST_F(WinnersRun, OfTwoObjectivesAreWithTheSetThatNobodyBeats) {
  const Result result = tune({"--objective", "throughput:memory"});
  ASSERT_EQ(result.code, 0) << result.err;
  const nlohmann::json tuned = read_json(dir("tuned") / "tuned.json");
  check_schema(tuned, tuned_schema(), "tuned.json");
  EXPECT_EQ(tuned["winners"].size(), 2u);
  ASSERT_EQ(tuned["pareto"].size(), 1u);
  std::vector<int> speeds;  // the faster, the larger: none is beaten but those of the same memory
  for (const nlohmann::json& one : tuned["pareto"][0]["members"]) speeds.push_back(one["point"]["speed"]);
  EXPECT_EQ(speeds, (std::vector<int>{4, 2, 1}));
  EXPECT_THAT(result.out, ::testing::AllOf(HasSubstr("Best in both (Pareto set)"),
                                           HasSubstr("4 GB: steady (speed=4,d=64)")));
}

TEST_F(WinnersRun, OfAnUnknownObjectiveIsAnErrorThatNamesThoseThereAre) {
  const Result result = tune({"--objective", "throughput:beauty"});
  EXPECT_EQ(result.code, 2);
  expect_text(result.err);
}

}  // namespace
}  // namespace gpuseq::bench
