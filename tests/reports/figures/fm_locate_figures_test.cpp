#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/reports/drawn_figure.hpp"

namespace gpuseq::reports {
namespace {

using namespace example;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const chart::LineChart& lines_of(const Drawing& drawing) {
  return std::get<chart::LineChart>(*drawing.chart);
}

/// "walk, text 4 at 1.5: 10 below 20": series, label, bytes a base, rate and ceiling of each mark.
std::vector<std::string> marks_of(const chart::Panel& panel) {
  std::vector<std::string> marks;
  for (const chart::Mark& mark : panel.marks)
    marks.push_back(
        fmt::format("{} {} at {}: {} below {}", mark.series, mark.label, mark.x, mark.y, mark.ceiling));
  return marks;
}

TEST(LocateFigure, MarksTheFastestPointOfEachRateOfSamplesOverItsBytesABase) {
  const Drawing drawing =
      draw("fm-locate/rates",
           data({locate_record(1000000, 1, "text", 64), locate_record(1000000, 4, "text", 8),
                 locate_record(1000000, 4, "text", 16, 256), locate_record(1000000, 128, "text", 2)}));
  ASSERT_TRUE(drawing.spec) << drawing.reason;
  EXPECT_THAT(lines_of(drawing).series, ElementsAre("walk, text"));
  ASSERT_EQ(lines_of(drawing).panels.size(), 1u);
  EXPECT_THAT(marks_of(lines_of(drawing).panels[0]),
              ElementsAre("walk, text 1 at 4.5: 64 below 128", "walk, text 4 at 1.5: 16 below 32",
                          "walk, text 128 at 0.53125: 2 below 4"));
}

TEST(LocateFigure, HasASeriesForEachVariantAndOrderOfSamples) {
  std::vector<results::Record> records{locate_record(1000000, 2, "text", 8),
                                       locate_record(1000000, 8, "rows", 4),
                                       locate_record(1000000, 8, "text", 5)};
  records.back().state.variant = "simd";
  const Drawing drawing = draw("fm-locate/rates", data(records));
  ASSERT_TRUE(drawing.spec) << drawing.reason;
  EXPECT_THAT(lines_of(drawing).series, ElementsAre("simd, text", "walk, rows", "walk, text"));
  EXPECT_THAT(series(*drawing.spec), ElementsAre("simd, text", "walk, rows", "walk, text"));
}

TEST(LocateFigure, HasAPanelForEachProblemAndDeviceTheLargestReferenceFirst) {
  std::vector<results::Record> records{
      locate_record(1000000, 2, "text", 8), locate_record(100000000, 2, "text", 4),
      locate_record(100000000, 4, "rows", 2), locate_record(100000000, 4, "rows", 3)};
  records.back().state.device = "cpu";
  const Drawing drawing = draw("fm-locate/rates", data(records));
  ASSERT_TRUE(drawing.spec) << drawing.reason;
  std::vector<std::string> titles;
  for (const chart::Panel& panel : lines_of(drawing).panels) titles.push_back(panel.title);
  EXPECT_THAT(titles, ElementsAre(std::string(kCpu) + ": random, 100 Mbases, queries of 50 bases",
                                  std::string(kGpu) + ": random, 100 Mbases, queries of 50 bases",
                                  std::string(kGpu) + ": random, 1 Mbases, queries of 50 bases"));
  EXPECT_EQ(lines_of(drawing).panels[1].marks.size(), 2u);
}

TEST(LocateFigure, LeavesOutRatesOverSizeAndWhatDoesNotSayItsBytes) {
  std::vector<results::Record> records{locate_record(1000000, 2, "text", 8),
                                       locate_record(1000000, 4, "text", 6),
                                       locate_record(1000000, 8, "text", 4)};
  records[1].phase = "size";
  records[2].facts.erase("bits_per_base");
  const Drawing drawing = draw("fm-locate/rates", data(records));
  ASSERT_TRUE(drawing.spec) << drawing.reason;
  EXPECT_THAT(marks_of(lines_of(drawing).panels[0]), ElementsAre("walk, text 2 at 2.5: 8 below 16"));
  records.erase(records.begin());
  EXPECT_THAT(draw("fm-locate/rates", data(records)).reason, HasSubstr("the bytes that its index takes"));
}

/// Labels that are drawn beside their marks, of the fewest dimensions that two lines with ceilings leave
/// free.
TEST(LocateFigure, DrawsTheRatesOfSamplesBesideTheirMarks) {
  const Drawing drawing = draw("fm-locate/rates", example::data());
  ASSERT_TRUE(drawing.spec) << drawing.reason;
  std::vector<std::string> labels;
  for (const Json& row : rows(*drawing.spec, [](const Json& one) { return one["series"] == "walk, rows"; }))
    if (row.contains("label")) labels.push_back(row["label"]);
  EXPECT_EQ(std::ranges::count(labels, "64"), 2);  // one in each panel
  EXPECT_EQ(std::ranges::count(labels, "8"), 2);
}

}  // namespace
}  // namespace gpuseq::reports
