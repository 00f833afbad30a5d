#include "tests/bench/environment.hpp"
#include "tests/bench/lines.hpp"
#include "tests/bench/toy_program.hpp"
#include "tests/golden_text.hpp"

// The command line: subcommands, Google Benchmark's flags and its file.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAreArray;

TEST(Commands, BenchmarkFlagsListFilterAndRepeat) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  Program listing(scratch,
                  {"--config", config, "--benchmark_list_tests", "--benchmark_filter=steady.*speed=[12]"});
  EXPECT_EQ(listing.wait(), 0) << listing.err();
  EXPECT_EQ(listing.out(), "toy/steady/size=1/speed=1,d=64/cpu\ntoy/steady/size=1/speed=2,d=64/cpu\n");

  const auto dir = scratch / "run";
  Program program(scratch,
                  {"--config", config, "--output", dir, "--benchmark_filter=speed=1",
                   "--benchmark_repetitions=2", "--benchmark_min_time=12x", "--set", "tune.remeasure=0"});
  EXPECT_EQ(program.wait(), 0) << program.err();
  const auto taken = records(dir);
  ASSERT_EQ(taken.size(), 2u);
  EXPECT_EQ(taken[0].repetition, 0);
  EXPECT_EQ(taken[1].repetition, 1);
  EXPECT_EQ(taken[0].samples_s.size(), 12u);
}

TEST(Commands, UnknownOrMalformedFlagsAreUsageErrors) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  for (const char* flag : {"--benchmark_filtre=x", "--benchmark_repetitions=none", "--benchmark_format=xml",
                           "--benchmark_min_time=soon", "--benchmark_filter=nothing_of_this_name",
                           "--nonsense", "--set", "--device=gpu7"})
    EXPECT_EQ(run(scratch, {"run", "--config", config, flag}), 2) << flag;
  EXPECT_EQ(run(scratch, {"list", "--benchmark_filter=x"}), 2);
  EXPECT_EQ(run(scratch, {"frobnicate"}), 2);
  EXPECT_EQ(run(scratch, {"--config", scratch / "missing.json"}), 2);
}

TEST(Commands, ARunIsReportedAgainWhereItsPublishedValuesAreNot) {
  setenv("GPUSEQ_PYTHON", "", 1);  // the package of the checkout
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  const auto dir = scratch / "run";
  ASSERT_EQ(run(scratch, {"--config", config, "--output", dir, "--benchmark_filter=speed=1"}), 0);
  nlohmann::json summary = read_json(dir / "run.json");
  summary["config"]["published"] = "/elsewhere/configs/no-such-paper.json";
  std::ofstream(dir / "run.json") << summary;
  std::filesystem::remove(dir / "report.html");
  Program program(scratch, {"report", dir});
  EXPECT_EQ(program.wait(), 0) << program.err();
  expect_text(program.err());
  EXPECT_TRUE(std::filesystem::exists(dir / "report.html"));
}

TEST(Commands, ComparePyReadsItsBenchmarkFile) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config(R"({"steady": {}, "wrong": {}})"));
  const auto dir = scratch / "run";
  EXPECT_EQ(run(scratch, {"--config", config, "--output", dir,
                          "--benchmark_out=" + (scratch / "out.csv").string(), "--benchmark_out_format=csv"}),
            1);
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
  EXPECT_EQ(
      std::system((python + "/usr/share/benchmark/compare.py benchmarks " + files + " > " + out).c_str()), 0);
  EXPECT_THAT(content(out), HasSubstr("toy/steady/size=1/speed=1,d=64/cpu"));
}

TEST(Commands, TheBenchmarkFormatsGoToStandardOutputAlone) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  Program program(scratch, {"--config", config, "--output", scratch / "run", "--benchmark_format=json",
                            "--benchmark_filter=speed=1"});
  EXPECT_EQ(program.wait(), 0) << program.err();
  EXPECT_NO_THROW(parse_json(program.out(), "stdout"));
}

TEST(Commands, RepetitionsAreInterleavedOnDemand) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  const auto order = [&](const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"--config",
                                       config,
                                       "--output",
                                       scratch / name,
                                       "--benchmark_repetitions=3",
                                       "--benchmark_filter=steady"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(run(scratch, arguments), 0);
    std::vector<std::pair<std::string, int>> measured;
    for (const results::Record& record : records(scratch / name))
      if (record.phase == "sweep") measured.emplace_back(record.state.to_string(), record.repetition);
    return measured;
  };
  const auto plain = order("plain", {}), mixed = order("mixed", {"--benchmark_enable_random_interleaving"});
  ASSERT_GT(plain.size(), 3u);
  EXPECT_THAT(mixed, UnorderedElementsAreArray(plain));
  EXPECT_NE(mixed, plain);
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_EQ(plain[i].second, static_cast<int>(i % 3));
}

