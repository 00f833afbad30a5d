#include "reports/charts/series_limit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gpuseq::reports::chart {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

TEST(LimitSeries, KeepsTheEightWithTheMostMarksAndThePublishedOne) {
  LineChart chart{.series_title = "device"};
  chart.panels.push_back({.title = "p"});
  for (int i = 0; i < 10; ++i) {
    chart.series.push_back("device " + std::to_string(i));
    for (int x = 0; x <= i; ++x)
      chart.panels[0].marks.push_back({.x = x + 1.0, .y = 1, .series = chart.series.back()});
  }
  chart.series.emplace_back("published (A)");
  Chart limited = chart;
  limit_series(limited);
  const auto& kept = std::get<LineChart>(limited);
  EXPECT_EQ(kept.series.size(), kMostSeries + 1);
  EXPECT_EQ(kept.series.front(), "device 2");
  EXPECT_EQ(kept.series.back(), "published (A)");
  EXPECT_THAT(kept.heading.notes, Contains("8 of 10 by device: those with the most marks."));
  for (const Mark& mark : kept.panels[0].marks)
    EXPECT_THAT(mark.series, Not(::testing::AnyOf("device 0", "device 1")));
}

TEST(LimitSeries, JoinsTheLeastOfStackedBarsSoThatTheyStayWhole) {
  RowChart chart{.bars = true, .stacked = true};
  chart.panels.push_back({.title = "p", .rows = {"a"}});
  double sum = 0;
  for (int i = 0; i < 10; ++i) {
    chart.series.push_back("part " + std::to_string(i));
    chart.panels[0].marks.push_back({.row = "a", .value = 10.0 - i, .series = chart.series.back()});
    sum += 10.0 - i;
  }
  chart.panels[0].marks.back().label = "all";
  Chart limited = chart;
  limit_series(limited);
  const auto& joined = std::get<RowChart>(limited);
  EXPECT_EQ(joined.series.size(), kMostSeries);
  EXPECT_EQ(joined.series.back(), "other");
  ASSERT_EQ(joined.panels[0].marks.size(), kMostSeries);
  double still = 0;
  for (const RowMark& mark : joined.panels[0].marks) still += mark.value;
  EXPECT_DOUBLE_EQ(still, sum);
  EXPECT_EQ(joined.panels[0].marks.back().label, "all");
  EXPECT_THAT(joined.heading.notes, ElementsAre("Other: part 7, part 8, part 9."));
}

TEST(LimitSeries, LeavesChartsOfEightAsTheyAre) {
  RowChart chart{.series_title = "device"};
  chart.panels.push_back({.title = "p"});
  for (int i = 0; i < 8; ++i) chart.series.push_back(std::to_string(i));
  Chart limited = chart;
  limit_series(limited);
  EXPECT_EQ(std::get<RowChart>(limited).series.size(), 8u);
  EXPECT_TRUE(std::get<RowChart>(limited).heading.notes.empty());
}

}  // namespace
}  // namespace gpuseq::reports::chart
