#include <random>
#include <set>

#include "tests/bench/kill_at_write.hpp"
#include "tests/bench/tiny_toys.hpp"
#include "tests/bench/toy_program.hpp"

// Kills of supervisor and worker at every point of a run: afterwards every state has its record, once.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using ::testing::HasSubstr;

/// State, phase and repetition of every record.
std::multiset<std::string> keys(const std::vector<results::Record>& records) {
  std::multiset<std::string> found;
  for (const results::Record& record : records) found.insert(results::record_key(record));
  return found;
}

/// The result of every run of the config: each planned state once.
std::multiset<std::string> planned_keys(const Scratch& scratch, const std::filesystem::path& config) {
  const Result plan = result_of(scratch, "plan", {"--states", "--config", config});
  std::multiset<std::string> planned;
  std::istringstream lines(plan.out);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("tiny/")) planned.insert(line + ", sweep 0");
  return planned;
}

std::vector<std::string> failures(const std::vector<results::Record>& records) {
  std::vector<std::string> reasons;
  for (const results::Record& record : records)
    if (record.status != results::Status::ok) reasons.push_back(record.failure->kind);
  return reasons;
}

struct Killed {
  const char* name;
  KillPoint point;
  bool costs_its_state;  // when the worker dies there, and the supervisor lives
};

/// Replies of a worker to five requests: a description of the device, then the records of four states.
std::vector<Killed> points_of_worker() {
  constexpr const char *kBegun = R"({"begun")", *kDone = R"({"done")";
  return {{"before it describes the device", {.begins = kBegun}, false},
          {"before a state begins", {.begins = kBegun, .nth = 3}, false},
          {"while it reports that a state begins", {.begins = kBegun, .nth = 3, .when = "half"}, false},
          {"in a state", {.begins = kBegun, .nth = 3, .when = "after"}, true},
          {"before it sends a record", {.begins = kDone, .nth = 3}, true},
          {"while it sends a record", {.begins = kDone, .nth = 3, .when = "half"}, true},
          {"after it sent a record", {.begins = kDone, .nth = 3, .when = "after"}, false},
          {"after it sent the last record", {.begins = kDone, .nth = 5, .when = "after"}, false}};
}

/// The same, and the writes of a supervisor.
std::vector<Killed> points_of_supervisor() {
  std::vector<Killed> points = points_of_worker();
  for (Killed& killed : points) killed.point.victim = "parent";
  for (const char* when : {"before", "half", "after"})
    for (const int nth : {2, 4})
      points.push_back({"at an append",
                        {.process = "supervisor", .begins = kJournalLine, .nth = nth, .when = when},
                        false});
  return points;
}

TEST(Kill, AWorkerThatDiesCostsTheStateInFlightAndNoFinishedOne) {
  for (const Killed& killed : points_of_worker()) {
    SCOPED_TRACE(killed.name);
    const Scratch scratch;
    const auto config = scratch.write("tiny.json", tiny_config(2, 2));
    Program program(scratch, {"--config", config, "--output", scratch / "run", "--no-report"},
                    [&] { set_kill_point(killed.point, scratch / "killed"); });
    EXPECT_EQ(program.wait(), killed.costs_its_state ? 1 : 0) << program.err();
    EXPECT_TRUE(std::filesystem::exists(scratch / "killed"));
    EXPECT_EQ(keys(records(scratch / "run")), planned_keys(scratch, config));
    EXPECT_EQ(failures(records(scratch / "run")),
              std::vector<std::string>(killed.costs_its_state ? 1 : 0, "crash"));
    EXPECT_EQ(run_json(scratch / "run")["complete"], true);
  }
}

TEST(Kill, ASupervisorThatDiesWhereverItsWorkerIsLosesNothingThatAResumedRunDoesNotMeasure) {
  for (const Killed& killed : points_of_supervisor()) {
    SCOPED_TRACE(fmt::format("{} {} {}", killed.name, killed.point.nth, killed.point.when));
    const Scratch scratch;
    const auto config = scratch.write("tiny.json", tiny_config(2, 2));
    Program program(scratch, {"--config", config, "--output", scratch / "run", "--no-report"},
                    [&] { set_kill_point(killed.point, scratch / "killed"); });
    EXPECT_EQ(program.wait(), -SIGKILL) << program.err();
    const Result resumed = result_of(scratch, "run", {"--resume", scratch / "run", "--no-report"});
    EXPECT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_EQ(keys(records(scratch / "run")), planned_keys(scratch, config));
    EXPECT_EQ(failures(records(scratch / "run")), std::vector<std::string>{});
  }
}

