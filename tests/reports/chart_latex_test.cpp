#include "reports/charts/chart_latex.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "reports/charts/pivot.hpp"
#include "reports/figure.hpp"
#include "reports/report.hpp"
#include "runtime/io/atomic_file.hpp"
#include "tests/reports/committed_runs.hpp"
#include "tests/reports/example_run.hpp"
#include "tests/reports/print_checks.hpp"

namespace gpuseq::reports::chart {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const char* const kHostile =
    "50 % of a_b & {c} #1 $x$ \\input ~ ^ <d> [e] \"f\" averylongwordthatnobodycouldprint";

/// Rates of two series at two sizes, of which one lacks one.
LineChart rates() {
  LineChart chart{.x = {.title = "footprint", .unit = Unit::bytes},
                  .y = {.title = "rate", .unit = Unit::bases_per_s},
                  .series_title = "variant",
                  .series = {"one", "other"}};
  chart.heading = {.title = "A title", .notes = {"A note."}};
  chart.panels = {{.title = "H200",
                   .marks = {{.x = 65536, .y = 4.6712e10, .series = "one"},
                             {.x = 131072, .y = 3.2e10, .series = "one"},
                             {.x = 131072, .y = 1.25e9, .series = "other"}}}};
  return chart;
}

TEST(Pivot, HasARowASizeAndAColumnASeries) {
  const std::vector<PivotBlock> blocks = pivot(rates());
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_THAT(blocks[0].columns, ElementsAre("one", "other"));
  ASSERT_EQ(blocks[0].rows.size(), 2u);
  EXPECT_EQ(blocks[0].rows[0].name, "64 KiB");
  EXPECT_THAT(blocks[0].rows[0].values, ElementsAre(4.6712e10, std::nullopt));
  EXPECT_THAT(blocks[0].rows[1].values, ElementsAre(3.2e10, 1.25e9));
}

TEST(Pivot, GivesASecondMarkOfACellARowOfItsOwn) {
  LineChart chart = rates();
  chart.panels[0].marks.push_back({.x = 65536, .y = 1e10, .series = "one"});
  const std::vector<PivotBlock> blocks = pivot(chart);
  ASSERT_EQ(blocks[0].rows.size(), 3u);
  EXPECT_EQ(blocks[0].rows[1].name, "64 KiB");
  EXPECT_EQ(blocks[0].rows[1].values[0], 1e10);
}

TEST(Pivot, KeepsEveryValueOfEveryFigure) {
  for (const Figure& figure : figures()) {
    const Drawing drawing = figure.draw(figure, example::data(), all_published());
    std::vector<double> drawn, printed;
    std::visit(
        [&](const auto& kind) {
          for (const auto& panel : kind.panels) {
            if constexpr (requires { panel.cells; })
              for (const Cell& cell : panel.cells) drawn.push_back(cell.value);
            else if constexpr (requires { panel.marks.front().y; })
              for (const Mark& mark : panel.marks) mark.minor ? void() : drawn.push_back(mark.y);
            else
              for (const RowMark& mark : panel.marks) mark.minor ? void() : drawn.push_back(mark.value);
          }
        },
        *drawing.chart);
    for (const PivotBlock& block : pivot(*drawing.chart))
      for (const PivotRow& row : block.rows)
        for (const auto& value : row.values)
          if (value) printed.push_back(*value);
    std::ranges::sort(drawn);
    std::ranges::sort(printed);
    EXPECT_EQ(drawn, printed) << figure.name;
  }
}

TEST(Latex, HasACaptionALabelAndFourDigitsUnderAUnit) {
  const std::string text = latex(rates(), "fm-index/fig9");
  EXPECT_THAT(text, HasSubstr("\\caption{A title. A note.}"));
  EXPECT_THAT(text, HasSubstr("\\label{tab:fm-index-fig9}"));
  EXPECT_THAT(text, HasSubstr("H200; rate (Gbases/\\allowbreak{}s)"));
  EXPECT_THAT(text, HasSubstr("46.71 & {}"));
  EXPECT_THAT(text, HasSubstr("32 & 1.25"));
  EXPECT_THAT(text, Not(HasSubstr("longtable")));
}

TEST(Latex, IsOverTheColumnOrThePage) {
  EXPECT_THAT(latex(rates(), "x", TableWidth::page), HasSubstr("\\begin{table*}"));
  EXPECT_THAT(latex(rates(), "x"), HasSubstr("\\begin{table}"));
  LineChart wide = rates();
  for (int i = 0; i < 8; ++i) {
    wide.series.push_back("a series of some words " + std::to_string(i));
    wide.panels[0].marks.push_back({.x = 65536, .y = 1e9, .series = wide.series.back()});
  }
  EXPECT_THAT(latex(wide, "x"), HasSubstr("\\begin{table*}"));
  EXPECT_THAT(latex(wide, "x", TableWidth::column), HasSubstr("\\begin{table}"));
}

TEST(Latex, GoesOnInAnotherTableOfTheSameNumberWhenAPageCannotHoldIt) {
  LineChart chart = rates();
  for (int i = 0; i < 100; ++i) chart.panels[0].marks.push_back({.x = 2e6 + i, .y = 1e9, .series = "one"});
  const std::string text = latex(chart, "x");
  EXPECT_THAT(text, HasSubstr("\\addtocounter{table}{-1}"));
  EXPECT_THAT(text, HasSubstr("A title, continued."));
  EXPECT_EQ(text.find("\\label"), text.rfind("\\label"));
}

TEST(Latex, EscapesWhatIsSpecial) {
  EXPECT_EQ(latex_escape("a_b & 5 % {x} \\"), "a\\_b \\& 5 \\% \\{x\\} \\textbackslash{}");
}

/// Documents that pdflatex sets, in a folder of their own.
class Pdflatex : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v pdflatex >/dev/null 2>&1") != 0) GTEST_SKIP() << "pdflatex is not installed";
    dir_ = fs::path(testing::TempDir()) /
           (std::string("gpuseq_latex_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(dir_);
    fs::create_directories(dir_);
  }
  void TearDown() override { fs::remove_all(dir_); }

  /// What pdflatex says of it; empty: it is set, and no box is overfull and no float too large.
  std::string complaints(const std::string& options, const std::string& body) {
    std::ofstream(dir_ / "all.tex") << "\\documentclass" << options
                                    << "{article}\n\\usepackage{booktabs,graphicx}\n\\extrafloats{200}\n"
                                       "\\begin{document}\n"
                                    << body << "\\end{document}\n";
    const std::string command =
        "cd '" + dir_.string() + "' && pdflatex -interaction=nonstopmode -halt-on-error all.tex >log 2>&1";
    const bool is_set = std::system(command.c_str()) == 0;
    std::ifstream log(dir_ / "all.log");
    std::string said;
    for (std::string line; std::getline(log, line);)
      if (line.starts_with("Overfull") || line.starts_with("!") || line.find("Float too large") != line.npos)
        said += line + "\n";
    return is_set ? said : said + "(not set)";
  }

  fs::path dir_;
};

constexpr std::array kLayouts{"", "[twocolumn]"};

TEST_F(Pdflatex, SetsTheTableOfEveryFigureInOneColumnAndInTwo) {
  std::string body;
  for (const Figure& figure : figures()) {
    const Drawing drawing = figure.draw(figure, example::data(), all_published());
    for (const TableWidth width : {TableWidth::by_columns, TableWidth::column, TableWidth::page})
      body += latex(*drawing.chart, figure.name, width) + "\\clearpage\n";
  }
  for (const char* layout : kLayouts) EXPECT_EQ(complaints(layout, body), "") << layout;
}

TEST_F(Pdflatex, SetsTheTablesOfCommittedFigures) {
  const Published published = all_published();
  std::string body;
  for (const fs::path& run : committed_runs()) {
    if (!fs::exists(run / "plots")) continue;
    const ReportData data = load_runs({run});
    for (const Figure& figure : figures()) {
      if (!fs::exists(run / "plots" / (figure.file_stem() + ".png"))) continue;
      const Drawing drawing = figure.draw(figure, data, published);
      ASSERT_TRUE(drawing.chart) << run << " " << figure.name;
      body += latex(*drawing.chart, run.filename().string() + "-" + figure.name) + "\\clearpage\n";
    }
  }
  for (const char* layout : kLayouts) EXPECT_EQ(complaints(layout, body), "") << layout;
}

TEST_F(Pdflatex, SetsHostileText) {
  LineChart hostile = rates();
  hostile.heading.title = hostile.series[0] = hostile.panels[0].title = kHostile;
  for (Mark& mark : hostile.panels[0].marks)
    if (mark.series == "one") mark.series = kHostile;
  for (const char* layout : kLayouts) EXPECT_EQ(complaints(layout, latex(hostile, "hostile")), "") << layout;
}

TEST_F(Pdflatex, SetsBarePicturesWithTheirCaptions) {
  if (!no_renderer().empty()) GTEST_SKIP() << no_renderer();
  example::write(dir_ / "run");
  ReportOptions options{.run_dirs = {dir_ / "run"},
                        .output_dir = dir_,
                        .figures = {"fm-index/fig9", "fm-index/fig10"},
                        .formats = {"pdf"},
                        .print = {.width_mm = 80, .bare = true},
                        .python = python()};
  std::string body = "\\sloppy\n";
  for (const fs::path& file : render(options).files)
    if (file.extension() == ".pdf") {
      const std::string stem = "plots/" + file.stem().string();
      body += "\\begin{figure}\\centering\\includegraphics{" + stem + "}\\caption{\\protect\\input{" + stem +
              ".caption}}\\end{figure}\\clearpage\n";
    }
  EXPECT_THAT(body, HasSubstr("fm-index-fig10}"));
  for (const char* layout : kLayouts) EXPECT_EQ(complaints(layout, body), "") << layout;
}

}  // namespace
}  // namespace gpuseq::reports::chart
