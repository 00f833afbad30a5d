#include <gmock/gmock.h>
#include <sys/mount.h>

#include "bench/cli.hpp"
#include "bench/json_file.hpp"
#include "bench/schema_check.hpp"
#include "results/journal.hpp"
#include "results/record_schema.hpp"
#include "tests/bench/process.hpp"
#include "tests/bench/toy_registry.hpp"

// The whole program with toys: this test program becomes gpuseq-bench where GPUSEQ_TEST_PROGRAM is set, and so
// do the workers that it starts.

namespace gpuseq::bench {
namespace {

using testing::content;
using testing::count_lines;
using testing::Program;
using testing::Scratch;
using testing::wait_until;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kSampling = R"("sampling": {"min_samples": 3, "max_samples": 3, "max_seconds": 0.2})";

/// A config of four states of the toy and three footprints.
std::string small_config(const std::string& variants = R"({"steady": {"speed": "all"}})",
                         const std::string& more = "") {
  return std::string("{\"name\": \"toys\", \"devices\": \"cpu\", ") + kSampling + more + R"(,
    "probes": {"random_access": {"footprint_bytes": {"from": 524288, "to": 2097152}}},
    "families": {"toy": {"problems": [{}], "variants": )" + variants + "}}}";
}

nlohmann::json run_json(const std::filesystem::path& dir) { return read_json(dir / "run.json"); }

std::vector<results::Record> records(const std::filesystem::path& dir) {
  return results::Journal::load(dir / "records.jsonl");
}

int run(const Scratch& scratch, std::vector<std::string> arguments) {
  Program program(scratch, std::move(arguments));
  return program.wait();
}

TEST(Program, RunsFromConfigToSummary) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  const auto dir = scratch / "run";
  Program program(scratch, {"--config", config, "--output", dir});
  ASSERT_EQ(program.wait(), 0) << program.err();

  const nlohmann::json summary = run_json(dir);
  EXPECT_EQ(summary["complete"], true);
  EXPECT_EQ(summary["schema"], 1);
  EXPECT_EQ(summary["counts"], nlohmann::json::parse(R"({"ok": 15, "failed": 0, "skipped": 0})"));  // 3 + 3 + 3 x 3
  ASSERT_EQ(summary["tuned"].size(), 1u);
  EXPECT_EQ(summary["tuned"][0]["point"]["speed"], 4);
  EXPECT_EQ(summary["tuned"][0]["measured_again"], true);
  EXPECT_EQ(summary["tuned"][0]["runners_up"].size(), 2u);
  EXPECT_GT(summary["tuned"][0]["fraction_of_ceiling"].get<double>(), 0);
  EXPECT_TRUE(summary["devices"]["cpu"].contains("name"));
  EXPECT_THAT(program.out(), AllOf(HasSubstr("Winners"), HasSubstr("speed=4"), HasSubstr("15 measured")));
  EXPECT_TRUE(std::filesystem::exists(dir / "report.html"));
}

TEST(Program, RecordsSatisfyTheirSchemaAndCarryTheirProvenance) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config(R"({"steady": {}, "wrong": {}, "too_big": {}, "broken": {}})"));
  const auto dir = scratch / "run";
  EXPECT_EQ(run(scratch, {"--config", config, "--output", dir}), 1);

  const nlohmann::json schema = parse_json(results::record_schema(), "record.schema.json");
  std::istringstream lines(content(dir / "records.jsonl"));
  std::map<std::string, int> statuses;
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json record = nlohmann::json::parse(line);
    EXPECT_NO_THROW(check_schema(record, schema, "record")) << line;
    ++statuses[record["status"].get<std::string>()];
    const nlohmann::json& provenance = record["provenance"];
    for (const char* field : {"program", "config_hash", "seed", "host", "device", "date"})
      EXPECT_TRUE(provenance.contains(field)) << field;
    EXPECT_TRUE(provenance["device"].contains("caches"));
  }
  EXPECT_EQ(statuses["failed"], 2);
  EXPECT_EQ(statuses["skipped"], 1);
  std::map<std::string, results::Failure> failures;
  for (const results::Record& record : records(dir)) {
    if (record.failure) failures[record.state.variant] = *record.failure;
    EXPECT_EQ(record.samples_s.empty(), record.status != results::Status::ok);
  }
  EXPECT_EQ(failures["wrong"].kind, "wrong_result");
  EXPECT_EQ(failures["too_big"].kind, "does_not_fit");
  EXPECT_THAT(failures["broken"].reason, HasSubstr("fell apart"));
}

