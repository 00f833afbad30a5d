#include "bench/run/gate.hpp"

#include "bench/base/name_filter.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/bench/slowdown.hpp"
#include "tests/bench/toy_program.hpp"

// The gate on builds of a toy: what it runs in which order, and what it makes of slower, failing and broken
// builds.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
namespace fs = std::filesystem;

comparison::StateComparison state(std::int64_t k, comparison::Verdict verdict) {
  comparison::StateComparison state;
  state.state = {.family = "toy", .variant = "steady", .problem = {}, .point = {{"k", k}}, .device = "cpu"};
  state.verdict = verdict;
  return state;
}

TEST(GatePlan, RepeatsWhatIsInconclusiveAndConfirmsARegressionOnce) {
  using enum comparison::Verdict;
  comparison::Comparison comparison;
  comparison.states = {state(1, regressed), state(2, regressed), state(3, inconclusive), state(4, same),
                       state(5, improved),  state(6, missing),   state(7, failed),       state(8, added)};
  const std::vector<std::string> confirmed{comparison.states[1].state.to_string()};
  EXPECT_THAT(worth_another_round(comparison, confirmed),
              ElementsAre("toy/steady//k=1/cpu", "toy/steady//k=3/cpu"));
}

TEST(GatePlan, AFilterLetsExactlyItsStatesThrough) {
  const std::vector<std::string> states{"toy/a.b//k=1,d=(2)/cpu", "toy/c+//k=1/cpu"};
  const NameFilter filter(filter_of(states));
  for (const std::string& name : states) EXPECT_TRUE(filter.lets_through(name)) << name;
  for (const char* other :
       {"toy/axb//k=1,d=(2)/cpu", "toy/c+//k=1/cpu2", "toy/c+//k=11/cpu", "x/toy/c+//k=1/cpu"})
    EXPECT_FALSE(filter.lets_through(other)) << other;
}

class Gate : public ::testing::Test {
 protected:
  /// A command that is this program as a toy, with what stands before it.
  std::string command(const std::string& environment = "") const {
    return "env GPUSEQ_TEST_PROGRAM=1 " + environment + " '" + fs::read_symlink("/proc/self/exe").string() +
           "'";
  }
  /// @returns the exit code; `said_` is then what the program printed
  int gate(const std::string& base, const std::string& next, const std::string& variants,
           std::vector<std::string> more = {}) {
    more.insert(more.begin(),
                {"--base-cmd", base, "--new-cmd", next, "--config",
                 scratch_.write("toys.json", small_config(variants)), "--output", scratch_ / "gate"});
    const Result result = result_of(scratch_, "gate", more);
    said_ = result.out + result.err;
    return result.code;
  }

  Scratch scratch_;
  std::string said_;
};

const std::string kTwoSpeeds = R"({"steady": {"speed": [1, 2]}})";

TEST_F(Gate, CatchesABuildWithOneSlowVariantAndNamesIt) {
  EXPECT_EQ(gate(command(), command("GPUSEQ_TEST_SLOWDOWN=toy/steady=4"), kTwoSpeeds,
                 {"--rounds", "3", "--budget", "1"}),
            1)
      << said_;
  EXPECT_THAT(said_, AllOf(HasSubstr("regressed"), HasSubstr("speed=1"), HasSubstr("speed=2")));
}

TEST_F(Gate, RunsBaseNewNewBaseEachAProcessOfItsOwn) {
  // Without time for further rounds, which states that noise left undecided would get.
  gate(command("SIDE=base"), command("SIDE=new"), kTwoSpeeds, {"--rounds", "2", "--budget", "0.001"});
  std::map<std::string, std::string> order;  // start -> side
  for (const char* side : {"base", "new"})
    for (const auto& entry : fs::directory_iterator(scratch_ / "gate" / side))
      if (entry.is_directory()) {
        const std::vector<results::Record> found = records(entry.path());
        EXPECT_EQ(found.size(), 2u);  // no probes, nothing measured again
        order.emplace(
            std::to_string(fs::last_write_time(entry.path() / "records.jsonl").time_since_epoch().count()),
            side);
      }
  std::vector<std::string> sides;
  for (const auto& [time, side] : order) sides.push_back(side);
  EXPECT_THAT(sides, ElementsAre("base", "new", "new", "base", "base", "new", "new", "base"));
}

/// Writes the records of a run as the program wrote them before schema 3.
constexpr const char* kAsBefore = R"(import json, pathlib, sys
run = pathlib.Path(sys.argv[sys.argv.index("--output") + 1])
lines = [json.loads(line) for line in (run / "records.jsonl").read_text().splitlines()]
provenances = {line["provenance_id"]: line["provenance"] for line in lines if "state" not in line}
names = {"bound": "ceiling", "bound_reason": "ceiling_reason", "reference_loop": "witness"}
with (run / "records.jsonl").open("w") as out:
    for line in lines:
        if "state" in line:
            record = {names.get(name, name): value for name, value in line.items()} | {"schema_version": 2}
            record["provenance"] = provenances[record["provenance"]] | {"date": record.pop("date")}
            out.write(json.dumps(record, separators=(",", ":")) + "\n")
)";

TEST_F(Gate, ConvertsTheRecordsOfAnOlderBuild) {
  const std::string script = scratch_.write("before.py", kAsBefore);
  const std::string base =
      "sh " +
      scratch_.write("before.sh", command() + " \"$@\" && python3 '" + script + "' \"$@\"\n").string();
  const int code = gate(base, command(), kTwoSpeeds, {"--rounds", "1", "--budget", "1"});
  EXPECT_NE(code, 2) << said_;
  EXPECT_THAT(said_, Not(HasSubstr("schema_version")));
  EXPECT_EQ(records(scratch_ / "gate" / "base" / "001").size(), 2u);
}

