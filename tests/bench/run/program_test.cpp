#include <sys/mount.h>

#include <cstdlib>

#include "bench/config/schema_check.hpp"
#include "bench/run/run_folder.hpp"
#include "results/record_schema.hpp"
#include "tests/bench/lines.hpp"
#include "tests/bench/toy_program.hpp"
#include "tests/golden_text.hpp"

// Runs from config to report, and their possible failures.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Program, RunsFromConfigToSummary) {
  setenv("GPUSEQ_PYTHON", "", 1);  // the package of the checkout
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  const auto dir = scratch / "run";
  Program program(scratch, {"--config", config, "--output", dir});
  ASSERT_EQ(program.wait(), 0) << program.err();

  const nlohmann::json summary = run_json(dir);
  EXPECT_EQ(summary["complete"], true);
  EXPECT_EQ(summary["schema"], kRunSchema);
  EXPECT_EQ(summary["counts"],
            nlohmann::json::parse(R"({"ok": 15, "failed": 0, "skipped": 0})"));  // 3 + 3 + 3 x 3
  ASSERT_EQ(summary["tuned"].size(), 1u);
  EXPECT_EQ(summary["tuned"][0]["point"]["speed"], 4);
  EXPECT_EQ(summary["tuned"][0]["measured_again"], true);
  EXPECT_EQ(summary["tuned"][0]["runners_up"].size(), 2u);
  EXPECT_GT(summary["tuned"][0]["fraction_of_bound"].get<double>(), 0);
  EXPECT_TRUE(summary["devices"]["cpu"].contains("name"));
  EXPECT_EQ(summary["tuned"][0]["problem_label"], "a box of toys");
  EXPECT_THAT(program.out(), AllOf(HasSubstr("toy, a box of toys; rates in"),
                                   HasSubstr("cpu     steady speed=4"), HasSubstr("15 measured")));
  EXPECT_EQ(summary["defaults"]["toy"]["variants"]["steady"]["speed"], 1);
  EXPECT_THAT(program.err(), AllOf(HasSubstr("of 9 states"), HasSubstr("; kernels\n"), HasSubstr(" 50 %")));
  EXPECT_TRUE(std::filesystem::exists(dir / "report.html"));
}

TEST(Program, RecordsSatisfyTheirSchemaAndCarryTheirProvenance) {
  const Scratch scratch;
  const auto config =
      scratch.write("toys.json", small_config(R"({"steady": {}, "wrong": {}, "too_big": {}, "broken": {}})"));
  const auto dir = scratch / "run";
  EXPECT_EQ(run(scratch, {"--config", config, "--output", dir}), 1);

  const nlohmann::json schema = parse_json(results::record_schema(), "record.schema.json");
  std::istringstream lines(content(dir / "records.jsonl"));
  std::map<std::string, int> statuses;
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json read = nlohmann::json::parse(line);
    EXPECT_NO_THROW(check_schema(read, schema, "line")) << line;
    if (read.contains("status")) ++statuses[read["status"].get<std::string>()];
  }
  for (const results::Record& record : records(dir)) {
    for (const char* field : {"program", "config_hash", "seed", "host", "device"})
      EXPECT_TRUE(record.provenance.contains(field)) << field;
    EXPECT_TRUE(record.provenance["device"].contains("caches"));
    EXPECT_FALSE(record.date.empty());
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
  expect_text(failures["broken"].reason);
}

TEST(Program, ExtraPassesOfWinnersAreTheirsAlone) {
  const Scratch scratch;
  const auto config = scratch.write(
      "toys.json",
      small_config(R"({"steady": {"speed": "all"}})", R"(, "counters": "winners", "energy": "winners")"));
  const auto dir = scratch / "run";
  EXPECT_EQ(run(scratch, {"--config", config, "--output", dir}), 0);
  const nlohmann::json winner = run_json(dir)["tuned"][0];
  int extra = 0;
  for (const results::Record& record : records(dir)) {
    if (record.kind != "kernel") continue;
    const bool of_winner = record.phase == "winner";
    EXPECT_EQ(record.counters.reason == "not asked for", !of_winner) << record.phase;
    EXPECT_EQ(record.energy.reason == "not asked for", !of_winner) << record.phase;
    if (!of_winner) continue;
    ++extra;
    EXPECT_EQ(nlohmann::json(record.state.point.to_json()), winner["point"]);
  }
  EXPECT_EQ(extra, 1);
  EXPECT_EQ(run(scratch, {"--resume", dir}), 0);
  EXPECT_EQ(run_json(dir)["tuned"][0]["point"], winner["point"]);
}

