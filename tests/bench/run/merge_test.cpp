#include <map>
#include <set>

#include "bench/config/provenance.hpp"
#include "tests/bench/lines.hpp"
#include "tests/bench/records.hpp"
#include "tests/bench/toy_program.hpp"
#include "tests/golden_text.hpp"

// Shards of a run, each a process of its own, and their fate.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

std::string shard_config() {
  return small_config(R"({"steady": {"speed": "all", "d": "all"}})");
}

/// The states of a run that were swept, without those that were measured again.
std::set<std::string> states(const fs::path& dir) {
  std::set<std::string> keys;
  for (const results::Record& record : records(dir)) keys.insert(record.state.to_string());
  return keys;
}

class Merge : public ::testing::Test {
 protected:
  /// Runs shard i of n into the folder "i"; more arguments may follow.
  fs::path shard(int i, int n, const std::vector<std::string>& more = {}) {
    const fs::path dir = scratch_ / std::to_string(i);
    std::vector<std::string> arguments{
        "--config", scratch_.write("toys.json", config_),        "--output",   dir,
        "--shard",  std::to_string(i) + "/" + std::to_string(n), "--no-report"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(run(scratch_, arguments), 0);
    return dir;
  }
  /// Merges and returns the exit code; `said_` is then the program's output.
  int merge(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--output", scratch_ / "merged", "--no-report"});
    const Result result = result_of(scratch_, "merge", arguments);
    said_ = result.out + result.err;
    return result.code;
  }

  Scratch scratch_;
  std::string config_ = shard_config();
  std::string said_;
};

TEST_F(Merge, EightShardsEqualTheStatesOfOneRun) {
  const fs::path whole = scratch_ / "whole";
  ASSERT_EQ(run(scratch_,
                {"--config", scratch_.write("toys.json", shard_config()), "--output", whole, "--no-report"}),
            0);
  std::vector<std::string> dirs;
  for (int i = 1; i <= 8; ++i) dirs.push_back(shard(i, 8));
  ASSERT_EQ(merge(dirs), 0) << said_;
  EXPECT_EQ(states(scratch_ / "merged"), states(whole));
  const nlohmann::json summary = run_json(scratch_ / "merged");
  EXPECT_EQ(summary["complete"], true);
  EXPECT_EQ(summary["tuned"].size(), run_json(whole)["tuned"].size());
  ASSERT_EQ(summary["nodes"].size(), 8u);
  for (const results::Record& record : records(scratch_ / "merged"))
    EXPECT_FALSE(record.provenance["host"]["name"].get<std::string>().empty());
}

TEST_F(Merge, KernelsGetTheBoundThatAnotherShardsProbesGive) {
  std::vector<std::string> dirs;
  for (int i = 1; i <= 4; ++i) dirs.push_back(shard(i, 4));
  std::size_t without = 0;
  for (const std::string& dir : dirs)
    for (const results::Record& record : records(dir))
      without += record.kind == "kernel" && !record.bound.value ? 1 : 0;
  EXPECT_GT(without, 0u);
  ASSERT_EQ(merge(dirs), 0) << said_;
  for (const results::Record& record : records(scratch_ / "merged"))
    EXPECT_EQ(record.kind == "kernel", record.bound.value.has_value()) << record.state.to_string();
}

TEST_F(Merge, AProbeThatSeveralShardsNeedIsKeptOfEachOfThem) {
  config_ =
      R"({"name": "toys", "devices": "cpu", "sampling": {"max_seconds": 0.02, "probe_passes": 1}, "tune": {"remeasure": 0},
    "families": {"toy": {"problems": [{}], "variants": {"touchy": {"speed": [1, 2], "d": 64}}}}})";
  const std::vector<std::string> dirs{shard(1, 2), shard(2, 2)};
  for (const std::string& dir : dirs) {
    EXPECT_EQ(states(dir).size(), 6u);  // a kernel, and from 64 KiB to 1 MiB the probes that its bound needs
    for (const results::Record& record : records(dir))
      EXPECT_EQ(record.kind == "kernel", record.bound.value.has_value()) << record.bound.reason;
  }
  ASSERT_EQ(merge(dirs), 0) << said_;
  EXPECT_EQ(states(scratch_ / "merged").size(), 7u);
  std::map<int, int> repetitions;
  for (const results::Record& record : records(scratch_ / "merged"))
    if (record.kind == "probe") ++repetitions[record.repetition];
  EXPECT_EQ(repetitions[0], 5);
  EXPECT_EQ(repetitions[1], 5);  // and more where a busy machine let a kernel violate its bound
}

/// Writes a shard's records again.
void replace_records(const fs::path& dir, const std::vector<results::Record>& all) {
  std::ofstream(dir / "records.jsonl") << results::lines_of(all);
}

