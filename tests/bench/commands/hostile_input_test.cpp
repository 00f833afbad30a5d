#include <fmt/format.h>

#include "bench/config/schema_check.hpp"
#include "tests/bench/toy_program.hpp"
#include "tests/golden_text.hpp"

// Configs and command lines that are never written by intent: refused with exit code 2
// and words that say where and which values are allowed, before anything is measured.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using ::testing::ContainsRegex;
using ::testing::Not;

constexpr const char* kWordsOfLibraries =
    "json\\.exception|std::|basic_string|bad_alloc|vector::|stoi|stoul|terminate|what\\(\\)";

/// Refused in our words, of a length that can be read.
void expect_refused(const Result& result) {
  EXPECT_EQ(result.code, 2) << result.err.substr(0, 500);
  expect_text(result.err);
  EXPECT_THAT(result.err, Not(ContainsRegex(kWordsOfLibraries)));
  EXPECT_LT(result.err.size(), 2000u) << result.err.substr(0, 500);
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

std::string nested(int deep) {
  return repeated("[", deep) + repeated("]", deep);
}

/// `plan` of the toys' config with a member more.
Result planned_with(const std::string& more, std::vector<std::string> arguments = {}) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config(R"({"steady": {}})", more));
  arguments.insert(arguments.begin(), {"--config", config});
  return result_of(scratch, "plan", std::move(arguments));
}