TEST(Commands, PlansListsAndValidates) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  Program plan(scratch, {"plan", "--config", config});
  EXPECT_EQ(plan.wait(), 0) << plan.err();
  expect_text(at_any_load(plan.out()));
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

TEST(Commands, ValidatesTheRecordsOfARun) {
  const Scratch scratch;
  const auto config = scratch.write("toys.json", small_config());
  ASSERT_EQ(run(scratch, {"probe", "--config", config, "--output", scratch / "run"}), 0);
  EXPECT_EQ(result_of(scratch, "validate", {scratch / "run"}).err, "");
  const std::filesystem::path journal = scratch / "run" / "records.jsonl";
  const auto lines = std::ranges::count(read_file(journal), '\n');
  std::ofstream(journal, std::ios::app) << "{\"schema_version\":";
  const Result torn = result_of(scratch, "validate", {scratch / "run"});
  EXPECT_EQ(torn.code, 0);
  EXPECT_THAT(torn.err, HasSubstr(fmt::format("warning: {}:{}: ", journal.string(), lines + 1)));
  std::ofstream(journal, std::ios::app) << " 1}\n";
  EXPECT_EQ(run(scratch, {"validate", scratch / "run"}), 2);
}

TEST(Commands, ExecWritesTheAnswersOfOneVariantAtOnePoint) {
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

TEST(Commands, ExecHasAnOptionForEveryOutputOfAFamilyAndTakesAxesOfTheProblem) {
  const Scratch scratch;
  const auto out = scratch / "answers.txt", diary = scratch / "diary.txt";
  Program program(scratch, {"exec", "toy", "--problem", "size=2", "--out", out, "--diary", diary});
  EXPECT_EQ(program.wait(), 0) << program.err();
  EXPECT_THAT(content(out), HasSubstr("steady"));  // the family's default
  EXPECT_EQ(content(diary), "size=2\nleast_fun=1,aloud=no\n");
  EXPECT_EQ(run(scratch, {"exec", "toy", "--diary", diary, "--output", out}), 0);
  EXPECT_EQ(content(diary), "\nleast_fun=1,aloud=no\n");
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{"--diary", "a", "--diary", "b"},
                                             {"--output", "a"},
                                             {"--film", "a"},
                                             {"--least-fun", "2"},
                                             {"--least-fun"},
                                             {"--aloud", "maybe"},
                                             {"--problem", "toys=a"}})
    EXPECT_EQ(run(scratch,
                  [&] {
                    std::vector<std::string> arguments{"exec", "toy", "--out", out};
                    arguments.insert(arguments.end(), wrong.begin(), wrong.end());
                    return arguments;
                  }()),
              2);
}

TEST(Commands, ExecHasAnOptionForEveryOneOfAFamily) {
  const Scratch scratch;
  const auto out = scratch / "answers.txt", diary = scratch / "diary.txt";
  const auto exec = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{"exec", "toy", "--out", out, "--diary", diary};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(run(scratch, arguments), 0);
    return content(diary);
  };
  EXPECT_EQ(exec({"--least-fun", "20"}), "\nleast_fun=20,aloud=no\n");
  EXPECT_EQ(exec({"--aloud"}), "\nleast_fun=1,aloud=yes\n");
  EXPECT_EQ(exec({"--aloud", "--least-fun=1"}), "\nleast_fun=1,aloud=yes\n");
}

TEST(Commands, HelpIsThereAtEveryLevelAndFits80Columns) {
  const Scratch scratch;
  const auto help = [&](std::vector<std::string> command) {
    command.emplace_back("--help");
    Program program(scratch, command);
    EXPECT_EQ(program.wait(), 0);
    std::istringstream lines(program.out());
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
    expect_text(program.out());
  };
  for (const char* command : {"run", "probe", "plan", "list", "report", "validate", "exec", "compile", "tune",
                              "machine", "gate", "export", "choose"})
    help({command});
  help({"exec", "toy"});
  help({});
}

TEST(Commands, HelpIsACommandToo) {
  const Scratch scratch;
  const auto both = [&](std::vector<std::string> command) {
    std::vector<std::string> after = command;
    after.emplace_back("--help");
    command.insert(command.begin(), "help");
    Program first(scratch, command), second(scratch, after);
    EXPECT_EQ(first.wait(), 0);
    EXPECT_EQ(second.wait(), 0);
    EXPECT_EQ(first.out(), second.out());
    return first.out();
  };
  expect_text(both({}));
  expect_text(both({"plan"}));
  expect_text(both({"exec", "toy"}));
}