TEST(Program, ACrashAndAHangCostOneFailedRecordEach) {
  const Scratch scratch;
  const auto config = scratch.write(
      "toys.json", small_config(R"({"crash": {}, "hang": {}, "steady": {"speed": [1, 2]}})", R"(, "timeout_s": 1.5)"));
  const auto dir = scratch / "run";
  Program program(scratch, {"--config", config, "--output", dir});
  EXPECT_EQ(program.wait(), 1) << program.err();
  int ok = 0;
  std::map<std::string, std::string> kinds;
  for (const results::Record& record : records(dir)) {
    if (record.failure) kinds[record.state.variant] = record.failure->kind;
    if (record.state.variant == "steady" && record.phase == "sweep") ++ok;
  }
  EXPECT_EQ(kinds, (std::map<std::string, std::string>{{"crash", "crash"}, {"hang", "timeout"}}));
  EXPECT_EQ(ok, 2);
  EXPECT_EQ(run_json(dir)["complete"], true);
  EXPECT_EQ(run_json(dir)["counts"]["failed"], 2);
}

TEST(Program, GoesOnAfterKillNineWithoutMeasuringTwice) {
  const Scratch scratch;
  std::string slow = small_config();
  slow.replace(slow.find(kSampling), std::string(kSampling).size(),
               R"("sampling": {"min_samples": 200, "max_samples": 200, "max_seconds": 9})");
  const auto config = scratch.write("toys.json", slow);
  const auto dir = scratch / "run";
  {
    Program program(scratch, {"--config", config, "--output", dir});
    ASSERT_TRUE(wait_until([&] { return count_lines(dir / "records.jsonl") >= 4; }));
    program.kill(SIGKILL);
    EXPECT_EQ(program.wait(), -SIGKILL);
  }
  // The worker dies with it; a journal that nobody writes any more stands still.
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(run_json(dir)["complete"], false);
  const int before = count_lines(dir / "records.jsonl");
  ASSERT_LT(before, 15);
  Program program(scratch, {"--resume", dir});
  ASSERT_EQ(program.wait(), 0) << program.err();
  EXPECT_EQ(run_json(dir)["complete"], true);
  EXPECT_EQ(count_lines(dir / "records.jsonl"), 15);
  std::set<std::string> seen;
  for (const results::Record& record : records(dir))
    EXPECT_TRUE(seen.insert(record.state.to_string() + record.phase + std::to_string(record.repetition)).second);
  // At most the state that was in flight was prepared twice.
  EXPECT_LE(count_lines(scratch / "toys.log", "probe"), 4);
  // A run that is complete has nothing left to measure.
  const int prepared = count_lines(scratch / "toys.log");
  EXPECT_EQ(run(scratch, {"--resume", dir, "--config", config}), 0);
  EXPECT_EQ(count_lines(scratch / "toys.log"), prepared);
}

TEST(Program, ResumeRefusesAnotherConfigAndSaysWhatDiffers) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  const auto dir = scratch / "run";
  ASSERT_EQ(run(scratch, {"--config", config, "--output", dir, "--benchmark_filter=random_access"}), 0);
  Program program(scratch, {"--resume", dir, "--config", config, "--set", "seed=7"});
  EXPECT_EQ(program.wait(), 2);
  EXPECT_THAT(program.err(), AllOf(HasSubstr("--resume"), HasSubstr("/seed")));
  EXPECT_EQ(run(scratch, {"--resume", scratch / "nowhere"}), 2);
}

