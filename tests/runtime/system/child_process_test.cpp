#include "runtime/system/child_process.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <thread>

#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/io/file_descriptor.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Children : public ::testing::Test {
 protected:
  /// A script, ready to be run with its output and errors in files.
  ChildCommand script(const std::string& text) const {
    const auto path = folder_.write("program.sh", "#!/bin/sh\n" + text + "\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return {.arguments = {path.string()},
            .out = folder_.path() / "out.txt",
            .err = folder_.path() / "err.txt",
            .folder = folder_.path(),
            .timeout_s = 20};
  }
  std::string read(const std::string& name) const { return read_file(folder_.path() / name); }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_.path() / name); }

  static ChildFailed failure(const ChildCommand& command) {
    try {
      run_child(command);
    } catch (const ChildFailed& failed) {
      return failed;
    }
    return {"none", "no failure"};
  }

  TemporaryFolder folder_;
};

TEST_F(Children, OutputAndErrorsGoToTheirFilesAndArgumentsPassUnchanged) {
  ChildCommand command = script("printf '%s|' \"$@\"; echo oops >&2");
  for (const char* argument : {"a b", "$HOME", "", "*;'\""}) command.arguments.push_back(argument);
  run_child(command);
  EXPECT_EQ(read("out.txt"), "a b|$HOME||*;'\"|");
  EXPECT_EQ(read("err.txt"), "oops\n");
}

TEST_F(Children, ItsInputIsEmptyAndItRunsInItsFolder) {
  run_child(script("cat; pwd"));
  EXPECT_EQ(read("out.txt"), std::filesystem::canonical(folder_.path()).string() + "\n");
}

TEST_F(Children, TimesAndMemoryAreThoseOfTheProgram) {
  const ChildUse use =
      run_child(script("sleep 0.2; i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; head -c 200000000 "
                       "/dev/zero | tail -n 1"));
  EXPECT_GE(use.elapsed_s, 0.2);
  EXPECT_GT(use.cpu_s, 0.001);
  EXPECT_LT(use.cpu_s, use.elapsed_s + 0.1);
  EXPECT_GE(use.peak_memory_bytes, 200'000'000u);
  EXPECT_LT(use.peak_memory_bytes, 500'000'000u);
}

TEST_F(Children, MemoryThatHidesBehindThisProcessIsUnknown) {
  const std::string large(50'000'000, 'x');
  EXPECT_EQ(run_child(script("true")).peak_memory_bytes, 0u) << large.size();
}

TEST_F(Children, AnExitCodeIsAnErrorWithTheLastLinesOfWhatItSaid) {
  const ChildFailed failed = failure(script("echo first >&2; echo 'no such \033[31mindex' >&2; exit 7"));
  EXPECT_EQ(failed.kind, "error");
  expect_text(failed.what());
}

TEST_F(Children, ASignalIsACrashThatNamesIt) {
  const ChildFailed failed = failure(script("kill -SEGV $$"));
  EXPECT_EQ(failed.kind, "crash");
  expect_text(failed.what());
}

TEST_F(Children, OneThatHangsIsKilledWithWhatItStarted) {
  ChildCommand command = script("(sleep 1.5; touch late) & sleep 60");
  command.timeout_s = 0.3;
  const auto start = std::chrono::steady_clock::now();
  const ChildFailed failed = failure(command);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_EQ(failed.kind, "timeout");
  expect_text(failed.what());
  std::this_thread::sleep_for(std::chrono::seconds(2));
  EXPECT_FALSE(exists("late"));
}

TEST_F(Children, WhatItLeavesBehindIsKilledToo) {
  run_child(script("(sleep 1; touch late) & exit 0"));
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  EXPECT_FALSE(exists("late"));
}

TEST_F(Children, OneThatWritesTooMuchIsStopped) {
  ChildCommand command = script("exec head -c 10000000 /dev/zero");
  command.most_file_bytes = 1'000'000;
  const ChildFailed failed = failure(command);
  expect_text(failed.what());
  EXPECT_LE(std::filesystem::file_size(folder_.path() / "out.txt"), 1'000'000u);
}

TEST_F(Children, WhatIsNoProgramCannotBeStarted) {
  EXPECT_THROW(run_child({.arguments = {}}), ResourceError);
  EXPECT_THROW(run_child({.arguments = {"gpuseq-no-such-program"}}), ResourceError);
  EXPECT_THROW(run_child({.arguments = {folder_.path().string()}}), ResourceError);
  ChildCommand command = script("true");
  folder_.write("program.sh", "#!/no/such/interpreter\n");
  EXPECT_THROW(run_child(command), ResourceError);
  command.folder = folder_.path() / "missing";
  EXPECT_THROW(run_child(command), ResourceError);
}