TEST_F(Merge, OfTwoBoundsTheLowerCountsThoughAnotherShardProbedIt) {
  const fs::path first = shard(1, 2), second = shard(2, 2);
  // Every kernel executes 1e6 additions, and only the second shard knows that one takes a microsecond.
  for (const fs::path& dir : {first, second}) {
    std::vector<results::Record> all = records(dir);
    for (results::Record& record : all)
      if (record.kind == "kernel") record.instructions = Instructions{{{"add_s16", 1e6}}, "avx2"};
    if (dir == second) {
      const auto probe = ok_record(
          {"instruction_throughput", "cpu", {}, {{"operation", "add_s16"}, {"target", "avx2"}}, "cpu"},
          "probe", "refine", {1e6, "operations"}, {1.0});
      all.push_back(probe);
      all.back().provenance = all.front().provenance;
      all.back().problem_hash = all.front().problem_hash;
    }
    replace_records(dir, all);
  }
  ASSERT_EQ(merge({first, second}), 0) << said_;
  std::size_t kernels = 0;
  for (const results::Record& record : records(scratch_ / "merged")) {
    if (record.kind != "kernel") continue;
    ++kernels;
    ASSERT_TRUE(record.bound.value) << record.bound.reason;
    EXPECT_EQ(record.bound.value->bound_by, "ALU");
    EXPECT_NEAR(record.bound.value->rate, record.work.amount, 1e-9 * record.work.amount);
  }
  EXPECT_GT(kernels, 0u);
}

TEST_F(Merge, BlocksOfSeveralFootprintsGetTheirBoundAnewFromAllProbes) {
  const fs::path first = shard(1, 2), second = shard(2, 2);
  for (const fs::path& dir : {first, second}) {
    std::vector<results::Record> all = records(dir);
    for (results::Record& record : all) {
      if (record.kind != "kernel") continue;
      record.traffic->classes = {{1 << 20, record.traffic->blocks}};
      record.bound = {results::Bound{1e30, "random access", "by the shard's own probes", 0}, {}};
    }
    replace_records(dir, all);
  }
  ASSERT_EQ(merge({first, second}), 0) << said_;
  std::size_t kernels = 0;
  for (const results::Record& record : records(scratch_ / "merged")) {
    if (record.kind != "kernel") continue;
    ++kernels;
    ASSERT_TRUE(record.bound.value) << record.bound.reason;
    EXPECT_LT(record.bound.value->rate, 1e30);
    EXPECT_THAT(record.bound.value->explanation, HasSubstr("outside the hottest"));
  }
  EXPECT_GT(kernels, 0u);
}

TEST_F(Merge, AMissingShardIsNamed) {
  const fs::path first = shard(1, 3), third = shard(3, 3);
  EXPECT_EQ(merge({first, third}), 2);
  expect_text(said_);
  EXPECT_FALSE(fs::exists(scratch_ / "merged"));
  EXPECT_EQ(merge({first, third, "--allow-gaps"}), 0);
  expect_text(lines_with(said_, "in no shard"));
  EXPECT_EQ(run_json(scratch_ / "merged")["complete"], false);
}

TEST_F(Merge, AShardGivenTwiceOrMeasuredTwiceIsAnOverlap) {
  const fs::path first = shard(1, 2), second = shard(2, 2);
  EXPECT_EQ(merge({first, second, first}), 2);
  expect_text(said_);
  std::ofstream(second / "records.jsonl", std::ios::app) << content(first / "records.jsonl");
  EXPECT_EQ(merge({first, second}), 2);
  expect_text(said_);
}

TEST_F(Merge, AShardThatLostARecordLeavesAGap) {
  const fs::path first = shard(1, 2), second = shard(2, 2);
  std::vector<results::Record> all = records(second);
  all.erase(all.begin());
  replace_records(second, all);
  EXPECT_EQ(merge({first, second}), 2);
  expect_text(said_);
}

TEST_F(Merge, ShardsOfAnotherConfigOrProgramAreRefused) {
  const fs::path first = shard(1, 2), second = shard(2, 2, {"--set", "sampling.max_samples=10"});
  EXPECT_EQ(merge({first, second}), 2);
  expect_text(said_);
  fs::remove_all(second);
  shard(2, 2);
  nlohmann::json summary = run_json(second);
  const std::string program = program_text(summary["program"]);
  summary["program"] = {{"version", "0"}, {"commit", "another"}};
  std::ofstream(second / "run.json") << summary;
  EXPECT_EQ(merge({first, second}), 2);
  expect_text(replaced(said_, program, "<program>"));
  EXPECT_EQ(merge({first, second, "--on-other-program"}), 0) << said_;
  fs::remove_all(scratch_ / "merged");
  EXPECT_EQ(merge({first, second, "--allow-program"}), 0) << said_;
  expect_text(lines_with(said_, "--allow-program"));
}

TEST_F(Merge, AShardThatWasInterruptedIsNotMergedInSilence) {
  const fs::path first = shard(1, 2), second = shard(2, 2);
  nlohmann::json summary = run_json(second);
  summary["complete"] = false;
  std::ofstream(second / "run.json") << summary;
  EXPECT_EQ(merge({first, second}), 2);
  expect_text(said_);
}