TEST(Program, CtrlCLeavesAValidJournalAndSaysHowToGoOn) {
  const Scratch scratch;
  const auto config =
      scratch.write("toys.json", small_config(R"({"hang": {}})", R"(, "timeout_s": 60)"));
  const auto dir = scratch / "run";
  Program program(scratch, {"--config", config, "--output", dir});
  ASSERT_TRUE(wait_until([&] { return count_lines(scratch / "toys.log", "hang") == 1; }));
  program.kill(SIGINT);
  EXPECT_EQ(program.wait(), 130);
  EXPECT_EQ(records(dir).size(), 3u);
  EXPECT_EQ(run_json(dir)["complete"], false);
  EXPECT_EQ(run_json(dir)["counts"]["failed"], 0);
  EXPECT_THAT(program.err(), HasSubstr("--resume " + dir.string()));
}

TEST(Program, ARunFolderThatCannotBeWrittenIsAnErrorBeforeAnythingIsMeasured) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  scratch.write("file", "not a folder");
  Program program(scratch, {"--config", config, "--output", scratch / "file" / "run"});
  EXPECT_EQ(program.wait(), 2);
  EXPECT_THAT(program.err(), HasSubstr("output folder"));
  EXPECT_FALSE(std::filesystem::exists(scratch / "toys.log"));
}

TEST(Program, AFolderWithARunInItIsNotOverwritten) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  const auto dir = scratch / "run";
  ASSERT_EQ(run(scratch, {"--config", config, "--output", dir, "--benchmark_filter=steady.*speed=1"}), 0);
  Program program(scratch, {"--config", config, "--output", dir});
  EXPECT_EQ(program.wait(), 2);
  EXPECT_THAT(program.err(), HasSubstr("--resume"));
}

TEST(Program, ADiskThatIsFullFromTheStartIsAnErrorBeforeAnythingIsMeasured) {
  const Scratch scratch;
  const auto disk = scratch / "disk";
  std::filesystem::create_directory(disk);
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=64k") != 0) GTEST_SKIP() << "no permission to mount a tmpfs";
  const auto config = scratch.write("toys.json", small_config());
  Program program(scratch, {"--config", config, "--output", disk / "run"});
  EXPECT_EQ(program.wait(), 1);
  EXPECT_THAT(program.err(), HasSubstr("disk"));
  EXPECT_FALSE(std::filesystem::exists(scratch / "toys.log"));
  umount(disk.c_str());
}

TEST(Program, ADiskThatFillsUpLaterLosesNoRecordAndTheRunGoesOnWhenThereIsRoom) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  const auto dir = scratch / "run";
  {
    Program program(scratch, {"--config", config, "--output", dir, "--benchmark_repetitions=10"}, [] {
      const rlimit limit{.rlim_cur = 70 << 10, .rlim_max = RLIM_INFINITY};  // a file that grows no further
      setrlimit(RLIMIT_FSIZE, &limit);
    });
    EXPECT_EQ(program.wait(), 1) << program.err();
    EXPECT_THAT(program.err(), HasSubstr("records.jsonl"));
  }
  const std::size_t kept = records(dir).size();
  EXPECT_GE(kept, 1u);
  ASSERT_EQ(run(scratch, {"--resume", dir}), 0);
  EXPECT_EQ(records(dir).size(), 150u);
}

TEST(Program, MalformedDataEndsTheRunWithTheFilesError) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  Program program(scratch, {"--config", config, "--output", scratch / "run", "--set",
                            "families.toy.problems=[{\"size\":13}]"});
  EXPECT_EQ(program.wait(), 2);
  EXPECT_THAT(program.err(), HasSubstr("toys.fa:7: record 3"));
}

TEST(Program, BenchmarkFlagsListFilterAndRepeat) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  Program listing(scratch, {"--config", config, "--benchmark_list_tests", "--benchmark_filter=steady.*speed=[12]"});
  EXPECT_EQ(listing.wait(), 0) << listing.err();
  EXPECT_EQ(listing.out(), "toy/steady/size=1/speed=1,d=64/cpu\ntoy/steady/size=1/speed=2,d=64/cpu\n");

  const auto dir = scratch / "run";
  Program program(scratch, {"--config", config, "--output", dir, "--benchmark_filter=speed=1", "--benchmark_repetitions=2",
                            "--benchmark_min_time=7x", "--set", "tune.remeasure=0"});
  EXPECT_EQ(program.wait(), 0) << program.err();
  const auto taken = records(dir);
  ASSERT_EQ(taken.size(), 2u);
  EXPECT_EQ(taken[0].repetition, 0);
  EXPECT_EQ(taken[1].repetition, 1);
  EXPECT_EQ(taken[0].samples_s.size(), 7u);
}

