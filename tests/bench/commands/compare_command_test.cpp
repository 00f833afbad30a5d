#include <fstream>

#include "bench/package/package.hpp"
#include "results/reading/provenances.hpp"
#include "tests/bench/toy_program.hpp"
#include "tests/reports/comparison/comparison_sides.hpp"

// compare and history from the command line: what is a side, what is written where, and the exit codes.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
namespace example = comparison::example;

/// As a journal has it.
results::Record whole(const comparison::ComparedRecord& compared) {
  results::Record r;
  r.state = compared.state;
  r.kind = "kernel";
  r.phase = compared.phase;
  r.status = compared.status;
  r.failure = compared.failure;
  r.samples_s = compared.samples_s;
  r.work = compared.work;
  r.problem_hash = compared.problem_hash;
  r.provenance = compared.provenance;
  r.date = compared.date;
  return r;
}

/// Writes each process of a side as a run folder; a folder of run folders where there are several.
std::string written(const Scratch& scratch, const std::string& name, const comparison::Side& side) {
  for (std::size_t process = 0; process < side.processes.size(); ++process) {
    const auto dir = side.processes.size() == 1 ? scratch / name : scratch / name / std::to_string(process);
    std::filesystem::create_directories(dir);
    std::vector<results::Record> records;
    for (const comparison::ComparedRecord& record : side.processes[process]) records.push_back(whole(record));
    std::ofstream(dir / "records.jsonl") << results::lines_of(records);
  }
  return scratch / name;
}

Result compared(const Scratch& scratch, std::vector<std::string> arguments) {
  return result_of(scratch, "compare", std::move(arguments));
}

TEST(CompareCommand, EndsWithOneForARegressionAndZeroForNone) {
  const Scratch scratch;
  const std::string base = written(scratch, "base", example::processes({{"scalar", 1}}, 1));
  const std::string same = written(scratch, "same", example::processes({{"scalar", 1}}, 2));
  const std::string slow = written(scratch, "slow", example::processes({{"scalar", 1.1}}, 3));
  EXPECT_EQ(compared(scratch, {base, same}).code, 0);
  const Result result = compared(scratch, {base, slow});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("regressed"), HasSubstr("1 state slower")));
  EXPECT_EQ(compared(scratch, {base, slow, "--min-effect", "0.2"}).code, 0);
}

TEST(CompareCommand, EndsWithThreeWhereNothingCanBeDecided) {
  const Scratch scratch;
  const std::string base =
      written(scratch, "base", example::one_process({example::record("a", {1, 1.1, 1})}));
  EXPECT_EQ(compared(scratch, {base, base}).code, 3);
}

TEST(CompareCommand, EndsWithOneFor256Regressions) {
  const Scratch scratch;
  std::vector<std::pair<std::string, double>> base, slow;
  for (int i = 0; i < 256; ++i) {
    base.emplace_back(fmt::format("v{}", i), 1);
    slow.emplace_back(fmt::format("v{}", i), 2);
  }
  const Result result = compared(scratch, {written(scratch, "base", example::processes(base, 1)),
                                           written(scratch, "slow", example::processes(slow, 2))});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, HasSubstr("256 regressed"));
}

TEST(CompareCommand, EndsWithTwoForWhatCannotBeCompared) {
  const Scratch scratch;
  const auto record = example::record("a", {1, 1, 1, 1});
  auto other = record;
  other.provenance["device"]["name"] = "Intel Xeon";
  const std::string base = written(scratch, "base", example::one_process({record}));
  const std::string far = written(scratch, "far", example::one_process({other}));
  EXPECT_EQ(compared(scratch, {base, far}).code, 2);
  EXPECT_THAT(compared(scratch, {base, far}).err, HasSubstr("device cpu/name"));
  EXPECT_EQ(compared(scratch, {base, far, "--allow", "device"}).code, 0);
  EXPECT_EQ(compared(scratch, {base, (scratch / "none").string()}).code, 2);
  EXPECT_EQ(compared(scratch, {base}).code, 2);
  for (const char* wrong : {"0", "1", "-0.1", "nan", "x"})
    for (const char* option : {"--min-effect", "--confidence", "--fdr"})
      EXPECT_EQ(compared(scratch, {base, base, option, wrong}).code, 2) << option << " " << wrong;
  EXPECT_EQ(compared(scratch, {base, base, "--allow", "anything"}).code, 2);
  EXPECT_EQ(compared(scratch, {base, base, "--json", "-", "--junit", "-"}).code, 2);
}

TEST(CompareCommand, WritesWhatIsAskedForAndLeavesStandardOutputToOneOutput) {
  const Scratch scratch;
  const std::string base = written(scratch, "base", example::processes({{"a", 1}}, 1));
  const std::string slow = written(scratch, "slow", example::processes({{"a", 1.2}}, 2));
  const Result result =
      compared(scratch, {base, slow, "--json", "-", "--markdown", scratch / "c.md", "--junit",
                         scratch / "c.xml", "--history", scratch / "history.jsonl"});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(nlohmann::json::parse(result.out)["counts"]["regressed"], 1);
  EXPECT_THAT(content(scratch / "c.md"), HasSubstr("**Not fine"));
  EXPECT_THAT(content(scratch / "c.xml"), HasSubstr("<testsuite "));
  EXPECT_EQ(count_lines(scratch / "history.jsonl", "\"verdict\":\"regressed\""), 1);
  EXPECT_THAT(compared(scratch, {base, slow, "--annotations"}).out,
              AllOf(HasSubstr("::error title=regressed"), HasSubstr("1 regressed")));
  EXPECT_EQ(compared(scratch, {base, slow, "--json", scratch / "no such folder" / "c.json"}).code, 1);
}