TEST(Commands, TheVersionHasAShortOption) {
  const Scratch scratch;
  Program first(scratch, {"-V"}), second(scratch, {"--version"});
  EXPECT_EQ(first.wait(), 0);
  EXPECT_EQ(second.wait(), 0);
  EXPECT_EQ(first.out(), second.out());
  EXPECT_FALSE(first.out().empty());
}

TEST(Commands, MistypedNamesAreAnsweredByTheNearest) {
  const Scratch scratch;
  const auto said = [&](const std::vector<std::string>& arguments) {
    Program program(scratch, arguments);
    EXPECT_EQ(program.wait(), 2);
    return program.err();
  };
  expect_text(said({"plann"}));
  expect_text(said({"help", "comapre"}));
  expect_text(said({"plan", "--confg", "x"}));
  expect_text(said({"--sett=a=1"}));
  expect_text(said({"exec", "toi"}));
  expect_text(said({"zebra"}));
  const auto planned = [&](const std::string& families, const std::string& probes = "{}") {
    return said({"plan", "--config",
                 scratch.write("c.json", R"({"name": "c", "devices": "cpu", "probes": )" + probes +
                                             R"(, "families": )" + families + "}")});
  };
  expect_text(planned(R"({"toi": {"problems": [{}], "variants": {"steady": {}}}})"));
  expect_text(planned(R"({"toy": {"problems": [{}], "variants": {"steedy": {}}}})"));
  expect_text(planned(R"({"toy": {"problems": [{}], "variants": {"steady": {"sped": 1}}}})"));
  expect_text(planned(R"({"toy": {"problems": [{"siz": 1}], "variants": {"steady": {}}}})"));
  expect_text(planned("{}", R"({"random_acess": {}})"));
}

TEST(Commands, FamilyLeftOutOfTheBuildNamesItsOption) {
  const Environment built("GPUSEQ_TEST_NOT_BUILT", "absent");
  const Scratch scratch;
  for (const auto& arguments :
       {std::vector<std::string>{"exec", "absent"}, std::vector<std::string>{"tune", "absent"},
        std::vector<std::string>{"export", "absent", "--output", scratch / "library"}}) {
    Program program(scratch, arguments);
    EXPECT_EQ(program.wait(), 2);
    expect_text(program.err());
  }
  Program unknown(scratch, {"absent"});  // is no family where a command is expected
  EXPECT_EQ(unknown.wait(), 2);
  expect_text(unknown.err());
  Program listing(scratch, {"list", "families"});
  EXPECT_EQ(listing.wait(), 0);
  expect_text(listing.out());
  Program document(scratch, {"list", "variants", "--json"});
  EXPECT_EQ(document.wait(), 0);
  EXPECT_EQ(nlohmann::json::parse(document.out())["families_not_built"], nlohmann::json({"absent"}));
}

TEST(Commands, PlanSaysWhatIsMissingAndMakesNothing) {
  const Scratch scratch;
  const auto config = scratch.write("c.json", R"({"name": "c", "devices": "cpu", "cache_dir": "made_by_runs",
    "data": {"a": {"path": "a.fa", "package": "of-a"}, "b": {"path": "b.fa"}},
    "families": {"toy": {"problems": [{}], "variants": {"steady": {}}}}})");
  Program program(scratch, {"plan", "--config", config});
  EXPECT_EQ(program.wait(), 0) << program.err();
  expect_text(lines_with(program.out(), " is missing"));
  EXPECT_FALSE(std::filesystem::exists(scratch / "made_by_runs"));
}

/// A family whose input this host's memory does not hold.
class VastFamily final : public Family {
 public:
  std::string_view name() const override { return "vast"; }
  std::string_view summary() const override { return "more than fits"; }
  const SearchSpace& problem_space() const override { return space_; }
  const std::vector<Variant>& variants() const override { return variants_; }
  std::unique_ptr<Problem> load(const ProblemSpec&) const override { return nullptr; }
  std::string_view exec_variant() const override { return "only"; }
  ExecReport exec(const ExecRequest&, Device&) const override {
    throw DoesNotFit("the text needs 9 bytes of host memory: 2 bytes are available");
  }

 private:
  SearchSpace space_;
  std::vector<Variant> variants_{{.name = "only", .summary = "", .space = {}, .prepare = {}}};
};

TEST(Commands, WhatMemoryDoesNotHoldIsRefusedWithTheFiguresAndExitCode2) {
  const Scratch scratch;
  const Registry registry{.families = {std::make_shared<VastFamily>()}, .probes = {}};
  std::vector<std::string> words{"gpuseq-bench",     "exec",        "vast",
                                 "--default-points", "--cache-dir", (scratch / "cache").string()};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(run_program(static_cast<int>(arguments.size()), arguments.data(), registry), 2);
  expect_text(::testing::internal::GetCapturedStderr());
}

}  // namespace
}  // namespace gpuseq::bench
