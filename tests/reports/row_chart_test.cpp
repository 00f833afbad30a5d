#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "reports/charts/chart_spec.hpp"

namespace gpuseq::reports::chart {
namespace {

using ::testing::ElementsAre;

/// The ticks of two panels of one axis with a long label beside the highest mark.
std::vector<double> ticks(Unit unit, double highest, const Style& style) {
  RowChart chart{.value = {.title = "value", .unit = unit}, .series = {"one"}};
  for (const double value : {highest, 0.3 * highest})
    chart.panels.push_back(
        {.title = "p",
         .rows = {"row"},
         .marks = {{.row = "row", .value = value, .series = "one", .label = "123 Gbases/s, a long label"}}});
  const Json spec = draw(chart, style);
  return spec["concat"][0]["encoding"]["x"]["axis"]["values"].get<std::vector<double>>();
}

TEST(RowChart, OfSharesIsLabelledUpToTheWhole) {
  for (const double highest : {0.25, 0.7, 0.98, 1.0})
    EXPECT_THAT(ticks(Unit::share, highest, screen()), ElementsAre(0, 0.25, 0.5, 0.75, 1)) << highest;
  EXPECT_EQ(ticks(Unit::share, 0.98, column_width()).back(), 1);
}

/// A panel with marks at some shares, the first with an interval from 0.
Json panel_of_shares(const std::vector<double>& shares, bool log) {
  RowChart chart{.value = {.title = "share", .unit = Unit::share, .log = log}, .series = {"one"}};
  chart.panels.push_back({.title = "p", .rows = {"row"}});
  for (const double share : shares)
    chart.panels[0].marks.push_back(
        {.row = "row", .value = share, .low = share, .high = share, .series = "one"});
  chart.panels[0].marks[0].low = 0;
  return draw(chart);
}

TEST(RowChart, OfSharesOnALogarithmicAxisEndsBehindTheHighest) {
  EXPECT_LT(panel_of_shares({0.001, 0.05}, true)["encoding"]["x"]["scale"]["domain"][1], 0.5);
  EXPECT_GE(panel_of_shares({0.001, 0.05}, false)["encoding"]["x"]["scale"]["domain"][1], 1);
}

TEST(RowChart, HasAnIntervalFromZeroWhereItsAxisHasAZero) {
  EXPECT_EQ(panel_of_shares({0.1, 0.5}, false)["data"]["values"][0]["low"], 0);
  EXPECT_FALSE(panel_of_shares({0.1, 0.5}, true)["data"]["values"][0].contains("low"));
}

TEST(Axis, OfMeasuredSizesKeepsDecadesWhereNotAllHaveRoom) {
  LineChart chart{.x = {.title = "sites",
                        .unit = Unit::number_si,
                        .log = true,
                        .ticks = {500, 1000, 5000, 10'000, 50'000, 100'000, 500'000}},
                  .y = {.title = "y"},
                  .series = {"one"}};
  Panel panel{.title = "p"};
  for (const double x : chart.x.ticks) panel.marks.push_back({.x = x, .y = 1, .series = "one"});
  chart.panels.push_back(panel);
  const auto ticks =
      draw(chart, column_width())["encoding"]["x"]["axis"]["values"].get<std::vector<double>>();
  EXPECT_THAT(ticks, ::testing::IsSupersetOf({1000.0, 10'000.0, 100'000.0}));
}

TEST(RowChart, LeavesOutTicksEvenly) {
  for (const Style& style : {screen(), page_width(), column_width()})
    for (const double highest : {0.98, 1.3, 2.4, 7.7, 12.0, 950.0, 84'000.0})
      for (const Unit unit : {Unit::share, Unit::number}) {
        const std::vector<double> at = ticks(unit, highest, style);
        ASSERT_GE(at.size(), 2u) << highest;
        for (std::size_t i = 2; i < at.size(); ++i)
          EXPECT_NEAR(at[i] - at[i - 1], at[1] - at[0], 1e-9 * highest) << highest;
      }
}

/// Ticks and title of the axis of rates between two in print.
std::pair<std::vector<double>, std::string> rate_axis(double low, double high, const Style& style) {
  RowChart chart{.value = {.title = "query bases per second", .unit = Unit::bases_per_s, .log = true},
                 .series = {"one"}};
  for (const double value : {low, high})
    chart.panels.push_back(
        {.title = "p",
         .rows = {"a row with a name"},
         .marks = {{.row = "a row with a name", .value = value, .series = "one", .label = "123 Gbases/s"}}});
  const Json axis = draw(chart, style)["concat"][0]["encoding"]["x"]["axis"];
  return {axis["values"].get<std::vector<double>>(), axis["labelExpr"].get<std::string>()};
}

TEST(RowChart, OfRatesHasSeveralTicksDecadesAmongThem) {
  for (const Style& style : {column_width(), page_width()})
    for (const auto& [low, high] : {std::pair{2.4e8, 8e10}, {7e9, 8e10}, {1e8, 3e11}, {7e4, 2e11}}) {
      const auto [ticks, labels] = rate_axis(low, high, style);
      EXPECT_GE(ticks.size(), 2u) << low << " to " << high;
      EXPECT_TRUE(std::ranges::any_of(
          ticks,
          [](double tick) { return std::abs(std::log10(tick) - std::round(std::log10(tick))) < 1e-9; }))
          << low << " to " << high;
    }
}

TEST(RowChart, PutsTheMiddleOfANameOfSeveralLinesBesideItsRow) {
  RowChart chart{.value = {.title = "value", .unit = Unit::number}, .series = {"one"}};
  const std::string name = "a variant with a long name, and the processor that it ran on";
  for (const char* title : {"one", "other"})
    chart.panels.push_back(
        {.title = title, .rows = {name}, .marks = {{.row = name, .value = 1, .series = "one"}}});
  const Json axis = draw(chart, column_width())["concat"][0]["encoding"]["y"]["axis"];
  double two = 0, three = 0, six = 0;
  for (const Json& condition : axis["labelOffset"]["condition"]) {
    const auto test = condition["test"].get<std::string>();
    if (test.ends_with("=== 2")) two = condition["value"].get<double>();
    if (test.ends_with("=== 3")) three = condition["value"].get<double>();
    if (test.ends_with("=== 6")) six = condition["value"].get<double>();
  }
  EXPECT_DOUBLE_EQ(two, -axis["labelLineHeight"].get<double>() / 2);
  EXPECT_DOUBLE_EQ(three, 2 * two);
  EXPECT_DOUBLE_EQ(six, 5 * two);
}

}  // namespace
}  // namespace gpuseq::reports::chart