TEST_F(Merge, ADamagedRunJsonIsAnErrorAndNoCrash) {
  const fs::path first = shard(1, 2), second = shard(2, 2);
  const nlohmann::json whole = run_json(second);
  nlohmann::json damaged = whole;
  damaged["invocation"]["shard"] = {9, 2};
  std::ofstream(second / "run.json") << damaged;
  EXPECT_EQ(merge({first, second}), 2);
  expect_text(said_);
  for (const nlohmann::json& bytes : {nlohmann::json(1e74), nlohmann::json(-1)}) {
    damaged = whole;
    damaged["invocation"]["devices"][0]["free_bytes"] = bytes;
    std::ofstream(second / "run.json") << damaged;
    EXPECT_EQ(merge({first, second}), 2);
    expect_text(said_);
  }
  damaged = whole;
  damaged.erase("program");
  std::ofstream(second / "run.json") << damaged;
  EXPECT_EQ(merge({first, second}), 2);
  expect_text(replaced(said_, program_text(whole["program"]), "<program>"));
  damaged = whole;
  damaged.erase("started");
  damaged.erase("finished");
  std::ofstream(second / "run.json") << damaged;
  EXPECT_EQ(merge({first, second}), 0) << said_;
}

/// Two problems, of which each of two shards has one, and a control of the first.
std::string controlled_config() {
  return R"({"name": "toys", "devices": "cpu", "sampling": {"min_samples": 6, "max_samples": 6},
    "probe_budget_s": 0, "tune": {"remeasure": 2, "rounds": 3}, "controls": ["/size=1/speed=1,d=64/cpu$"],
    "families": {"toy": {"problems": [{"size": [1, 2]}], "variants": {"steady": {"speed": [1, 2]}}}}})";
}

TEST_F(Merge, ControlsAreMeasuredByEachShardAndKeptOnce) {
  config_ = controlled_config();
  const fs::path first = shard(1, 2), second = shard(2, 2);
  for (const fs::path& dir : {first, second})
    EXPECT_EQ(records(dir).front().state.to_string(), "toy/steady/size=1/speed=1,d=64/cpu") << dir;
  EXPECT_EQ(states(first).size(), 2u);
  EXPECT_EQ(states(second).size(), 3u);
  for (const results::Record& record : records(second))
    EXPECT_TRUE(record.phase == "sweep" || record.state.problem.integer("size") == 2)
        << "a shard races the problems that it has whole";
  ASSERT_EQ(merge({first, second}), 0) << said_;
  std::map<std::string, int> sweeps, races;
  for (const results::Record& record : records(scratch_ / "merged"))
    ++(record.phase == "sweep" ? sweeps : races)[record.state.to_string()];
  EXPECT_EQ(sweeps.size(), 4u);
  for (const auto& [state, count] : sweeps) EXPECT_EQ(count, 1) << state;
  EXPECT_GE(races.size(), 2u);
  EXPECT_EQ(run_json(scratch_ / "merged")["tuned"].size(), 2u);
}

TEST_F(Merge, ShardsWhoseControlsDifferAreRefused) {
  config_ = controlled_config();
  const fs::path first = shard(1, 2), second = shard(2, 2);
  const auto set_rates = [](const fs::path& dir, double low, double high) {
    std::vector<results::Record> all = records(dir);
    all.front().statistics->rate = (low + high) / 2;
    all.front().statistics->rate_low = low;
    all.front().statistics->rate_high = high;
    replace_records(dir, all);
  };
  set_rates(first, 90e9, 100e9);
  set_rates(second, 101e9, 105e9);
  EXPECT_EQ(merge({first, second}), 0) << "apart by less than 2 %: " << said_;
  fs::remove_all(scratch_ / "merged");
  set_rates(second, 103e9, 105e9);
  EXPECT_EQ(merge({first, second}), 2);
  expect_text(said_);
  EXPECT_FALSE(fs::exists(scratch_ / "merged"));
  std::vector<results::Record> all = records(second);
  all.erase(all.begin());
  replace_records(second, all);
  EXPECT_EQ(merge({first, second}), 2);
  expect_text(said_);
}

TEST_F(Merge, TheSummaryListsTheDevicesOfEachShard) {
  config_ = controlled_config();
  const fs::path first = shard(1, 2), second = shard(2, 2);
  int number = 0;
  for (const fs::path& dir : {first, second}) {
    nlohmann::json summary = run_json(dir);
    summary["devices"]["cuda:0"] = {{"name", "a GPU"}, {"uuid", "GPU-" + std::to_string(++number)}};
    std::ofstream(dir / "run.json") << summary;
  }
  ASSERT_EQ(merge({first, second}), 0) << said_;
  const nlohmann::json nodes = run_json(scratch_ / "merged")["nodes"];
  EXPECT_EQ(nodes[0]["devices"]["cuda:0"]["uuid"], "GPU-1");
  EXPECT_EQ(nodes[1]["devices"]["cuda:0"]["uuid"], "GPU-2");
}

TEST_F(Merge, AFolderThatIsNoRunIsAnError) {
  fs::create_directory(scratch_ / "empty");
  EXPECT_EQ(merge({scratch_ / "empty"}), 2);
  expect_text(said_);
  EXPECT_EQ(merge({shard(1, 1)}), 0);
  EXPECT_EQ(merge({scratch_ / "1"}), 2);
  expect_text(said_);
}

}  // namespace
}  // namespace gpuseq::bench
