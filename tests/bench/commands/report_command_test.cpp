#include <csignal>
#include <fstream>

#include "tests/bench/toy_program.hpp"
#include "tests/reports/example_run.hpp"
#include "tests/source_dir.hpp"

// report from the command line: which figures, in which formats, where to, and the exit codes.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

Result reported(const Scratch& scratch, std::vector<std::string> arguments) {
  return result_of(scratch, "report", std::move(arguments));
}

/// The folder of a run without energy.
std::string written(const Scratch& scratch, const std::string& name) {
  std::vector<results::Record> records = reports::example::records();
  for (results::Record& record : records) record.energy = {std::nullopt, "no counter"};
  reports::example::write(scratch / name, records);
  return scratch / name;
}

/// An interpreter that prints its process number and that of its child, and draws nothing.
fs::path hanging_python(const Scratch& scratch) {
  const std::string pids = scratch / "pids";
  fs::path script = scratch.write("python", "#!/bin/sh\nsleep 1000 & echo $$ $! > " + pids + ".part && mv " +
                                                pids + ".part " + pids + "\nwait\n");
  fs::permissions(script, fs::perms::owner_all);
  return script;
}

TEST(ReportCommand, ThatIsKilledLeavesNoRendererAndNoFolder) {
  const Scratch scratch;
  const std::string dir = written(scratch, "run");
  const fs::path python = hanging_python(scratch), temporary = scratch / "tmp";
  fs::create_directory(temporary);
  for (const int signal : {SIGKILL, SIGTERM, SIGINT, SIGHUP}) {
    fs::remove(scratch / "pids");
    Program program(scratch, {"report", dir, "--format", "svg"}, [&] {
      std::signal(SIGHUP, SIG_DFL);  // nohup ignores it, and children inherit that
      setenv("GPUSEQ_PYTHON", python.c_str(), 1);
      setenv("TMPDIR", temporary.c_str(), 1);
    });
    ASSERT_TRUE(wait_until([&] { return fs::exists(scratch / "pids"); })) << program.err();
    program.kill(signal);
    EXPECT_EQ(program.wait(), -signal);
    std::istringstream pids(content(scratch / "pids"));
    for (std::string pid; pids >> pid;)
      EXPECT_TRUE(wait_until([&] {
        const std::string stat = content("/proc/" + pid + "/stat");
        return stat.empty() || stat.find(") Z") != std::string::npos;
      })) << pid;
    EXPECT_TRUE(fs::is_empty(temporary));
    EXPECT_FALSE(fs::exists(fs::path(dir) / "report.html"));
  }
}

TEST(ReportCommand, ListsFiguresWithTheirTitlesAndWhyARunCannotDrawThem) {
  const Scratch scratch;
  const std::string dir = written(scratch, "run");
  const Result result = reported(scratch, {dir, "--figure", "list"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("fm-index/fig9"), HasSubstr("Rate over reference size by layout\n"),
                                HasSubstr("[not drawn: none of the"), HasSubstr("no counter]")));
  EXPECT_FALSE(fs::exists(fs::path(dir) / "plots"));
}

TEST(ReportCommand, WritesOnlyTheFiguresAskedForAndNoPage) {
  const Scratch scratch;
  const std::string dir = written(scratch, "run");
  // The folder may stand behind the option, too.
  const Result result =
      reported(scratch, {"--figure", "latency", "suite/roofline", dir, "--format", "csv,tex"});
  EXPECT_EQ(result.code, 0) << result.err;
  for (const char* file : {"latency.vl.json", "latency.csv", "suite-roofline.tex"})
    EXPECT_TRUE(fs::exists(fs::path(dir) / "plots" / file)) << file;
  EXPECT_FALSE(fs::exists(fs::path(dir) / "plots/sequential.vl.json"));
  EXPECT_FALSE(fs::exists(fs::path(dir) / "report.html"));
}

TEST(ReportCommand, RefusesWidthsThatAreNoneAndWordsOfPicturesWithoutOne) {
  const Scratch scratch;
  const std::string dir = written(scratch, "run");
  for (const char* width : {"wide", "5", "1e9", "88mm"}) {
    const Result result = reported(scratch, {dir, "--figure", "latency", "--width", width});
    EXPECT_EQ(result.code, 2) << width;
    EXPECT_THAT(result.err, HasSubstr("column, page, auto, or millimetres"));
  }
  const Result bare = reported(scratch, {dir, "--figure", "latency", "--format", "tex", "--bare"});
  EXPECT_EQ(bare.code, 2);
  EXPECT_THAT(bare.err, HasSubstr("--format pdf"));
  EXPECT_EQ(reported(scratch, {dir, "--figure", "latency", "--height", "50"}).code, 2);
}

