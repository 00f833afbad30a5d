#include "reports/charts/chart_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace gpuseq::reports::chart {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

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

}  // namespace
}  // namespace gpuseq::reports::chart
