#include "bench/config/schema_check.hpp"
#include "results/record_schema.hpp"
#include "runtime/system/child_process.hpp"
#include "tests/bench/environment.hpp"
#include "tests/bench/lines.hpp"
#include "tests/bench/toy_program.hpp"
#include "tests/golden_text.hpp"

// Other programs as contestants in whole runs. The programs are small scripts.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using nlohmann::json;
using ::testing::HasSubstr;

/// A problem with words in a file; how often each occurs is the answer.
class WordsProblem : public Problem {
 public:
  std::string hash() const override { return "00000000000000aa"; }
  json describe() const override { return {{"words", 3}}; }
  std::map<std::string, std::filesystem::path> write_files(
      const std::filesystem::path& folder) const override {
    std::ofstream(folder / "words.txt") << "ant\nbee\nant\n";
    return {{"words", folder / "words.txt"}};
  }
  Verification check(const Answers& answers) const override {
    const bool right = answers == Answers{{"ant", 2}, {"bee", 1}};
    return {right, answers.size(), right ? "" : "the words are other ones"};
  }
};

class WordsFamily : public ToyFamily {
 public:
  std::string_view name() const override { return "words"; }
  Compare comparison() const override {
    return [](const Problem& problem, const Answers& answers) -> Maybe<Agreement> {
      Agreement told{.compared = 2, .equal = 2};
      if (!problem.check(answers).passed)
        told = {.compared = 2, .equal = 1, .first_difference = "bee: expected 1, found 0"};
      return {told, {}};
    };
  }
  std::unique_ptr<Problem> load(const ProblemSpec&) const override {
    return std::make_unique<WordsProblem>();
  }
};

Registry words_registry() {
  Registry registry = toy_registry();
  registry.families.push_back(std::make_shared<WordsFamily>());
  return registry;
}

