#include "bench/run/run_lock.hpp"

#include <cstdlib>
#include <future>
#include <set>

#include "tests/bench/lines.hpp"
#include "tests/bench/toy_program.hpp"
#include "tests/golden_text.hpp"

// A run folder is used by one command at a time.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// A process that does something and then waits for its end.
class Child {
 public:
  explicit Child(const std::function<void()>& what) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    pid_ = fork();
    if (pid_ == 0) {
      what();
      EXPECT_EQ(::write(ends[1], "x", 1), 1);
      while (true) pause();
    }
    char done;
    EXPECT_EQ(::read(ends[0], &done, 1), 1);
    close(ends[0]);
    close(ends[1]);
  }
  ~Child() { end(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  pid_t pid() const { return pid_; }
  void end() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  pid_t pid_ = -1;
};

TEST(RunLock, RefusesASecondHolderAndNamesTheFirst) {
  const Scratch scratch;
  const auto dir = scratch / "";
  {
    const RunLock first(dir);
    EXPECT_THAT([&] { RunLock second(dir); },
                ThrowsMessage<UsageError>(AllOf(HasSubstr("in use by process " + std::to_string(getpid())),
                                                HasSubstr("bench_test"), HasSubstr("since 2"))));
  }
  EXPECT_TRUE(std::filesystem::is_empty(dir));
  const RunLock third(dir);
}

TEST(RunLock, EndsWithItsHolderHoweverThatDies) {
  const Scratch scratch;
  Child child([&] { new RunLock(scratch / ""); });
  EXPECT_THROW(RunLock(scratch / ""), UsageError);
  child.end();
  EXPECT_TRUE(std::filesystem::exists(scratch / RunLock::file_name));
  const RunLock next(scratch / "");
}

TEST(RunLock, OfADeadSupervisorLastsAsLongAsItsWorker) {
  const Scratch scratch;
  const auto worker_pid = scratch / "worker";
  Child supervisor([&] {
    const auto* lock = new RunLock(scratch / "");
    const pid_t worker = fork();  // inherits the descriptor
    while (worker == 0) pause();
    std::ofstream(worker_pid) << worker << (lock->descriptor() >= 0 ? "\n" : "");
  });
  supervisor.end();
  auto waiting = std::async(std::launch::async, [&] { RunLock next(scratch / ""); });
  EXPECT_EQ(waiting.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
  kill(std::stoi(content(worker_pid)), SIGKILL);
  EXPECT_NO_THROW(waiting.get());
}

TEST(RunLock, IsDoneWithoutWhereTheFileSystemHasNone) {
  const Scratch scratch;
  const auto none = [](int, int) {
    errno = ENOLCK;
    return -1;
  };
  ::testing::internal::CaptureStderr();
  const RunLock lock(scratch / "", none);
  expect_text(::testing::internal::GetCapturedStderr());
  EXPECT_EQ(lock.descriptor(), -1);
}

/// Every file of a folder with its content.
std::map<std::string, std::string> files_of(const std::filesystem::path& dir) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(dir))
    if (entry.is_regular_file()) files[entry.path()] = content(entry.path());
  return files;
}

TEST(RunLock, ALiveRunRefusesASecondOneAResumedOneAndAMergeAndLetsItsReportBeWritten) {
  setenv("GPUSEQ_PYTHON", "", 1);  // the package of the checkout
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config(R"({"hang": {}})", R"(, "timeout_s": 250)"));
  const auto dir = scratch / "run";
  Program first(scratch, {"--config", config, "--output", dir});
  ASSERT_TRUE(wait_until([&] { return count_lines(scratch / "toys.log", "hang") == 1; }));
  const auto before = files_of(dir);
  const Scratch other;  // whose output does not mix with the first's
  for (const std::vector<std::string>& second :
       std::vector<std::vector<std::string>>{{"--config", config, "--output", dir},
                                             {"--resume", dir},
                                             {"merge", dir, "--allow-gaps", "-o", dir}}) {
    Program program(other, second);
    EXPECT_EQ(program.wait(), 2);
    EXPECT_THAT(program.err(),
                AllOf(HasSubstr("process " + std::to_string(first.pid())), HasSubstr("--output")));
  }
  EXPECT_EQ(files_of(dir), before);
  Program report(other, {"report", dir});
  EXPECT_EQ(report.wait(), 0) << report.err();
  EXPECT_EQ(records(dir).size(), 3u);
  first.kill(SIGINT);
  EXPECT_EQ(first.wait(), 130);
  EXPECT_FALSE(std::filesystem::exists(dir / RunLock::file_name));
}

TEST(RunLock, OfTwoRunsThatAreStartedAtOnceOneMeasures) {
  const Scratch scratch, other;
  const auto config = scratch.write("toys.json", small_config());
  const auto dir = scratch / "run";
  Program first(scratch, {"--config", config, "--output", dir, "--no-report"});
  Program second(other, {"--config", config, "--output", dir, "--no-report"});
  EXPECT_EQ((std::multiset{first.wait(), second.wait()}), (std::multiset{0, 2}))
      << first.err() << second.err();
  EXPECT_EQ(records(dir).size(), 15u);
  EXPECT_EQ(run(scratch, {"validate", dir}), 0);
}

TEST(RunLock, ValidateAndMergeRefuseARunWhoseStatesWereMeasuredTwice) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  const auto dir = scratch / "run";
  ASSERT_EQ(run(scratch, {"probe", "--config", config, "--output", dir, "--no-report"}), 0);
  const std::string once = content(dir / "records.jsonl");
  std::ofstream(dir / "records.jsonl", std::ios::app) << once;
  const Result validated = result_of(scratch, "validate", {dir});
  EXPECT_EQ(validated.code, 2);
  expect_text(validated.err);
  EXPECT_EQ(run(scratch, {"--resume", dir}), 2);
  EXPECT_EQ(result_of(scratch, "merge", {dir, "-o", scratch / "merged"}).code, 2);
}

TEST(RunLock, AResumedRunDropsAFailureBesideARecord) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  const auto dir = scratch / "run";
  ASSERT_EQ(run(scratch, {"--config", config, "--output", dir, "--no-report"}), 0);
  const std::size_t measured = records(dir).size();
  results::Record failed = records(dir)[4];
  failed.status = results::Status::failed;
  failed.failure = results::Failure{"crash", "the worker died of signal 9 (Killed)"};
  results::Journal(dir / "records.jsonl").append(failed);
  const Result resumed = result_of(scratch, "run", {"--resume", dir, "--no-report"});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  expect_text(lines_with(resumed.err, "dropped"));
  EXPECT_EQ(records(dir).size(), measured);
  EXPECT_EQ(run_json(dir)["counts"]["failed"], 0);
}

}  // namespace
}  // namespace gpuseq::bench