TEST(Program, AWinnerKeepsToALimitOfBytesAndTheBestWithoutItStandsBesideIt) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  const auto dir = scratch / "run";
  Program program(scratch, {"--config", config, "--output", dir, "--max-bytes", "2.5G"});
  ASSERT_EQ(program.wait(), 0) << program.err();
  const nlohmann::json summary = run_json(dir);
  EXPECT_EQ(summary["config"]["limits"]["max_bytes"], 2'500'000'000);
  EXPECT_TRUE(summary["nothing_fits"].empty());
  const nlohmann::json winner = summary["tuned"].at(0);
  EXPECT_EQ(winner["point"]["speed"], 2);
  EXPECT_EQ(winner["memory"],
            nlohmann::json::parse(R"({"bytes": 2000000000, "parts": {"box": 1999999900, "output": 100}})"));
  EXPECT_EQ(winner["max_bytes"], 2'500'000'000);
  EXPECT_EQ(winner["without_limit"]["point"]["speed"], 4);
  EXPECT_EQ(winner["without_limit"]["measured_again"], true);
  EXPECT_EQ(winner["without_limit"]["memory"]["bytes"], 4'000'000'000);
  for (const results::Record& record : records(dir))
    EXPECT_EQ(record.memory.value.has_value(), record.kind == "kernel") << record.memory.reason;
  // It goes on with its limit, and with no other.
  EXPECT_EQ(run(scratch, {"--resume", dir, "--max-bytes", "1M"}), 2);
  EXPECT_EQ(run(scratch, {"--resume", dir}), 0);
  EXPECT_EQ(run_json(dir)["tuned"][0]["point"]["speed"], 2);
}

TEST(Program, SaysThatNothingKeepsToALimitAndTheLeastThatThereIs) {
  const Scratch scratch;
  const auto config = scratch.write(
      "toys.json", small_config(R"({"steady": {"speed": "all"}})", R"(, "limits": {"max_bytes": "0.9GB"})"));
  const auto dir = scratch / "run";
  EXPECT_EQ(run(scratch, {"--config", config, "--output", dir}), 0);
  const nlohmann::json summary = run_json(dir);
  EXPECT_TRUE(summary["tuned"].empty());
  const nlohmann::json none = summary["nothing_fits"].at(0);
  EXPECT_EQ(none["least"]["memory"]["bytes"], 1'000'000'000);
  EXPECT_EQ(none["without_limit"]["point"]["speed"], 4);
}

TEST(Program, AsADeviceOfLessMemoryLeavesOutWhatHoldsMoreAndEndsFootprintsThere) {
  const Scratch scratch;
  const auto config =
      scratch.write("toys.json", std::string("{\"name\": \"toys\", \"devices\": \"cpu\", ") + kSampling + R"(,
    "probes": {"random_access": {"footprint_bytes": {"from": 1048576, "to": "device"}}},
    "families": {"toy": {"problems": [{}], "variants": {"steady": {"speed": "all"}}}}})");
  const auto dir = scratch / "run";
  EXPECT_EQ(run(scratch, {"--config", config, "--output", dir, "--device-memory", "3G"}), 0);
  int skipped = 0;
  for (const results::Record& record : records(dir)) {
    if (record.kind == "probe") {
      EXPECT_LE(record.state.point.integer("footprint_bytes"), 3'000'000'000);
    }
    if (record.kind != "kernel" || record.status == results::Status::ok) continue;
    ++skipped;
    EXPECT_EQ(record.state.point.integer("speed"), 4);
    EXPECT_EQ(record.failure->kind, "does_not_fit");
    expect_text(record.failure->reason);
  }
  EXPECT_EQ(skipped, 1);
  Program wrong(scratch, {"--config", config, "--device-memory", "lots"});
  EXPECT_EQ(wrong.wait(), 2);
  expect_text(wrong.err());
}

TEST(Program, ACrashAndAHangCostOneFailedRecordEach) {
  const Scratch scratch;
  const auto config = scratch.write(
      "toys.json",
      small_config(R"({"crash": {}, "hang": {}, "steady": {"speed": [1, 2]}})", R"(, "timeout_s": 4)"));
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
  slow.replace(
      slow.find(kSampling), std::string(kSampling).size(),
      R"("sampling": {"min_samples": 200, "max_samples": 200, "max_seconds": 9, "probe_passes": 1})");
  const auto config = scratch.write("toys.json", slow);
  const auto dir = scratch / "run";
  {
    Program program(scratch, {"--config", config, "--output", dir});
    ASSERT_TRUE(wait_until([&] { return count_lines(dir / "records.jsonl", "\"state\"") >= 4; }));
    program.kill(SIGKILL);
    EXPECT_EQ(program.wait(), -SIGKILL);
  }
  // The worker dies with it; a journal without a writer no longer grows.
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(run_json(dir)["complete"], false);
  ASSERT_LT(records(dir).size(), 15u);
  Program program(scratch, {"--resume", dir});
  ASSERT_EQ(program.wait(), 0) << program.err();
  EXPECT_EQ(run_json(dir)["complete"], true);
  EXPECT_EQ(records(dir).size(), 15u);
  std::set<std::string> seen;
  for (const results::Record& record : records(dir))
    EXPECT_TRUE(
        seen.insert(record.state.to_string() + record.phase + std::to_string(record.repetition)).second);
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
  expect_text(program.err());
  EXPECT_EQ(run(scratch, {"--resume", scratch / "nowhere"}), 2);
}

TEST(Program, GoesOnOnAnotherDeviceOnlyWhereThatIsAllowed) {
  const Scratch scratch;
  const std::filesystem::path dir = scratch / "run";
  ASSERT_EQ(run(scratch, {"--config", scratch.write("toys.json", small_config()), "--output", dir}), 0);
  // As if all but the last record were of another machine, and the last were to be measured still.
  std::vector<results::Record> all = records(dir);
  all.pop_back();
  std::filesystem::remove(dir / "records.jsonl");
  {
    results::Journal journal(dir / "records.jsonl");
    for (results::Record& record : all) {
      nlohmann::json provenance = *record.provenance;
      provenance["device"]["name"] = "Another Processor";
      record.provenance = std::move(provenance);
      journal.append(record);
    }
  }
  const Result refused = result_of(scratch, "run", {"--resume", dir});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("cpu was Another Processor"), HasSubstr("--on-other-devices")));
  EXPECT_EQ(records(dir).size(), all.size());
  EXPECT_EQ(run(scratch, {"--resume", dir, "--on-other-devices"}), 0);
  EXPECT_GT(records(dir).size(), all.size());
}

TEST(Program, CtrlCLeavesAValidJournalAndSaysHowToGoOn) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config(R"({"hang": {}})", R"(, "timeout_s": 60)"));
  const auto dir = scratch / "run";
  Program program(scratch, {"--config", config, "--output", dir});
  ASSERT_TRUE(wait_until([&] { return count_lines(scratch / "toys.log", "hang") == 1; }));
  program.kill(SIGINT);
  EXPECT_EQ(program.wait(), 130);
  EXPECT_EQ(records(dir).size(), 3u);
  EXPECT_EQ(run_json(dir)["complete"], false);
  EXPECT_EQ(run_json(dir)["counts"]["failed"], 0);
  expect_text(lines_with(program.err(), "--resume"));
}