TEST(Program, UnknownOrMalformedFlagsAreUsageErrors) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  for (const char* flag : {"--benchmark_filtre=x", "--benchmark_repetitions=none", "--benchmark_format=xml",
                           "--benchmark_min_time=soon", "--benchmark_filter=nothing_of_this_name", "--nonsense", "--set",
                           "--device=gpu7"})
    EXPECT_EQ(run(scratch, {"run", "--config", config, flag}), 2) << flag;
  EXPECT_EQ(run(scratch, {"list", "--benchmark_filter=x"}), 2);
  EXPECT_EQ(run(scratch, {"frobnicate"}), 2);
  EXPECT_EQ(run(scratch, {"--config", scratch / "missing.json"}), 2);
}

TEST(Program, ComparePyReadsItsBenchmarkFile) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config(R"({"steady": {}, "wrong": {}})"));
  const auto dir = scratch / "run";
  EXPECT_EQ(run(scratch, {"--config", config, "--output", dir, "--benchmark_out=" + (scratch / "out.csv").string(),
                          "--benchmark_out_format=csv"}), 1);
  const nlohmann::json file = read_json(dir / "benchmark.json");  // strict: no NaN, no infinity
  ASSERT_EQ(file["benchmarks"].size(), records(dir).size());
  int errors = 0;
  for (const nlohmann::json& benchmark : file["benchmarks"]) {
    if (benchmark.value("error_occurred", false)) {
      ++errors;
    } else {
      EXPECT_GT(benchmark["real_time"].get<double>(), 0);
    }
  }
  EXPECT_EQ(errors, 1);
  EXPECT_GE(count_lines(scratch / "out.csv"), 5);

  const std::string python = "/usr/bin/python3 ";
  if (std::system((python + "-c 'import scipy' 2>/dev/null").c_str()) != 0 ||
      !std::filesystem::exists("/usr/share/benchmark/compare.py"))
    GTEST_SKIP() << "compare.py of libbenchmark-tools needs python3-scipy";
  const std::string files = (dir / "benchmark.json").string() + " " + (dir / "benchmark.json").string();
  const std::string out = (scratch / "compared.txt").string();
  EXPECT_EQ(std::system((python + "/usr/share/benchmark/compare.py benchmarks " + files + " > " + out).c_str()), 0);
  EXPECT_THAT(content(out), HasSubstr("toy/steady/size=1/speed=1,d=64/cpu"));
}

TEST(Program, TheBenchmarkFormatsGoToStandardOutputAlone) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  Program program(scratch, {"--config", config, "--output", scratch / "run", "--benchmark_format=json",
                            "--benchmark_filter=speed=1"});
  EXPECT_EQ(program.wait(), 0) << program.err();
  EXPECT_NO_THROW(parse_json(program.out(), "stdout"));
}

TEST(Program, ProbeRunsProbesAlone) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  EXPECT_EQ(run(scratch, {"probe", "--config", config, "--output", scratch / "run"}), 0);
  for (const results::Record& record : records(scratch / "run")) EXPECT_EQ(record.kind, "probe");
}

TEST(Program, RefinesFootprintsAroundAKnee) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  const auto dir = scratch / "run";
  Program program(scratch, {"probe", "--config", config, "--output", dir, "--set", "probes.random_access.refine=true",
                            "--set", "probes.random_access.footprint_bytes={\"from\":65536,\"to\":16777216}"});
  EXPECT_EQ(program.wait(), 0) << program.err();
  int refined = 0;
  for (const results::Record& record : records(dir)) {
    if (record.phase != "refine") continue;
    ++refined;
    const auto footprint = record.state.point.integer("footprint_bytes");
    EXPECT_GE(footprint, 1 << 19);
    EXPECT_LE(footprint, 1 << 22);
  }
  EXPECT_GE(refined, 1);
  ASSERT_EQ(run_json(dir)["knees"].size(), 1u);
  const nlohmann::json knee = run_json(dir)["knees"][0];
  EXPECT_LE(knee["from_bytes"].get<double>(), 1.5e6);
  EXPECT_GE(knee["to_bytes"].get<double>(), 1e6);
  EXPECT_EQ(knee["probe"], "random_access");
  EXPECT_EQ(knee["unit"], "bytes/s");
}