class ToolProgram : public ::testing::Test {
 protected:
  void add(const std::string& name, const std::string& script, json more = json::object()) {
    const auto path = scratch_.write(name + ".sh", "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    tools_["tools"][name] = {{"family", "words"},
                             {"summary", "a script"},
                             {"command", {"./" + name + ".sh", "{words}", "{out}"}},
                             {"work", {{"product", {"lines(words)"}}, {"unit", "toys"}}},
                             {"answers", {{"from", "out"}, {"format", "count_lines"}, {"key_column", 1}}}};
    tools_["tools"][name].update(more);
  }
  /// Adds one that solves a problem of its own, which is the config's data.
  void add_copier() {
    tools_["families"]["texts"] = {{"summary", "texts"}, {"problem", {{"text", {{"data", "a text"}}}}}};
    add("copier", "cp $1 $2",
        {{"family", "texts"},
         {"command", {"./copier.sh", "{text}", "{out}"}},
         {"work", {{"product", {"lines(text)"}}, {"unit", "lines"}}}});
    families_ = R"(, "texts": {"problems": [{"text": "text"}], "variants": {"copier": {}}})";
  }
  /// Runs every tool that was added, next to "steady". @returns the exit code
  int run_all(const std::string& timeout = "60", const std::vector<std::string>& more = {}) {
    scratch_.write("peers.json", tools_.dump());
    scratch_.write("text.txt", "a\nb\n");
    json variants = {{"steady", json::object()}};
    for (const auto& [name, tool] : tools_["tools"].items())
      if (tool["family"] == "words") variants[name] = json::object();
    scratch_.write("config.json",
                   std::string("{\"name\": \"p\", \"devices\": \"cpu\", \"tools\": \"peers.json\",") +
                       kSampling + ", \"timeout_s\": " + timeout + R"(, "data": {"text": )" + text_ +
                       R"(}, "families": {"words": {"problems": [{}], "variants": )" + variants.dump() + "}" +
                       families_ + "}}");
    std::vector<std::string> arguments{"--config", scratch_ / "config.json", "--output", scratch_ / "run"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const int code = run(scratch_, arguments);
    if (std::filesystem::exists(scratch_ / "run" / "records.jsonl")) records_ = records(scratch_ / "run");
    return code;
  }
  const results::Record& record(const std::string& variant) const {
    for (const results::Record& record : records_)
      if (record.state.variant == variant) return record;
    throw std::runtime_error("no record of " + variant + ": " + content(scratch_ / "err.txt"));
  }
  std::string reason(const std::string& variant) const {
    const auto& failure = record(variant).failure;
    return failure ? failure->kind + ": " + failure->reason : "ok";
  }

  Scratch scratch_;
  json tools_ = {{"tools", json::object()}};
  std::string text_ = R"({"path": "text.txt"})", families_;
  std::vector<results::Record> records_;
};

TEST_F(ToolProgram, AnIndexThatABudgetStopsComesLastAndLeavesNothingInTheCache) {
  add("indexer", "cat $1 > $2",
      {{"prepare", {{"/bin/sh", "-c", "echo half > {prepared}/index; sleep 1000"}}}});
  ASSERT_EQ(run_all("600", {"--budget", "4", "--no-report"}), 0) << content(scratch_ / "err.txt");
  EXPECT_EQ(record("indexer").status, results::Status::skipped) << reason("indexer");
  EXPECT_EQ(record("steady").status, results::Status::ok) << reason("steady");
  EXPECT_EQ(records_.front().state.variant, "steady");
  EXPECT_TRUE(std::filesystem::is_empty(scratch_ / "cache" / "gpuseq-bench" / "tools"));
}

TEST_F(ToolProgram, AToolHasARecordBesideOurVariantsAndIsNoWinner) {
  add("counter", "cat $1 > $2",
      {{"version", {{"command", {"./counter.sh", "/dev/null", "/dev/null"}}, {"pattern", "v(.)"}}},
       {"startup", {"./counter.sh", "/dev/null", "{work}/least"}}});
  ASSERT_EQ(run_all(), 0) << content(scratch_ / "err.txt");
  const results::Record& tool = record("counter");
  EXPECT_EQ(tool.status, results::Status::ok) << reason("counter");
  EXPECT_EQ(tool.kind, "tool");
  EXPECT_EQ(tool.work.amount, 3);
  EXPECT_EQ(tool.verification->checked, 2u);
  EXPECT_EQ(tool.side_samples_s.at("startup").size(), 3u);
  EXPECT_GT(tool.facts["startup_s"].get<double>(), 0);
  EXPECT_EQ(tool.facts["program_version"], "unknown");
  EXPECT_EQ(tool.facts["answers"].size(), 2u);  // so few are in the record
  EXPECT_THAT(tool.facts["command_line"].get<std::string>(), HasSubstr("counter.sh {words} {out}"));
  expect_text(tool.bound.reason);
  for (const results::Record& each : records_) EXPECT_FALSE(each.phase == "tune" && each.kind == "tool");
  for (const json& winner : run_json(scratch_ / "run")["tuned"]) {
    EXPECT_NE(winner["variant"], "counter");
    for (const json& other : winner["runners_up"]) EXPECT_NE(other["variant"], "counter");
  }
  const json schema = parse_json(results::record_schema(), "record.schema.json");
  EXPECT_NO_THROW(check_schema(results::to_json(tool), schema, "record"));
}

TEST_F(ToolProgram, WhatGoesWrongInAToolIsAFailedRecordWithItsReasonAndTheRunGoesOn) {
  add("exits", "echo 'no such word' >&2; exit 3");
  add("dies", "kill -KILL $$");
  add("hangs", "sleep 100");
  add("lies", "echo ant > $2");
  add("babbles", "head -c 3000 /dev/urandom > $2");
  add("says_nothing", "true");
  add("makes_a_folder", "mkdir -p $2");
  add("floods", "exec yes > $2", {{"most_file_bytes", 100000}});
  add("bad_prepare", "cat $1 > $2", {{"prepare", {{"./exits.sh"}}}});
  add("bad_role", "cat $1 > $2", {{"command", {"./exits.sh", "{sentences}"}}});
  EXPECT_EQ(run_all("5"), 1);
  expect_text(reason("exits"));
  expect_text(reason("dies"));
  expect_text(reason("hangs"));
  expect_text(reason("lies"));
  EXPECT_THAT(reason("babbles"), HasSubstr("wrong_result: "));
  EXPECT_THAT(reason("says_nothing"),
              ::testing::AllOf(HasSubstr("wrong_result: "), HasSubstr("cannot be read")));
  EXPECT_THAT(reason("makes_a_folder"),
              ::testing::AllOf(HasSubstr("wrong_result: "), HasSubstr("cannot be read")));
  expect_text(reason("floods"));
  expect_text(reason("bad_prepare"));
  expect_text(reason("bad_role"));
  EXPECT_EQ(reason("steady"), "ok");
  EXPECT_TRUE(run_json(scratch_ / "run")["complete"].get<bool>());
}

TEST_F(ToolProgram, OneThatIsNotInstalledIsSkippedWithItsPackage) {
  add("absent", "true", {{"command", {"gpuseq-no-such-program"}}, {"package", "absent-tools"}});
  add("to_build", "true", {{"command", {"gpuseq-no-such-program"}}, {"built_by", "tools/build.py"}});
  add("a_folder", "true", {{"command", {"./run-folder/"}}});
  std::filesystem::create_directories(scratch_ / "run-folder");
  EXPECT_EQ(run_all(), 0);
  EXPECT_EQ(record("absent").status, results::Status::skipped);
  expect_text(reason("absent"));
  expect_text(reason("to_build"));
  expect_text(reason("a_folder"));
  expect_text(lines_with(content(scratch_ / "err.txt"), "words/absent"));
}

TEST_F(ToolProgram, AProblemThatItDoesNotComputeIsSkipped) {
  add("limited", "true", {{"only", {{"size", {2, 3}}}}});
  EXPECT_EQ(run_all(), 0);
  EXPECT_EQ(record("limited").status, results::Status::skipped);
  expect_text(reason("limited"));
}

TEST_F(ToolProgram, ACheckoutIsTheFolderThatItsVariableNames) {
  // It runs there, and may be asked for its version there.
  std::filesystem::create_directories(scratch_ / "their work");
  scratch_.write("their work/data", "v7");
  const json checkout = {
      {"checkout", "GPUSEQ_TEST_CHECKOUT"},
      {"command", {"{checkout}/count.sh", "{words}", "{out}"}},
      {"folder", "{checkout}"},
      {"version", {{"command", {"{checkout}/count.sh", "{checkout}/data"}}, {"pattern", "(v.)"}}}};
  add("theirs", "true", checkout);
  std::filesystem::copy_file(
      scratch_.write("count.sh", "#!/bin/sh\n[ -e data ] || [ $# = 1 ] || exit 4\ncat \"$1\" | tee $2\n"),
      scratch_ / "their work" / "count.sh");
  std::filesystem::permissions(scratch_ / "their work" / "count.sh", std::filesystem::perms::owner_all);
  ASSERT_EQ(run_all(), 0);
  expect_text(reason("theirs"));
  std::filesystem::remove_all(scratch_ / "run");
  const Environment set("GPUSEQ_TEST_CHECKOUT", (scratch_ / "their work").c_str());
  ASSERT_EQ(run_all(), 0) << content(scratch_ / "err.txt");
  EXPECT_EQ(record("theirs").status, results::Status::ok) << reason("theirs");
  EXPECT_EQ(record("theirs").facts["program"], "count.sh");
  EXPECT_EQ(record("theirs").facts["program_version"], "v7");
  EXPECT_EQ(record("theirs").facts["command_line"], "{checkout}/count.sh {words} {out}");
}

TEST_F(ToolProgram, AProgramThatAxesNameAndThatIsNotThereIsSkipped) {
  add("by_axis", "true",
      {{"command", {"gpuseq-no-such-{size}"}},
       {"axes", {{"size", {{"meaning", "which"}, {"default", 64}}}}}});
  EXPECT_EQ(run_all(), 0) << content(scratch_ / "err.txt");
  EXPECT_EQ(record("by_axis").status, results::Status::skipped);
  expect_text(reason("by_axis"));
}

TEST_F(ToolProgram, WhatRunsOnAGpuIsLeftOutWhereThereIsNone) {
  add("gpu_script", "cat $1 > $2", {{"device", "cuda"}});
  ASSERT_EQ(run_all(), 0) << content(scratch_ / "err.txt");
  EXPECT_THROW(record("gpu_script"), std::runtime_error);
  expect_text(lines_with(content(scratch_ / "err.txt"), "words/gpu_script"));
}

TEST_F(ToolProgram, WhatItsOwnClockSaysStandsBesideTheTimeOfTheProcess) {
  const json own = {{"own_seconds", "took (\\S+) s"}};
  add("timed", "cat $1 > $2; echo 'took 2.5e-1 s'", own);
  add("in_ms", "cat $1 > $2; echo 'took 250 s'", {{"own_seconds", "took (\\S+) s"}, {"own_unit", "ms"}});
  add("silent", "cat $1 > $2", own);
  add("stopped", "cat $1 > $2; echo 'took 0 s'", own);
  EXPECT_EQ(run_all(), 1);
  const results::Record& tool = record("timed");
  EXPECT_EQ(tool.status, results::Status::ok) << reason("timed");
  EXPECT_EQ(tool.facts["own_s"], 0.25);
  EXPECT_EQ(record("in_ms").facts["own_s"], 0.25);
  // Those of the launches that are timed, and the warm-up; not that of the check.
  EXPECT_GE(tool.side_samples_s.at("own").size(), tool.samples_s.size());
  EXPECT_LT(tool.statistics->median_s, 0.25);
  expect_text(tool.notes);
  for (const char* name : {"silent", "stopped"}) expect_text(reason(name));
}

TEST_F(ToolProgram, OfALikeQuestionTheRecordSaysHowFarTheAnswersAgree) {
  json like = {
      {"answers", {{"from", "out"}, {"format", "count_lines"}, {"key_column", 1}, {"may_differ", true}}}};
  add("finds_some", "grep ant $1 > $2", like);
  add("finds_all", "cat $1 > $2", like);
  add("exits", "exit 3", like);
  EXPECT_EQ(run_all(), 1) << content(scratch_ / "err.txt");
  const results::Record& some = record("finds_some");
  EXPECT_EQ(some.status, results::Status::ok) << reason("finds_some");
  EXPECT_EQ(some.verification->checked, 0u);
  EXPECT_EQ(some.facts["answers_compared"], 2);
  EXPECT_EQ(some.facts["answers_equal"], 1);
  expect_text(some.notes);
  const results::Record& all = record("finds_all");
  EXPECT_EQ(all.verification->checked, 2u);
  EXPECT_EQ(all.facts["answers_equal"], 2);
  expect_text(reason("exits"));
}

TEST_F(ToolProgram, WhatIsPreparedIsMadeOnceForTheSameInput) {
  const std::string count = "echo x >> " + (scratch_ / "made.log").string() + "; ";
  add("indexer", "if [ -n \"$3\" ]; then " + count + "cp $1 $2; else cat $1/index > $2; fi",
      {{"prepare", {{"./indexer.sh", "{words}", "{prepared}/index", "index"}}},
       {"command", {"./indexer.sh", "{prepared}", "{out}"}}});
  ASSERT_EQ(run_all(), 0) << content(scratch_ / "err.txt");
  EXPECT_EQ(record("indexer").facts["prepare_from_cache"], false);
  EXPECT_EQ(record("indexer").side_samples_s.at("prepare").size(), 1u);
  std::filesystem::rename(scratch_ / "run", scratch_ / "first");
  ASSERT_EQ(run_all(), 0);
  EXPECT_EQ(record("indexer").facts["prepare_from_cache"], true);
  EXPECT_GT(record("indexer").facts["prepare_s"].get<double>(), 0);
  EXPECT_EQ(count_lines(scratch_ / "made.log"), 1);
}

TEST_F(ToolProgram, AProblemThatOnlyToolsSolveReadsTheConfigsDataAndIsUnchecked) {
  add_copier();
  ASSERT_EQ(run_all(), 0) << content(scratch_ / "err.txt");
  const results::Record& tool = record("copier");
  EXPECT_EQ(tool.work.amount, 2);
  EXPECT_EQ(tool.verification->checked, 0u);
  expect_text(tool.notes);
  EXPECT_EQ(tool.problem_hash.size(), 16u);
}

TEST_F(ToolProgram, DataMayLieInAnArchive) {
  add_copier();
  scratch_.write("three.txt", "a\nb\nc\n");
  run_child({.arguments = {"tar", "-cz", "-f", scratch_ / "in.tar.gz", "-C", scratch_ / "", "three.txt"}});
  text_ = R"({"path": "in.tar.gz", "member": "three.txt"})";
  ASSERT_EQ(run_all(), 0) << content(scratch_ / "err.txt");
  EXPECT_EQ(record("copier").work.amount, 3);

  std::filesystem::remove_all(scratch_ / "run");
  text_ = R"({"path": "in.tar.gz", "member": "four.txt"})";
  EXPECT_EQ(run_all(), 2);
  expect_text(content(scratch_ / "err.txt"));
}

TEST_F(ToolProgram, NothingIsLeftInTheCacheButWhatWasPrepared) {
  add("counter", "cat $1 > $2");
  ASSERT_EQ(run_all(), 0);
  const auto left = scratch_ / "cache" / "gpuseq-bench" / "tools";
  EXPECT_TRUE(std::filesystem::is_empty(left)) << left;
}

TEST_F(ToolProgram, AnUnknownToolIsAMistakeOfTheConfig) {
  add("counter", "cat $1 > $2");
  families_ = R"(, "toy": {"problems": [{}], "variants": {"counter": {}}})";
  EXPECT_EQ(run_all(), 2);
  expect_text(content(scratch_ / "err.txt"));
}

}  // namespace
}  // namespace gpuseq::bench

int main(int argc, char** argv) {
  if (std::getenv("GPUSEQ_TEST_PROGRAM") != nullptr)
    return gpuseq::bench::run_program(argc, argv, gpuseq::bench::words_registry());
  ::testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