TEST_F(Gate, AVariantThatAnswersWrongInTheNewBuildFails) {
  EXPECT_EQ(gate(command(), command("TOY_WRONG=steady"), kTwoSpeeds, {"--rounds", "1", "--budget", "1"}), 1)
      << said_;
  EXPECT_THAT(said_, AllOf(HasSubstr("failed"), HasSubstr("toy 0 is blue")));
}

TEST_F(Gate, ACommandThatDoesNotRunIsAnErrorWithItsLastWords) {
  EXPECT_EQ(gate("/no/such/program", command(), kTwoSpeeds), 2);
  EXPECT_THAT(said_, HasSubstr("/no/such/program"));
  fs::remove_all(scratch_ / "gate");
  EXPECT_EQ(gate(command(), "sh -c 'echo no such option >&2; exit 2'", kTwoSpeeds), 2);
  EXPECT_THAT(said_, HasSubstr("no such option"));
  fs::remove_all(scratch_ / "gate");
  EXPECT_EQ(gate(command(), "true", kTwoSpeeds), 2);
  EXPECT_THAT(said_, HasSubstr("true"));
}

TEST_F(Gate, MistakesAreFoundBeforeAnythingRuns) {
  EXPECT_EQ(gate(command(), command(), kTwoSpeeds, {"--rounds", "0"}), 2);
  EXPECT_EQ(gate(command(), command(), kTwoSpeeds, {"--budget", "-1"}), 2);
  EXPECT_EQ(gate(command(), command(), kTwoSpeeds, {"--set", "sampling.max_samples=\"x\""}), 2);
  EXPECT_FALSE(fs::exists(scratch_ / "gate"));
  scratch_.write("gate", "a file");
  EXPECT_EQ(gate(command(), command(), kTwoSpeeds), 2);
}

TEST_F(Gate, CtrlCKeepsWhatWasMeasured) {
  Program program(scratch_, {"gate", "--base-cmd", command(), "--new-cmd", command(), "--config",
                             scratch_.write("toys.json", small_config(kTwoSpeeds)), "--output",
                             scratch_ / "gate", "--rounds", "100"});
  while (!fs::exists(scratch_ / "gate" / "new" / "002"))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  program.kill(SIGINT);
  EXPECT_EQ(program.wait(), 130);
  EXPECT_THAT(program.err(), HasSubstr("gpuseq-bench compare"));
  EXPECT_EQ(records(scratch_ / "gate" / "base" / "001").size(), 2u);
}

/// Whether a process is there and has not ended.
bool lives(const fs::path& pid_file) {
  const std::string stat = content("/proc/" + std::to_string(std::stol(content(pid_file))) + "/stat");
  return !stat.empty() && stat.find(") Z") == std::string::npos;
}

TEST_F(Gate, ACommandThatHangsEndsWithTheBudgetAndAllThatItStarted) {
  const fs::path pid = scratch_ / "pid";
  const std::string hangs = "sh -c 'trap \"\" TERM INT HUP; sleep 1000 & echo $! > " + pid.string() +
                            "; while :; do sleep 1; done'";
  for (const bool of_base : {false, true}) {
    fs::remove_all(scratch_ / "gate");
    EXPECT_EQ(gate(of_base ? hangs : command(), of_base ? command() : hangs, kTwoSpeeds,
                   {"--rounds", "1", "--budget", "0.5"}),
              2)
        << said_;
    EXPECT_THAT(said_, HasSubstr("s is spent, and it has finished no state"));
    EXPECT_TRUE(wait_until([&] { return !lives(pid); }));
  }
}

TEST_F(Gate, AProcessThatHangsLaterLeavesTheVerdictOfTheOthers) {
  const fs::path script = scratch_.write("new.sh",
                                         "#!/bin/sh\n[ -e \"$0.second\" ] && sleep 1000\n"
                                         "touch \"$0.second\"\nexec " +
                                             command() + " \"$@\"\n");
  fs::permissions(script, fs::perms::owner_all);
  EXPECT_EQ(gate(command(), script, kTwoSpeeds, {"--rounds", "2", "--budget", "0.5", "--min-effect", "0.99"}),
            3)
      << said_;
  EXPECT_THAT(said_, HasSubstr("the budget is spent before all rounds were measured"));
  EXPECT_EQ(records(scratch_ / "gate" / "new" / "001").size(), 2u);
}

TEST_F(Gate, ACommandThatPrintsWithoutAnEndIsStopped) {
  EXPECT_EQ(gate(command(), "sh -c yes", kTwoSpeeds, {"--rounds", "1"}), 2) << said_;
  EXPECT_THAT(said_, HasSubstr("it printed more than 64 MiB"));
}

TEST_F(Gate, ThatIsKilledLeavesNoProcessBehind) {
  const fs::path pid = scratch_ / "pid";
  Program program(scratch_,
                  {"gate", "--base-cmd",
                   "sh -c 'sleep 1000 & echo $! > " + pid.string() + ".part; mv " + pid.string() + ".part " +
                       pid.string() + "; wait'",
                   "--new-cmd", command(), "--config", scratch_.write("toys.json", small_config(kTwoSpeeds)),
                   "--output", scratch_ / "gate"});
  ASSERT_TRUE(wait_until([&] { return fs::exists(pid); }));
  EXPECT_TRUE(lives(pid));
  program.kill(SIGKILL);
  program.wait();
  EXPECT_TRUE(wait_until([&] { return !lives(pid); }));
}

}  // namespace
}  // namespace gpuseq::bench

int main(int argc, char** argv) {
  using namespace gpuseq::bench::testing;
  return toy_main(argc, argv, slowed(toy_registry()));
}