TEST(ReportCommand, DrawsFiguresOverThoseOfAnotherRun) {
  const Scratch scratch;
  const std::string dir = written(scratch, "run"), other = written(scratch, "other");
  const Result result = reported(scratch, {dir, "--figure", "latency", "--over", other});
  EXPECT_EQ(result.code, 0) << result.err;
  std::ifstream file(fs::path(dir) / "plots/latency.vl.json");
  EXPECT_THAT(std::string(std::istreambuf_iterator<char>(file), {}), HasSubstr("\"behind\": true"));
  EXPECT_EQ(reported(scratch, {dir, "--figure", "latency", "--over", scratch / "nowhere"}).code, 2);
}

TEST(ReportCommand, DrawsBoardsOfOneModelAsOneDeviceAndSaysSo) {
  const Scratch scratch;
  std::vector<std::string> boards;
  for (const char* uuid : {"GPU-1", "GPU-2"}) {
    std::vector<results::Record> records = reports::example::records();
    for (results::Record& record : records)
      record.provenance["device"] = {{"name", "a model"}, {"uuid", uuid}};
    reports::example::write(scratch / uuid, records);
    boards.push_back(scratch / uuid);
  }
  const auto figure = [&](std::vector<std::string> options) {
    options.insert(options.end(), {boards[0], boards[1], "--no-page", "--output", scratch / "both"});
    const Result result = reported(scratch, std::move(options));
    EXPECT_EQ(result.code, 0) << result.err;
    std::ifstream file(fs::path(scratch / "both") / "plots/fm-index-fig5.vl.json");
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  EXPECT_THAT(figure({}), AllOf(HasSubstr(" (run example ("), Not(HasSubstr("drawn as one device"))));
  EXPECT_THAT(figure({"--by-model"}), AllOf(Not(HasSubstr(" (run example (")),
                                            HasSubstr("Boards of one model are drawn as one device")));
}

TEST(ReportCommand, DrawsWhatSeveralRunsHaveBesideThemOnce) {
  const Scratch scratch;
  const fs::path facts = source_dir() / "configs/published/fm-index.json";
  const auto published_marks = [&](const std::vector<std::string>& runs) {
    std::vector<std::string> arguments = runs;
    arguments.insert(arguments.end(),
                     {"--no-page", "--output", scratch / "both", "--published", facts.string()});
    for (const std::string& run : runs) {
      nlohmann::json summary = reports::example::summary();
      summary["config"]["published"] = facts.string();
      reports::example::write(run, reports::example::records(), summary);
    }
    EXPECT_EQ(reported(scratch, std::move(arguments)).code, 0);
    std::ifstream file(fs::path(scratch / "both") / "plots/fm-index-fig5.vl.json");
    const std::string text(std::istreambuf_iterator<char>(file), {});
    std::size_t count = 0;
    for (std::size_t at = text.find("published (Chac"); at != std::string::npos;
         at = text.find("published (Chac", at + 1))
      ++count;
    return count;
  };
  const std::size_t of_one = published_marks({scratch / "one"});
  EXPECT_GT(of_one, 0u);
  EXPECT_EQ(published_marks({scratch / "one", scratch / "other"}), of_one);
}

TEST(ReportCommand, MakesOneReportOfSeveralRunsWhereItIsTold) {
  const Scratch scratch;
  const std::string first = written(scratch, "first"), second = written(scratch, "second");
  const std::string both = scratch / "both";
  const Result result = reported(scratch, {first, second, "--no-page", "--output", both});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(fs::exists(fs::path(both) / "plots/fm-index-fig5.vl.json"));
  EXPECT_FALSE(fs::exists(fs::path(first) / "plots"));
}

TEST(ReportCommand, EndsWithTwoForWhatDoesNotExist) {
  const Scratch scratch;
  const std::string dir = written(scratch, "run");
  const Result figure = reported(scratch, {dir, "--figure", "fm-index/fig99"});
  EXPECT_EQ(figure.code, 2);
  EXPECT_THAT(figure.err, HasSubstr("did you mean 'fm-index/fig9'"));
  EXPECT_EQ(reported(scratch, {dir, "--format", "gif"}).code, 2);
  EXPECT_EQ(reported(scratch, {dir, "--published", scratch / "nowhere.json", "--no-page"}).code, 2);
  EXPECT_EQ(reported(scratch, {scratch / "nowhere"}).code, 2);
  EXPECT_EQ(reported(scratch, {}).code, 2);
}

TEST(ReportCommand, EndsWithOneWhereNothingAskedForCanBeDrawn) {
  const Scratch scratch;
  const Result result = reported(scratch, {written(scratch, "run"), "--figure", "suite/energy"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("suite/energy is not drawn"));
}

}  // namespace
}  // namespace gpuseq::bench

int main(int argc, char** argv) {
  return gpuseq::bench::testing::toy_main(argc, argv);
}