TEST_F(Children, AnInterruptKillsTheProgramAndThenTakesItsCourse) {
  const ChildCommand command = script("touch begun; (sleep 2; touch late) & sleep 60");
  const pid_t parent = fork();
  if (parent == 0) {
    signal(SIGINT, SIG_DFL);
    try {
      run_child(command);
    } catch (...) {
    }
    _exit(3);
  }
  for (int i = 0; i < 1000 && !exists("begun"); ++i) usleep(10'000);
  ASSERT_TRUE(exists("begun"));
  kill(parent, SIGINT);
  int status = 0;
  waitpid(parent, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status;
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  EXPECT_FALSE(exists("late"));
}

TEST_F(Children, TheProgramDiesWithTheProcessThatStartedIt) {
  const ChildCommand command = script("touch begun; sleep 2; touch late");
  const pid_t parent = fork();
  if (parent == 0) {
    try {
      run_child(command);
    } catch (...) {
    }
    _exit(3);
  }
  for (int i = 0; i < 1000 && !exists("begun"); ++i) usleep(10'000);
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  EXPECT_FALSE(exists("late"));
}

TEST_F(Children, WhatTheProgramStartedDiesWithTheProcessToo) {
  const ChildCommand command = script("sleep 1000 & echo $! > started.part; mv started.part started; wait");
  const pid_t parent = fork();
  if (parent == 0) {
    try {
      run_child(command);
    } catch (...) {
    }
    _exit(3);
  }
  for (int i = 0; i < 3000 && !exists("started"); ++i) usleep(10'000);
  ASSERT_TRUE(exists("started"));
  const pid_t started = std::stoi(read("started"));
  EXPECT_EQ(kill(started, 0), 0);
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  const auto is_gone = [&] {
    const std::string file = "/proc/" + std::to_string(started) + "/stat";
    return !std::filesystem::exists(file) || read_file(file).find(") Z") != std::string::npos;
  };
  for (int i = 0; i < 3000 && !is_gone(); ++i) usleep(10'000);
  EXPECT_TRUE(is_gone());
}

TEST_F(Children, OneThatIsGivenUpIsKilledForTheReason) {
  ChildCommand command = script("trap '' TERM INT; (sleep 1.5; touch late) & while :; do sleep 1; done");
  int asked = 0;
  command.why_end = [&]() -> std::string { return ++asked < 2 ? "" : "no process waits for it"; };
  const ChildFailed failed = failure(command);
  EXPECT_EQ(failed.kind, "timeout");
  expect_text(failed.what());
  std::this_thread::sleep_for(std::chrono::seconds(2));
  EXPECT_FALSE(exists("late"));
}

TEST_F(Children, HasTheDescriptorsThatAreKeptAndNoOthers) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  const FileDescriptor from(ends[0]), to(ends[1]);
  const std::string number = std::to_string(to.get());
  ChildCommand command = script("echo kept > /proc/self/fd/" + number);
  EXPECT_EQ(failure(command).kind, "error");
  command.kept = {to.get()};
  EXPECT_EQ(failure(command).kind, "none");
  std::array<char, 16> got{};
  EXPECT_EQ(::read(from.get(), got.data(), got.size()), 5);
}

TEST(FindProgram, LooksInPathForNamesAndNowhereElseForPaths) {
  EXPECT_TRUE(find_program("sh"));
  EXPECT_TRUE(find_program("/bin/sh"));
  EXPECT_FALSE(find_program(""));
  EXPECT_FALSE(find_program("gpuseq-no-such-program"));
  EXPECT_FALSE(find_program("/"));
  EXPECT_FALSE(find_program("/etc/passwd"));
}

TEST(LastLines, AreOneShortPrintableLine) {
  EXPECT_EQ(last_lines(""), "");
  EXPECT_EQ(last_lines("a\nb\n\nc\nd\n"), "b | c | d");
  EXPECT_EQ(last_lines("1 %\r2 %\r\xff\xfe"), "1 % | 2 %");
  EXPECT_LE(last_lines(std::string(100'000, 'x')).size(), 403u);
  EXPECT_THAT(last_lines("tab\there"), Not(HasSubstr("\t")));
}

}  // namespace
}  // namespace gpuseq
