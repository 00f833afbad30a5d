#include <gmock/gmock.h>

#include <algorithm>

#include "tests/reports/drawn_figure.hpp"

namespace gpuseq::reports {
namespace {

using namespace example;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

const chart::RowChart& rows_of(const Drawing& drawing) {
  return std::get<chart::RowChart>(*drawing.chart);
}

std::vector<results::Record> searches(const Point& problem) {
  std::vector<results::Record> records;
  add_occurring_searches(records, problem);
  return records;
}

TEST(OccurringFigure, HasARowForEachLayoutWithItsRateByTheShareThatOccurs) {
  const Drawing drawing = draw("fm-index/occurring", data(searches(problem(100'000'000))));
  ASSERT_TRUE(drawing.spec) << drawing.reason;
  const chart::RowChart& chart = rows_of(drawing);
  EXPECT_THAT(chart.series, ElementsAre("100 % occur", "50 % occur", "0 % occur"));
  ASSERT_THAT(chart.panels, SizeIs(1));
  EXPECT_THAT(chart.panels[0].title, HasSubstr("random, 100 Mbases, queries of 100 bases"));
  EXPECT_EQ(chart.panels[0].title.find("occur"), std::string::npos);
  // Each once, whatever shares it has: the height of a plot is by its rows.
  EXPECT_THAT(chart.panels[0].rows, ElementsAre("psi_lines_simd k=13, early exit", "psi_lines_simd k=13"));
  ASSERT_THAT(chart.panels[0].marks, SizeIs(6));
  const auto early = std::ranges::find_if(chart.panels[0].marks, [](const chart::RowMark& mark) {
    return mark.row == "psi_lines_simd k=13, early exit" && mark.series == "0 % occur";
  });
  ASSERT_NE(early, chart.panels[0].marks.end());
  EXPECT_DOUBLE_EQ(early->value, 1e6);
}

TEST(OccurringFigure, HasAPanelForEachTextAndTheFastestPointOfARow) {
  auto records = searches(problem(100'000'000));
  Point strains = problem(5'000'000);
  strains.set("strains", std::int64_t{20});
  for (results::Record& record : searches(strains)) records.push_back(std::move(record));
  results::Record wider = records.front();
  wider.state.point.set("line_bytes", std::int64_t{64});
  wider.statistics->rate = 7e5;
  records.push_back(wider);
  const Drawing drawing = draw("fm-index/occurring", data(records));
  ASSERT_TRUE(drawing.spec) << drawing.reason;
  ASSERT_THAT(rows_of(drawing).panels, SizeIs(2));
  for (const chart::RowPanel& panel : rows_of(drawing).panels) EXPECT_THAT(panel.marks, SizeIs(6));
  const auto fastest = [](const chart::RowPanel& panel) {
    return std::ranges::any_of(panel.marks, [](const chart::RowMark& mark) { return mark.value == 7e5; });
  };
  EXPECT_EQ(std::ranges::count_if(rows_of(drawing).panels, fastest), 1);
}

TEST(OccurringFigure, NeedsTwoShares) {
  auto records = searches(problem(100'000'000));
  records.resize(2);
  EXPECT_THAT(draw("fm-index/occurring", data(records)).reason, HasSubstr("occurring_percent"));
}

}  // namespace
}  // namespace gpuseq::reports