TEST(HostileConfig, NestedTooDeepIsRefusedAtItsPlace) {
  for (const int deep : {101, 20'000, 1'000'000}) {
    const Scratch scratch;
    const auto config = scratch.write("deep.json", "{\"name\": \"a\",\n \"tools\": " + nested(deep) + "}");
    expect_refused(result_of(scratch, "plan", {"--config", config}));
  }
  // The limit itself is read, copied and checked; a schema reports its error.
  expect_refused(planned_with(R"(, "tools": )" + nested(99)));
  expect_refused(planned_with(R"(, "data": {"d": )" + nested(97) + "}"));
}

TEST(HostileConfig, AFileThatIsNoFileOrTooLongIsRefusedBeforeItIsRead) {
  const Scratch scratch;
  const auto pipe = scratch / "pipe", sparse = scratch.write("sparse.json", "");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::filesystem::resize_file(sparse, std::uintmax_t{1} << 40);
  expect_refused(result_of(scratch, "plan", {"--config", "/dev/zero"}));
  expect_refused(result_of(scratch, "plan", {"--config", pipe}));
  expect_refused(result_of(scratch, "plan", {"--config", scratch / ""}));
  expect_refused(result_of(scratch, "plan", {"--config", sparse}));
  expect_refused(result_of(scratch, "list", {"tools", "--tools", pipe}));
}

TEST(HostileConfig, LongTextsAreRefusedAndThoseAtTheLimitAreRead) {
  expect_refused(planned_with(R"(, "description": ")" + std::string(4097, 'a') + "\""));
  expect_refused(planned_with(R"(, ")" + std::string(4097, 'k') + "\": 1"));
  expect_refused(planned_with("", {"--set", "name=" + std::string(20'000, 'a')}));
  expect_refused(planned_with("", {"--set", "name=" + std::string(4096, 'a')}));
  EXPECT_EQ(planned_with("", {"--set", "name=" + std::string(200, 'a')}).code, 0);
  EXPECT_EQ(planned_with("", {"--set", "description=" + std::string(4096, 'a')}).code, 0);
}

TEST(HostileConfig, OverridesAreBounded) {
  expect_refused(planned_with("", {"--set", "a" + repeated(".a", 20'000) + "=1"}));
  expect_refused(planned_with("", {"--set", repeated(".", 20'000) + "=1"}));
  expect_refused(planned_with("", {"--set", std::string(20'000, 'a')}));
  expect_refused(planned_with("", {"--set", "tools=" + nested(20'000)}));
  expect_refused(planned_with("", {"--set", "a" + repeated(".a", 99) + "=" + nested(100)}));
}

TEST(HostileConfig, NumbersThatNothingHoldsAreRefusedWhereTheyStand) {
  expect_refused(planned_with(R"(, "timeout_s": 1e999)"));
  expect_refused(planned_with("", {"--set", "timeout_s=1e999"}));
  for (const char* more :
       {R"(, "timeout_s": 1e308)", R"(, "timeout_s": -1)", R"(, "seed": 9223372036854775808)",
        R"(, "seed": 99999999999999999999)", R"(, "sampling2": 1)", R"(, "seed": -1)"}) {
    expect_refused(planned_with(more));
  }
  for (const char* set :
       {"sampling.max_samples=1000000000000", "sampling.max_seconds=1e308", "sampling.min_seconds=1e9",
        "sampling.warmup=4294967297", "tune.rounds=4294967297", "probes.random_access.footprint_bytes=-1",
        "probes.random_access.footprint_bytes=9223372036854775808",
        "probes.random_access.footprint_bytes={\"from\":1024,\"to\":9223372036854775807}",
        "probes.random_access.footprint_bytes={\"from\":1024,\"to\":2048,\"per_octave\":1000000000}"}) {
    expect_refused(planned_with("", {"--set", set}));
  }
}

TEST(HostileConfig, LongListsAreRefusedByTheirLength) {
  const std::string long_list = fmt::format("[1{}]", repeated(",1", 1'000'000));
  for (const std::string& more :
       {R"(, "probes": {"random_access": {"block_bytes": )" + long_list + "}}",
        R"(, "probes": {"random_access": {"footprint_bytes": )" + long_list + "}}"}) {
    const Scratch scratch;
    const auto config = scratch.write("long.json", R"({"name": "a", "devices": "cpu")" + more + "}");
    expect_refused(result_of(scratch, "plan", {"--config", config}));
  }
}

TEST(HostileFlags, ValuesThatTheLibraryMayNotSeeAreRefused) {
  for (const char* flag : {"--benchmark_repetitions=2147483647",
                           "--benchmark_repetitions=-1",
                           "--benchmark_repetitions=",
                           "--benchmark_repetitions=1e3",
                           "--benchmark_repetitions=99999999999999999999",
                           "--benchmark_min_time=1e308x",
                           "--benchmark_min_time=nan",
                           "--benchmark_min_time=inf",
                           "--benchmark_min_time=1e999",
                           "--benchmark_min_time=-1s",
                           "--benchmark_min_time=",
                           "--benchmark_min_time",
                           "--benchmark_min_time=s",
                           "--benchmark_min_time=x",
                           "--benchmark_min_time=2147483648x",
                           "--benchmark_min_warmup_time=1",
                           "--benchmark_perf_counters=CYCLES",
                           "--benchmark_time_unit=years",
                           "--benchmark_color=mauve",
                           "--benchmark_context=",
                           "--benchmark_context==v",
                           "--benchmark_v=1e9",
                           "--benchmark_list_tests=banana",
                           "--benchmark_out_format=",
                           "--benchmark_",
                           "--benchmark_enable_random_interleaving=perhaps"})
    expect_refused(planned_with("", {flag}));
  expect_refused(planned_with("", {"--benchmark_color=" + std::string(20'000, 'a')}));
  for (const char* flag :
       {"--benchmark_repetitions=1000000", "--benchmark_min_time=0.5s", "--benchmark_min_time=1000000x",
        "--benchmark_time_unit=ms", "--benchmark_color=auto", "--benchmark_context=a=b",
        "--benchmark_counters_tabular"})
    EXPECT_EQ(planned_with("", {flag}).code, 0) << flag;
}

TEST(HostileNumbers, AMeasurementThatJsonCannotHoldIsAFailedRecord) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config(R"({"no_number": {}, "steady": {}})"));
  const auto dir = scratch / "run";
  const Result result = result_of(scratch, "run", {"--config", config, "--output", dir, "--no-report"});
  EXPECT_EQ(result.code, 1) << result.err;
  int failed = 0;
  for (const results::Record& record : records(dir)) {
    if (record.status != results::Status::failed) continue;
    ++failed;
    EXPECT_EQ(record.state.variant, "no_number");
    EXPECT_EQ(record.failure->kind, "error");
    expect_text(record.failure->reason);
    EXPECT_TRUE(record.samples_s.empty());
  }
  EXPECT_EQ(failed, 1);
  EXPECT_EQ(run_json(dir)["complete"], true);
}

}  // namespace
}  // namespace gpuseq::bench
