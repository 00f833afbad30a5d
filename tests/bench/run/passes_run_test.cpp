#include "bench/run/summary.hpp"
#include "bench/run/terminal/summary_text.hpp"
#include "tests/bench/environment.hpp"
#include "tests/bench/records.hpp"
#include "tests/bench/toy_program.hpp"
#include "tests/golden_text.hpp"

// Probes of a CPU in passes, and the summary of points on which these do not agree.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::SizeIs;
namespace fs = std::filesystem;

/// Seven points. Which of them agree depends on the machine: the toys are timed.
std::string config(const std::string& samples) {
  return R"({"name": "toys", "devices": "cpu", "sampling": {"min_samples": )" + samples +
         R"(, "max_samples": )" + samples + R"(, "max_seconds": 0.2, "probe_passes": 3},
    "probes": {"random_access": {"footprint_bytes": {"from": 65536, "to": 4194304}}}})";
}

/// The repetitions of every state, in the order of the journal.
std::map<std::string, std::vector<int>> repetitions(const fs::path& dir) {
  std::map<std::string, std::vector<int>> found;
  for (const results::Record& record : records(dir))
    found[record.state.to_string()].push_back(record.repetition);
  return found;
}

TEST(PassesRun, MeasureEveryPointOnceInEach) {
  const Scratch scratch;
  const fs::path dir = scratch / "run";
  const Result result =
      result_of(scratch, "probe", {"--config", scratch.write("toys.json", config("3")), "--output", dir});
  ASSERT_EQ(result.code, 0) << result.err;
  ASSERT_THAT(repetitions(dir), SizeIs(7));
  for (const auto& [state, found] : repetitions(dir)) {
    ASSERT_GE(found.size(), 3u) << state;
    for (int i = 0; i < static_cast<int>(found.size()); ++i) EXPECT_EQ(found[static_cast<std::size_t>(i)], i);
  }
}

TEST(PassesRun, SayWhatOthersTookOfTheProcessors) {
  const Scratch scratch;
  const fs::path dir = scratch / "run";
  ASSERT_EQ(
      run(scratch, {"--config", scratch.write("toys.json", config("3")), "--output", dir, "--no-report"}), 0);
  const nlohmann::json load = run_json(dir)["host_load"];
  for (const char* share : {"steal_share", "others_share"}) {
    ASSERT_TRUE(load.contains(share)) << load;
    EXPECT_GE(load[share].get<double>(), 0);
    EXPECT_LE(load[share].get<double>(), 1);
  }
}

TEST(PassesRun, ThatDiesWithinOneGoesOnThere) {
  const Scratch scratch;
  const fs::path dir = scratch / "run";
  const auto path = scratch.write("toys.json", config("600"));
  {
    Program program(scratch, {"probe", "--config", path, "--output", dir});
    ASSERT_TRUE(wait_until([&] { return count_lines(dir / "records.jsonl") >= 10; }));
    program.kill(SIGKILL);
    program.wait();
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const std::vector<results::Record> before = records(dir);
  ASSERT_LT(before.size(), 21u);
  ASSERT_EQ(run(scratch, {"--resume", dir, "--no-report"}), 0);
  for (const auto& [state, found] : repetitions(dir)) EXPECT_THAT(found, SizeIs(Ge(3u))) << state;
  const std::vector<results::Record> after = records(dir);
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_EQ(after[i].samples_s, before[i].samples_s) << "what there was stays";
}

TEST(PassesRun, APointThatTheyDoNotAgreeOnIsMeasuredInMoreAndCounted) {
  const Scratch scratch;
  const fs::path dir = scratch / "run";
  const Environment disturbed("TOY_DISTURBED", "1048576");
  const Result result =
      result_of(scratch, "probe", {"--config", scratch.write("toys.json", config("3")), "--output", dir});
  ASSERT_EQ(result.code, 0) << result.err;
  for (const auto& [state, found] : repetitions(dir))
    if (state.find("footprint_bytes=1048576,") != std::string::npos) {
      EXPECT_THAT(found, SizeIs(5u));
    }
  const nlohmann::json points = run_json(dir)["probe_points"]["cpu"];
  EXPECT_EQ(points["measured"], 7);
  EXPECT_THAT(points["disturbed"].dump(), HasSubstr("footprint_bytes=1048576,"));
  EXPECT_THAT(result.out, HasSubstr("of 7 probe points of cpu disturbed"));
}

nlohmann::ordered_json summary_of(const std::vector<results::Record>& records) {
  nlohmann::json start{
      {"schema", 2},        {"name", "toys"},    {"started", ""},    {"program", {}},
      {"config", {}},       {"config_hash", ""}, {"invocation", {}}, {"devices", nlohmann::json::object()},
      {"config_source", ""}};
  return summarise_run(start, nlohmann::json::object(), records, SuiteConfig{}, true);
}

TEST(SummaryOfPasses, CountsDisturbedPointsOfEachDevice) {
  std::vector<results::Record> all;
  for (const double rate : {1e9, 2e9, 4e9}) {
    all.push_back(bandwidth_record(1 << 20, 64, rate));
    all.push_back(bandwidth_record(1 << 21, 64, 1e9));
    all.push_back(bandwidth_record(1 << 20, 64, rate, "cuda:0"));
  }
  const auto summary = summary_of(all);
  EXPECT_EQ(summary["probe_points"]["cpu"]["measured"], 2);
  EXPECT_EQ(summary["probe_points"]["cpu"]["disturbed"],
            nlohmann::ordered_json::array({all[0].state.to_string()}));
  EXPECT_TRUE(summary["probe_points"]["cuda:0"]["disturbed"].empty());
  expect_text(summary_text(summary, all, Terminal::plain()));
}

}  // namespace
}  // namespace gpuseq::bench