TEST(Program, PlansListsAndValidates) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  Program plan(scratch, {"plan", "--config", config});
  EXPECT_EQ(plan.wait(), 0) << plan.err();
  EXPECT_THAT(plan.out(), AllOf(HasSubstr("6 states (3 of probes, 3 of kernels)"), HasSubstr("toy/steady")));
  Program list(scratch, {"list", "--json"});
  EXPECT_EQ(list.wait(), 0) << list.err();
  const nlohmann::json listed = parse_json(list.out(), "list");
  EXPECT_EQ(listed["families"][0]["name"], "toy");
  EXPECT_EQ(listed["families"][0]["variants"][0]["axes"][0]["name"], "speed");
  EXPECT_TRUE(listed["devices"].contains("cpu"));
  for (const char* topic : {"families", "variants", "axes", "probes", "devices"})
    EXPECT_EQ(run(scratch, {"list", topic}), 0) << topic;
  EXPECT_EQ(run(scratch, {"validate", "--config", config}), 0);
  EXPECT_EQ(run(scratch, {"validate", "--config", config, "--set", "seed=-1"}), 2);
}

TEST(Program, ValidatesTheRecordsOfARun) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  ASSERT_EQ(run(scratch, {"probe", "--config", config, "--output", scratch / "run"}), 0);
  EXPECT_EQ(run(scratch, {"validate", scratch / "run"}), 0);
  std::ofstream(scratch / "run" / "records.jsonl", std::ios::app) << "{\"schema_version\": 1}\n";
  EXPECT_EQ(run(scratch, {"validate", scratch / "run"}), 2);
}

TEST(Program, ExecWritesTheAnswersOfOneVariantAtOnePoint) {
  const Scratch scratch;
  const auto toys = scratch.write("toys.fa", ">t\nA\n");
  const auto out = scratch / "answers.txt";
  Program program(scratch, {"exec", "toy", "--variant", "steady", "--point", "speed=2", "--data",
                            "toys=" + toys.string(), "--device", "cpu", "--out", out});
  EXPECT_EQ(program.wait(), 0) << program.err();
  EXPECT_EQ(content(out), "steady speed=2,d=64 on cpu\n");
  EXPECT_EQ(run(scratch, {"exec", "toy", "--variant", "steady", "--point", "speed=3", "--out", out}), 2);
  EXPECT_EQ(run(scratch, {"exec", "toy", "--variant", "none", "--out", out}), 2);
  EXPECT_EQ(run(scratch, {"exec", "toy", "--variant", "steady", "--data", "reads=x", "--out", out}), 2);
}

TEST(Program, HelpIsThereAtEveryLevel) {
  const Scratch scratch;
  for (const char* command : {"run", "probe", "plan", "list", "report", "validate", "exec", "compile"}) {
    Program program(scratch, {command, "--help"});
    EXPECT_EQ(program.wait(), 0) << command;
    EXPECT_THAT(program.out(), HasSubstr("--")) << command;
  }
  Program program(scratch, {"--help"});
  EXPECT_EQ(program.wait(), 0);
  EXPECT_THAT(program.out(), AllOf(HasSubstr("exec"), HasSubstr("Exit codes"), Not(HasSubstr("worker"))));
}

}  // namespace
}  // namespace gpuseq::bench

int main(int argc, char** argv) {
  if (std::getenv("GPUSEQ_TEST_PROGRAM") != nullptr)
    return gpuseq::bench::run_program(argc, argv, gpuseq::bench::testing::toy_registry());
  ::testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