TEST(CompareCommand, ListsMissingStatesThatAreAllowed) {
  const Scratch scratch;
  const std::string base = written(scratch, "base", example::processes({{"a", 1}, {"b", 1}}, 1));
  const std::string less = written(scratch, "less", example::processes({{"a", 1}}, 2));
  EXPECT_EQ(compared(scratch, {base, less}).code, 1);
  const Result allowed = compared(scratch, {base, less, "--allow-missing"});
  EXPECT_EQ(allowed.code, 0);
  EXPECT_THAT(allowed.out, HasSubstr("1 missing"));
}

TEST(CompareCommand, TakesTheNamesOfWhatWasDeletedFromAFile) {
  const Scratch scratch;
  const std::string base = written(scratch, "base", example::processes({{"a", 1}, {"b", 1}}, 1));
  const std::string less = written(scratch, "less", example::processes({{"a", 1}}, 2));
  const Result told = compared(
      scratch,
      {base, less, "--deleted", scratch.write("deleted", "# slow\nfm_index/b  # replaced by a\n\n")});
  EXPECT_EQ(told.code, 0) << told.err;
  EXPECT_THAT(told.out, HasSubstr("1 deleted"));
  EXPECT_EQ(compared(scratch, {base, less, "--deleted", scratch.write("other", "fm_index/c\n")}).code, 1);
  const Result bad = compared(scratch, {base, less, "--deleted", scratch.write("bad", "toy/b\ntoy b\n")});
  EXPECT_EQ(bad.code, 2);
  EXPECT_THAT(bad.err, HasSubstr("bad:2: found \"toy b\""));
  EXPECT_EQ(compared(scratch, {base, less, "--deleted", scratch / "none"}).code, 2);
}

TEST(CompareCommand, SaysWhatItsVerdictsAreWorth) {
  const Scratch scratch;
  const std::string base = written(scratch, "base", example::processes({{"a", 1}, {"b", 1}}, 1));
  const std::string next = written(scratch, "next", example::processes({{"a", 1}, {"b", 1}}, 2));
  EXPECT_THAT(compared(scratch, {base, next}).out, HasSubstr("On this machine: "));
  const auto json = nlohmann::json::parse(compared(scratch, {base, next, "--json", "-"}).out);
  EXPECT_EQ(json["certificate"]["draws"], 200);
}

TEST(HistoryCommand, AddsRunsAndShowsSteps) {
  const Scratch scratch;
  std::vector<std::string> arguments{"history", scratch / "history.jsonl"};
  for (int i = 0; i < 16; ++i) {
    comparison::Side side = example::processes({{"a", i < 8 ? 1 : 1.1}}, static_cast<std::uint64_t>(i + 1));
    for (auto& process : side.processes)
      for (comparison::ComparedRecord& record : process) record.date = fmt::format("2026-11-{:02}", i + 1);
    arguments.insert(arguments.end(), {"--add", written(scratch, fmt::format("run{}", i), side)});
  }
  const auto plot = scratch / "history.vl.json";
  arguments.insert(arguments.end(), {"--plot", plot});
  Program program(scratch, arguments);
  EXPECT_EQ(program.wait(), 0) << program.err();
  EXPECT_THAT(program.out(), AllOf(HasSubstr("1 step\n"), HasSubstr("2026-11-09")));
  EXPECT_THAT(content(plot), HasSubstr("vega-lite"));
  EXPECT_EQ(run(scratch, {"history", scratch / "none.jsonl"}), 2);
  EXPECT_EQ(run(scratch, {"history", scratch / "history.jsonl", "--plot", "x.gif"}), 2);
  EXPECT_EQ(run(scratch, {"history", scratch / "history.jsonl", "--state", "("}), 2);
}

TEST(HistoryCommand, DrawsItsPlotInTheFormatOfTheFileName) {
  if (package_python().empty()) GTEST_SKIP() << "the Python package is not here";
  const Scratch scratch;
  const std::string run_dir = written(scratch, "run", example::processes({{"a", 1}}, 1));
  for (const char* name : {"plot.svg", "plot.pdf", "plot.png"}) {
    const Result drawn = result_of(scratch, "history",
                                   {scratch / "history.jsonl", "--add", run_dir, "--plot", scratch / name});
    EXPECT_EQ(drawn.code, 0) << drawn.err;
    EXPECT_GT(std::filesystem::file_size(scratch / name), 1000u) << name;
  }
  EXPECT_THAT(content(scratch / "plot.svg"), HasSubstr("<svg"));
}

}  // namespace
}  // namespace gpuseq::bench

int main(int argc, char** argv) {
  return gpuseq::bench::testing::toy_main(argc, argv);
}