TEST(Kill, ASupervisorThatDiesWhileItRecordsACrashLeavesOneRecordOfIt) {
  for (const char* when : {"before", "half", "after"}) {
    SCOPED_TRACE(when);
    const Scratch scratch;
    const auto config = scratch.write("toys.json", small_config(R"({"crash": {}})"));
    Program program(scratch, {"--config", config, "--output", scratch / "run", "--no-report"}, [&] {
      set_kill_point({.process = "supervisor", .begins = kJournalLine, .when = when}, scratch / "killed");
    });
    EXPECT_EQ(program.wait(), -SIGKILL) << program.err();
    EXPECT_EQ(run(scratch, {"--resume", scratch / "run", "--no-report"}), 1);
    EXPECT_EQ(keys(records(scratch / "run")).size(), 4u);
    EXPECT_EQ(failures(records(scratch / "run")), std::vector<std::string>{"crash"});
  }
}

/// A run's supervisor or worker, killed at any moment.
class Killer {
 public:
  explicit Killer(unsigned seed) : random_(seed) {}

  void wait() { std::this_thread::sleep_for(std::chrono::microseconds(below(60'000))); }
  int below(int end) { return std::uniform_int_distribution<int>(0, end - 1)(random_); }

  /// Kills the child of a process, if there is one. @returns whether
  static bool kill_worker(pid_t supervisor) {
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const pid_t pid = std::atoi(entry.path().filename().c_str());
      if (pid <= 0) continue;
      const std::string status = content(entry.path() / "stat");
      const std::size_t name_end = status.rfind(") ");
      if (name_end == std::string::npos || std::atoi(status.c_str() + name_end + 4) != supervisor) continue;
      return ::kill(pid, SIGKILL) == 0;
    }
    return false;
  }

 private:
  std::mt19937 random_;
};

/// Runs, kills and resumes until it was done often enough, then to the end. @returns kills of workers
int run_with_kills(const Scratch& scratch, const std::filesystem::path& config, Killer& killer,
                   bool workers_too) {
  constexpr int kRounds = 12;
  const auto dir = scratch / "run";
  int workers = 0;
  for (int round = 0; round <= kRounds; ++round) {
    std::vector<std::string> arguments{"--no-report", "--config", config};
    const bool begun = std::filesystem::exists(dir / "run.json");
    arguments.insert(arguments.end(), {begun ? "--resume" : "--output", dir});
    Program program(scratch, arguments);
    if (round == kRounds) {
      EXPECT_LE(program.wait(), 1) << program.err();
      break;
    }
    for (int kills = workers_too ? killer.below(3) : 0; kills > 0; --kills) {
      killer.wait();
      workers += Killer::kill_worker(program.pid()) ? 1 : 0;
    }
    killer.wait();
    program.kill(SIGKILL);
    program.wait();
  }
  return workers;
}

TEST(Kill, OfTheSupervisorAtAnyMomentCostsNoRecord) {
  const Scratch scratch;
  const auto config = scratch.write("tiny.json", tiny_config(20, 20));
  Killer killer(1);
  run_with_kills(scratch, config, killer, false);
  EXPECT_EQ(run_json(scratch / "run")["complete"], true);
  EXPECT_EQ(keys(records(scratch / "run")), planned_keys(scratch, config));
  EXPECT_EQ(failures(records(scratch / "run")), std::vector<std::string>{});
  EXPECT_EQ(run(scratch, {"validate", scratch / "run"}), 0);
}

TEST(Kill, OfTheWorkerAtAnyMomentCostsAtMostTheStateThatItWasIn) {
  const Scratch scratch;
  const auto config = scratch.write("tiny.json", tiny_config(20, 20));
  Killer killer(2);
  const int workers = run_with_kills(scratch, config, killer, true);
  EXPECT_EQ(run_json(scratch / "run")["complete"], true);
  EXPECT_EQ(keys(records(scratch / "run")), planned_keys(scratch, config));
  EXPECT_LE(static_cast<int>(failures(records(scratch / "run")).size()), workers);
  for (const results::Record& record : records(scratch / "run"))
    EXPECT_THAT(record.failure ? record.failure->reason : "signal 9", HasSubstr("signal 9"));
  EXPECT_EQ(run(scratch, {"validate", scratch / "run"}), 0);
}

}  // namespace
}  // namespace gpuseq::bench

int main(int argc, char** argv) {
  using namespace gpuseq::bench::testing;
  if (std::getenv("GPUSEQ_TEST_PROGRAM") == nullptr) return toy_main(argc, argv);
  arm_kill_point(argc > 1 && std::string_view(argv[1]) == "worker" ? "worker" : "supervisor");
  return gpuseq::bench::run_program(argc, argv, tiny_registry());
}
