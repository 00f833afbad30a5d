#include "reports/charts/chart_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>

#include "reports/figure.hpp"
#include "runtime/io/atomic_file.hpp"
#include "tests/reports/example_run.hpp"

namespace gpuseq::reports::chart {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

const char* const kHostile = "50 % of a_b & {c} #1 $x$ \\input ~ ^ <d> [e] \"f\"";

LineChart two_marks() {
  LineChart chart{.x = {.title = "footprint", .unit = Unit::bytes},
                  .y = {.title = "rate", .unit = Unit::bases_per_s},
                  .series = {"one"}};
  chart.heading = {.title = "A title", .notes = {"A note."}};
  chart.panels = {{.title = "H200",
                   .marks = {{.x = 65536,
                              .y = 4.6712e10,
                              .low = 4.5e10,
                              .high = 4.8e10,
                              .series = "one",
                              .tips = {{"Device", "H200"}, {"Point", "k=1, d=64"}}},
                             {.x = 131072, .y = 3.2e10, .series = "one", .tips = {{"Device", "H200"}}}}}};
  return chart;
}

TEST(Csv, HasUnitsInItsHeaderAndAllDigits) {
  EXPECT_EQ(csv(table_of(two_marks())),
            "panel,series,footprint (B),rate (bases/s),low (bases/s),high (bases/s),Device,Point\r\n"
            "H200,one,65536,46712000000,45000000000,48000000000,H200,\"k=1, d=64\"\r\n"
            "H200,one,131072,32000000000,,,H200,\r\n");
}

TEST(Csv, QuotesWhatWouldEndAField) {
  LineChart chart = two_marks();
  chart.panels[0].marks[0].series = "a \"b\", c\nd";
  EXPECT_THAT(csv(table_of(chart)), HasSubstr("\"a \"\"b\"\", c\nd\""));
}

TEST(Csv, LeavesOutWhatIsNoNumber) {
  LineChart chart = two_marks();
  chart.panels[0].marks[0].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(csv(table_of(chart)), Not(HasSubstr("nan")));
}

TEST(Latex, HasACaptionALabelAndFourDigitsUnderAUnit) {
  const std::string text = latex(table_of(two_marks()), two_marks().heading, "fm-index/fig9");
  EXPECT_THAT(text, HasSubstr("\\caption{A title. A note.}\n\\label{tab:fm-index-fig9}"));
  EXPECT_THAT(text, HasSubstr("rate (Gbases/s)"));
  EXPECT_THAT(text, HasSubstr("46.71"));
  EXPECT_THAT(text, HasSubstr("\\toprule"));
}

TEST(Latex, BreaksAcrossPagesWhenAPageCannotHoldIt) {
  LineChart chart = two_marks();
  chart.panels[0].marks.resize(60, chart.panels[0].marks[0]);
  EXPECT_THAT(latex(table_of(chart), chart.heading, "x"), HasSubstr("\\begin{longtable}"));
}

TEST(Latex, EscapesWhatIsSpecial) {
  EXPECT_EQ(latex_escape("a_b & 5 % {x} \\"), "a\\_b \\& 5 \\% \\{x\\} \\textbackslash{}");
}

TEST(Latex, CompilesForEveryFigureAndForHostileText) {
  if (std::system("command -v pdflatex >/dev/null 2>&1") != 0) GTEST_SKIP() << "pdflatex is not installed";
  const fs::path dir = fs::path(testing::TempDir()) / "gpuseq_latex_test";
  fs::remove_all(dir);
  fs::create_directories(dir);
  std::ofstream document(dir / "all.tex");
  document << "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage{booktabs,longtable}\n"
              "\\extrafloats{100}\n\\begin{document}\n";
  for (const Figure& figure : figures()) {
    const Drawing drawing = figure.draw(figure, example::data(), {});
    document << latex(table_of(*drawing.chart), heading_of(*drawing.chart), figure.name) << "\\clearpage\n";
  }
  LineChart hostile = two_marks();
  hostile.heading.title = hostile.panels[0].marks[0].series = hostile.panels[0].title = kHostile;
  document << latex(table_of(hostile), hostile.heading, "hostile") << "\\end{document}\n";
  document.close();
  const std::string command =
      "cd '" + dir.string() + "' && pdflatex -interaction=nonstopmode -halt-on-error all.tex >log";
  EXPECT_EQ(std::system(command.c_str()), 0) << read_file(dir / "log");
  fs::remove_all(dir);
}

}  // namespace
}  // namespace gpuseq::reports::chart
