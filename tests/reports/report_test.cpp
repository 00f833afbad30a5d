#include "reports/report.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "reports/charts/chart_style.hpp"
#include "reports/renderer.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "tests/reports/example_run.hpp"
#include "tests/reports/print_checks.hpp"
#include "tests/source_dir.hpp"

namespace gpuseq::reports {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = source_dir();

/// As HasSubstr, without printing pages of a megabyte.
testing::AssertionResult holds(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess() << "it holds '" << part << "'";
  return testing::AssertionFailure() << "it does not hold '" << part << "'";
}

class Report : public ::testing::Test {
 protected:
  void SetUp() override {
    dir_ = fs::path(testing::TempDir()) /
           (std::string("gpuseq_report_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(dir_);
  }
  void TearDown() override { fs::remove_all(dir_); }

  ReportOptions options() const {
    return {.run_dirs = {dir_}, .published = {kSource / "configs/published/fm-index.json"}};
  }

  fs::path dir_;
};

/// A renderer that dies of every specification with the word "bad".
fs::path dying_renderer(const fs::path& dir) {
  const fs::path interpreter = dir / "python";
  write_file_atomically(interpreter, R"(#!/bin/sh
shift 2
while [ $# -gt 0 ]; do
  if grep -q bad "$1"; then echo "a panic"; kill -ABRT $$; fi
  cp "$1" "$2"
  shift 2
done
)");
  fs::permissions(interpreter, fs::perms::owner_all);
  return interpreter;
}

TEST_F(Report, AFigureThatEndsTheRendererCostsItsOwnPicture) {
  fs::create_directories(dir_);
  std::vector<Rendering> renderings;
  for (const char* spec : {"a", "bad 1", "c", "d", "bad 2"})
    renderings.push_back({.spec = spec, .target = dir_ / fmt::format("{}.svg", renderings.size())});
  const Rendered rendered = render_files(dying_renderer(dir_), "svg", renderings);
  ASSERT_EQ(rendered.not_drawn.size(), 2u);
  EXPECT_TRUE(holds(rendered.not_drawn.at(1), "a panic"));
  EXPECT_TRUE(holds(rendered.not_drawn.at(4), "a panic"));
  for (std::size_t i = 0; i < renderings.size(); ++i)
    EXPECT_EQ(fs::exists(renderings[i].target), !rendered.not_drawn.contains(i)) << i;
  EXPECT_EQ(read_file(renderings[2].target), "c");
  EXPECT_EQ(render_files(dying_renderer(dir_), "svg", {renderings[1]}).not_drawn.size(), 1u);
}

TEST_F(Report, APictureThatCannotBeRenderedLeavesTheOldOne) {
  fs::create_directories(dir_);
  const fs::path interpreter = dir_ / "python", picture = dir_ / "f.svg";
  write_file_atomically(interpreter, "#!/bin/sh\nprintf half > \"$4\"\necho no fonts\nexit 1\n");
  fs::permissions(interpreter, fs::perms::owner_all);
  write_file_atomically(picture, "old");
  try {
    render_files(interpreter, "svg", {{.spec = "{}", .target = picture}});
    ADD_FAILURE() << "it cannot be rendered";
  } catch (const ResourceError& error) {
    EXPECT_TRUE(holds(error.what(), "no fonts"));
  }
  EXPECT_EQ(read_file(picture), "old");
}

TEST_F(Report, WritesOneVegaLiteFilePerFigureAndThePage) {
  example::write(dir_);
  const ReportResult result = write_report(options());
  EXPECT_TRUE(result.not_drawn.empty());
  EXPECT_EQ(result.files.size(), figures().size() + 1);
  for (const Figure& figure : figures())
    EXPECT_TRUE(fs::exists(dir_ / "plots" / (figure.file_stem() + ".vl.json"))) << figure.name;
  EXPECT_EQ(result.files.back(), dir_ / "report.html");
}

TEST_F(Report, WithoutARendererThePageHasItsTablesAndSaysHowToGetThePlots) {
  example::write(dir_);
  ReportOptions options = this->options();
  options.python = dir_ / "no-such-python";
  const ReportResult result = write_report(options);
  EXPECT_TRUE(holds(result.no_plots_on_page, "no-such-python"));
  const std::string page = read_file(dir_ / "report.html");
  EXPECT_TRUE(holds(page, "pip install vl-convert-python"));
  EXPECT_TRUE(holds(page, example::kGpu));
  EXPECT_TRUE(holds(page, "needs 1.1e11 bytes"));
  EXPECT_TRUE(holds(page, "L2: 47.7 MiB"));
  EXPECT_TRUE(holds(page, "64.5 G query bases/s"));
  EXPECT_TRUE(holds(page, "Example, 1 Gb, reads of 100<"));  // the winner's problem
  EXPECT_FALSE(holds(page, "vegaEmbed="));
}

TEST_F(Report, TextFromRecordsNeverBecomesMarkup) {
  const std::string hostile = "</script><script>alert('x')</script>\"><img src=x onerror=alert(1)>";
  std::vector<results::Record> records = example::records();
  for (std::size_t i = 0; i < records.size(); i += 7) {
    records[i].state.variant = hostile;
    records[i].notes = {hostile};
  }
  records.back().failure->reason = hostile;
  nlohmann::json run = example::summary();
  run["name"] = hostile;
  run["devices"]["cuda:0"]["name"] = hostile;
  run["devices"]["cuda:0"][hostile] = hostile;
  run["tuned"][0]["variant"] = hostile;
  run["tuned"][0]["problem_label"] = hostile;
  run["levels"]["cuda:0"][0]["name"] = hostile;
  run["config"][hostile] = hostile;
  example::write(dir_, records, run);
  write_report(options());
  const std::string page = read_file(dir_ / "report.html");
  EXPECT_FALSE(holds(page, "<img"));
  EXPECT_FALSE(holds(page, "<script>alert"));
  EXPECT_TRUE(holds(page, "&lt;script&gt;alert"));
}

TEST_F(Report, AsksTheNetworkForNothing) {
  example::write(dir_);
  write_report(options());
  const std::string page = read_file(dir_ / "report.html");
  EXPECT_TRUE(holds(page, "default-src 'none'"));
  for (const char* attribute : {"src=\"http", "href=\"http", "src=\"//", "href=\"//"})
    EXPECT_FALSE(holds(page, attribute));
}

TEST_F(Report, NamesTheFiguresThatCouldNotBeDrawnAndWhy) {
  std::vector<results::Record> records = example::records();
  std::erase_if(records, [](const results::Record& r) { return r.state.family == "latency"; });
  example::write(dir_, records);
  const ReportResult result = write_report(options());
  ASSERT_EQ(result.not_drawn.size(), 1u);
  EXPECT_EQ(result.not_drawn[0].first, "latency");
  EXPECT_EQ(result.not_drawn[0].second, "no record of latency");
  EXPECT_TRUE(holds(read_file(dir_ / "report.html"), "no record of latency"));
}

// Records of a run say nothing of an axis that came later: what both measured was drawn as two states.
TEST_F(Report, StatesOfAnOlderRunAreThoseOfANewerOneWhoseAxesHaveTheirDefaults) {
  const auto state = [](Point problem, Point point) {
    return example::record("fm_index", "one_hot", std::move(problem), std::move(point), "cpu", 1e9,
                           "query bases", 1e9);
  };
  nlohmann::json old = example::summary(), now = example::summary();
  old["defaults"] = nlohmann::json::parse(
      R"({"fm_index": {"problem": {"query_bases": 100}, "variants": {"one_hot": {"k": 4, "d": 64}}}})");
  now["defaults"] = nlohmann::json::parse(
      R"({"fm_index": {"problem": {"query_bases": 100, "kmer_bases": 0},
                       "variants": {"one_hot": {"k": 4, "lanes": 1, "d": 64}}}})");
  example::write(dir_ / "new",
                 {state({{"query_bases", 100}, {"kmer_bases", 0}}, {{"k", 4}, {"lanes", 1}, {"d", 64}}),
                  state({{"query_bases", 100}, {"kmer_bases", 31}}, {{"k", 4}, {"lanes", 1}, {"d", 64}})},
                 now);
  example::write(dir_ / "old", {state({{"query_bases", 100}}, {{"k", 4}, {"d", 64}})}, old);
  for (const auto& runs :
       {std::vector{dir_ / "new", dir_ / "old"}, std::vector{dir_ / "old", dir_ / "new"}}) {
    std::set<std::string> states;
    for (const Entry& entry : load_runs(runs).entries) states.insert(entry.record.state.to_string());
    EXPECT_THAT(states,
                testing::ElementsAre("fm_index/one_hot/query_bases=100,kmer_bases=0/k=4,lanes=1,d=64/cpu",
                                     "fm_index/one_hot/query_bases=100,kmer_bases=31/k=4,lanes=1,d=64/cpu"));
  }
}

TEST_F(Report, ReportsARunThatDiedBeforeItsSummary) {
  example::write(dir_);
  fs::remove(dir_ / "run.json");
  write_report(options());
  EXPECT_TRUE(holds(read_file(dir_ / "report.html"), "has no run.json"));
}

TEST_F(Report, ReportsARunWithoutARecord) {
  example::write(dir_, {});
  const ReportResult result = write_report(options());
  EXPECT_EQ(result.not_drawn.size(), figures().size());
}

TEST_F(Report, DrawsSeveralRunsTogetherAndKeepsTheirDevicesApart) {
  example::write(dir_ / "first");
  nlohmann::json other = example::summary();
  other["name"] = "second";
  other["devices"]["cuda:0"]["name"] = "NVIDIA H100";
  example::write(dir_ / "second", example::records(), other);
  ReportOptions options = this->options();
  options.run_dirs = {dir_ / "first", dir_ / "second"};
  options.output_dir = dir_ / "both";
  options.figures = {"fm-index/fig10"};
  render(options);
  const std::string plot = read_file(dir_ / "both/plots/fm-index-fig10.vl.json");
  EXPECT_TRUE(holds(plot, "NVIDIA H200"));
  EXPECT_TRUE(holds(plot, "NVIDIA H100"));
  EXPECT_TRUE(holds(plot, "runs example (gpuseq-bench 0.1.0, 0123456789), second"));
}

TEST_F(Report, WarnsOfRunsWithDifferentDataUnderOneName) {
  std::vector<results::Record> changed = example::records();
  for (results::Record& record : changed)
    if (record.kind != "probe") record.problem_hash = "0000000000000001";
  example::write(dir_ / "first");
  example::write(dir_ / "second", changed);
  ReportOptions options = this->options();
  options.run_dirs = {dir_ / "first", dir_ / "second"};
  options.output_dir = dir_ / "both";
  const ReportResult result = write_report(options);
  ASSERT_FALSE(result.remarks.empty());
  EXPECT_TRUE(holds(result.remarks[0], "different data under one name: found problem_hash"));
  EXPECT_TRUE(holds(read_file(dir_ / "both/report.html"), "0000000000000001 in the run"));
  options.run_dirs = {dir_ / "first", dir_ / "first"};
  EXPECT_TRUE(write_report(options).remarks.empty());
}

TEST_F(Report, RefusesUnknownFiguresFormatsAndFolders) {
  example::write(dir_);
  ReportOptions options = this->options();
  options.figures = {"fm-index/fig4"};
  EXPECT_THROW(render(options), UsageError);
  options.figures = {};
  options.formats = {"gif"};
  EXPECT_THROW(render(options), UsageError);
  options.formats = {};
  options.run_dirs = {dir_ / "nowhere"};
  EXPECT_THROW(render(options), UsageError);
  options.run_dirs = {};
  EXPECT_THROW(render(options), UsageError);
}

TEST_F(Report, AsksForARendererWhenAFormatNeedsOne) {
  example::write(dir_);
  ReportOptions options = this->options();
  options.formats = {"svg"};
  EXPECT_THROW(render(options), ResourceError);
}

bool python_has(const std::string& module) {
  return std::system((python().string() + " -c 'import " + module + "' >/dev/null 2>&1").c_str()) == 0;
}

TEST_F(Report, EveryFigureIsValidAgainstTheSchemaOfVegaLite5) {
  if (!python_has("altair, jsonschema")) GTEST_SKIP() << "requirements-tests.txt is not installed";
  example::write(dir_);
  render(options());
  EXPECT_EQ(run_check("check_vega_lite.py", dir_ / "plots", ".vl.json"), "");
}

/// The picture of a figure, as a file of its own.
void expect_picture(const Figure& figure, std::string svg) {
  EXPECT_TRUE(holds(svg, "</svg>")) << figure.name;
  EXPECT_TRUE(holds(svg, figure.title.substr(0, figure.title.find(' ')))) << figure.name;
  EXPECT_TRUE(holds(svg, "font/ttf;base64")) << figure.name;
  svg.erase(0, svg.find("</style>"));  // the font is letters at random
  EXPECT_FALSE(holds(svg, "NaN")) << figure.name;
  EXPECT_FALSE(holds(svg, "undefined")) << figure.name;
}

TEST_F(Report, EveryFigureRendersAtEitherWidthToAPictureWithoutOverlappingLabels) {
  if (!no_renderer().empty()) GTEST_SKIP() << no_renderer();
  example::write(dir_);
  ReportOptions options = this->options();
  options.python = python();
  options.formats = {"svg"};
  for (const double width_mm : {chart::kColumnMillimetres, chart::kPageMillimetres}) {
    fs::remove_all(dir_ / "plots");
    options.print = {.width_mm = width_mm};
    render(options);
    EXPECT_EQ(run_check("check_labels.py", dir_ / "plots", ".svg"), "");
    for (const Figure& figure : figures())
      expect_picture(figure, read_file(dir_ / "plots" / (figure.file_stem() + ".svg")));
  }
}

TEST_F(Report, ABarePictureHasNoWordsOfACaptionAndIsNoHigherThanFourFifthsOfItsWidth) {
  if (!no_renderer().empty()) GTEST_SKIP() << no_renderer();
  example::write(dir_);
  ReportOptions options = this->options();
  options.python = python();
  options.formats = {"svg"};
  for (const double width_mm : {chart::kColumnMillimetres, 120.0, chart::kPageMillimetres}) {
    fs::remove_all(dir_ / "plots");
    options.print = {.width_mm = width_mm, .bare = true};
    EXPECT_THAT(render(options).remarks, testing::IsEmpty()) << width_mm;
    EXPECT_EQ(run_check("check_labels.py --bare", dir_ / "plots", ".svg"), "") << width_mm;
    for (const Figure& figure : figures()) {
      const bool parted = fs::exists(dir_ / "plots" / (figure.file_stem() + "-1.svg"));
      const std::string stem = figure.file_stem() + (parted ? "-1" : "");
      const std::string svg = read_file(dir_ / "plots" / (stem + ".svg"));
      EXPECT_FALSE(holds(svg, ">Data: run")) << figure.name;
      EXPECT_FALSE(holds(svg, ">" + figure.title)) << figure.name;
      const std::string caption = read_file(dir_ / "plots" / (stem + ".caption.txt"));
      EXPECT_TRUE(holds(caption, figure.title)) << figure.name;
      EXPECT_TRUE(holds(caption, "Data: run example")) << figure.name;
    }
  }
}

TEST_F(Report, BarePicturesAreAsHighAsTheyAreAskedToBe) {
  if (!no_renderer().empty()) GTEST_SKIP() << no_renderer();
  example::write(dir_);
  ReportOptions options = this->options();
  options.python = python();
  options.formats = {"svg"};
  options.figures = {"fm-index/fig10"};
  for (const double height_mm : {50.0, 90.0}) {
    options.print = {.width_mm = chart::kColumnMillimetres, .bare = true, .height_mm = height_mm};
    EXPECT_THAT(render(options).remarks, testing::IsEmpty());
    const std::string svg = read_file(dir_ / "plots/fm-index-fig10.svg");
    const std::size_t at = svg.find("height=\"") + 8;
    const double high = std::stod(svg.substr(at));  // points
    EXPECT_LE(high, height_mm * 72 / 25.4 + 1);
    EXPECT_GT(high, 0.8 * height_mm * 72 / 25.4);
  }
  options.print.height_mm = 20;
  EXPECT_THAT(render(options).remarks, testing::ElementsAre(testing::HasSubstr("20 mm were asked for")));
}

TEST_F(Report, PdfsAreAsWideAsAColumnOrThePageAndHoldTheirFonts) {
  if (!no_renderer().empty()) GTEST_SKIP() << no_renderer();
  if (std::system("command -v pdffonts >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "poppler-utils is not installed";
  example::write(dir_);
  ReportOptions options = this->options();
  options.python = python();
  options.formats = {"pdf"};
  options.figures = {"fm-index/fig10", "fm-index/fig9"};
  render(options);
  const auto said = [&](const std::string& command) {
    const fs::path log = dir_ / "log";
    EXPECT_EQ(std::system((command + " >'" + log.string() + "'").c_str()), 0);
    return read_file(log);
  };
  const auto pdf = [&](const char* stem) { return (dir_ / "plots" / stem).string() + ".pdf"; };
  EXPECT_TRUE(holds(said("pdfinfo " + pdf("fm-index-fig10")), "249.4"));
  EXPECT_TRUE(holds(said("pdfinfo " + pdf("fm-index-fig9")), "510.2"));
  EXPECT_TRUE(holds(said("pdffonts " + pdf("fm-index-fig9")), "yes yes"));
}

TEST_F(Report, WritesTablesOfTheSameData) {
  example::write(dir_);
  ReportOptions options = this->options();
  options.formats = {"csv", "tex"};
  options.figures = {"fm-index/fig5"};
  const ReportResult result = render(options);
  EXPECT_EQ(result.files.size(), 3u);
  const std::string csv = read_file(dir_ / "plots/fm-index-fig5.csv");
  EXPECT_TRUE(holds(csv, "panel,row,series,query bases per second (bases/s),low (bases/s),high (bases/s)"));
  EXPECT_TRUE(holds(csv, "Chacón et al., section 5.2, figure 5"));
  EXPECT_TRUE(holds(read_file(dir_ / "plots/fm-index-fig5.tex"), "\\label{tab:fm-index-fig5}"));
}

}  // namespace
}  // namespace gpuseq::reports
