#include "tests/bench/toy_program.hpp"

// Standard output and standard error that take nothing: closed, full, or without a reader.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using ::testing::HasSubstr;

void replace(int descriptor, const char* path) {
  const int file = open(path, O_WRONLY);
  dup2(file, descriptor);
  close(file);
}

/// A pipe whose reader has gone.
void make_broken(int descriptor) {
  int ends[2];
  if (pipe(ends) != 0) _exit(125);
  dup2(ends[1], descriptor);
  close(ends[0]);
  close(ends[1]);
}

std::vector<std::vector<std::string>> printing_commands(const std::filesystem::path& config) {
  return {{"plan", "--config", config},
          {"plan", "--states", "--config", config},
          {"list"},
          {"list", "--json"},
          {"validate", "--config", config},
          {"run", "--benchmark_list_tests", "--config", config},
          {"--help"},
          {"--version"}};
}

TEST(StandardStreams, AFullOutputIsAnErrorThatIsTold) {
  const Scratch scratch;
  for (const auto& command : printing_commands(scratch.write("toys.json", small_config()))) {
    Program program(scratch, command, [] { replace(1, "/dev/full"); });
    EXPECT_EQ(program.wait(), 2) << command.front();
    EXPECT_THAT(program.err(), HasSubstr("standard output cannot be written: "));
  }
}

TEST(StandardStreams, AClosedOutputIsAnErrorThatIsTold) {
  const Scratch scratch;
  for (const auto& command : printing_commands(scratch.write("toys.json", small_config()))) {
    Program program(scratch, command, [] { close(1); });
    EXPECT_EQ(program.wait(), 2) << command.front();
    EXPECT_THAT(program.err(), HasSubstr("standard output cannot be written")) << command.front();
  }
}

TEST(StandardStreams, AnErrorThatCannotBeToldKeepsItsExitCode) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  for (const std::function<void()>& prepare :
       std::vector<std::function<void()>>{[] { close(2); }, [] { replace(2, "/dev/full"); },
                                          [] {
                                            close(1);
                                            close(2);
                                          },
                                          [] {
                                            replace(1, "/dev/full");
                                            replace(2, "/dev/full");
                                          }}) {
    Program wrong(scratch, {"plan", "--config", scratch / "none.json"}, prepare);
    EXPECT_EQ(wrong.wait(), 2);
  }
  Program right(scratch, {"plan", "--config", config}, [] { close(2); });
  EXPECT_EQ(right.wait(), 0);
}

TEST(StandardStreams, WhatIsMeasuredIsKeptWhateverTheyTake) {
  struct Case {
    const char* name;
    std::function<void()> prepare;
    int code;
  };
  const std::vector<Case> cases{{"no descriptors", [] { close(0), close(1), close(2); }, 2},
                                {"no errors", [] { close(2); }, 0},
                                {"full errors", [] { replace(2, "/dev/full"); }, 0},
                                {"full both", [] { replace(1, "/dev/full"), replace(2, "/dev/full"); }, 2},
                                {"broken errors", [] { make_broken(2); }, 0},
                                {"broken both", [] { make_broken(1), make_broken(2); }, 2}};
  for (const Case& now : cases) {
    const Scratch scratch;
    const auto config = scratch.write("toys.json", small_config());
    const auto dir = scratch / "run";
    Program program(scratch, {"--config", config, "--output", dir, "--no-report"}, now.prepare);
    EXPECT_EQ(program.wait(), now.code) << now.name;
    EXPECT_EQ(records(dir).size(), 15u) << now.name;
    EXPECT_EQ(run_json(dir)["complete"], true) << now.name;
  }
}

TEST(StandardStreams, AFailedStateIsStillTheExitCode) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config(R"({"wrong": {}, "crash": {}})"));
  const auto dir = scratch / "run";
  Program program(scratch, {"--config", config, "--output", dir, "--no-report"}, [] {
    replace(1, "/dev/full");
    replace(2, "/dev/full");
  });
  EXPECT_EQ(program.wait(), 1);
  EXPECT_EQ(records(dir).size(), 5u);
}

}  // namespace
}  // namespace gpuseq::bench