TEST(Program, ARunFolderThatCannotBeWrittenIsAnErrorBeforeAnythingIsMeasured) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  scratch.write("file", "not a folder");
  Program program(scratch, {"--config", config, "--output", scratch / "file" / "run"});
  EXPECT_EQ(program.wait(), 2);
  expect_text(program.err());
  EXPECT_FALSE(std::filesystem::exists(scratch / "toys.log"));
}

TEST(Program, AFolderWithARunInItIsNotOverwritten) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  const auto dir = scratch / "run";
  ASSERT_EQ(run(scratch, {"--config", config, "--output", dir, "--benchmark_filter=steady.*speed=1"}), 0);
  Program program(scratch, {"--config", config, "--output", dir});
  EXPECT_EQ(program.wait(), 2);
  expect_text(program.err());
}

TEST(Program, ADiskThatIsFullFromTheStartIsAnErrorBeforeAnythingIsMeasured) {
  const Scratch scratch;
  const auto disk = scratch / "disk";
  std::filesystem::create_directory(disk);
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=64k") != 0)
    GTEST_SKIP() << "no permission to mount a tmpfs";
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
  expect_text(lines_with(program.err(), "not a toy"));
}

TEST(Program, ProbeRunsProbesAlone) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  EXPECT_EQ(run(scratch, {"probe", "--config", config, "--output", scratch / "run"}), 0);
  for (const results::Record& record : records(scratch / "run")) EXPECT_EQ(record.kind, "probe");
}

TEST(Program, RefinesFootprintsWhereALevelEnds) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  const auto dir = scratch / "run";
  Program program(scratch,
                  {"probe", "--config", config, "--output", dir, "--set", "probes.random_access.refine=true",
                   "--set", "probes.random_access.footprint_bytes={\"from\":65536,\"to\":16777216}",
                   // Medians that some interrupted launches do not move.
                   "--set", "sampling={\"min_samples\":25,\"max_samples\":25,\"max_seconds\":5}"});
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
}

}  // namespace
}  // namespace gpuseq::bench
