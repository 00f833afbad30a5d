#include <gmock/gmock.h>

#include <map>
#include <set>
#include <string>

#include "tests/reports/drawn_figure.hpp"

namespace gpuseq::reports {
namespace {

using namespace example;
using chart::Json;

constexpr double kFootprint = 1 << 30;

bool says_what_is_in_flight(const results::Record& record) {
  return record.state.family == "random_access" && record.facts.contains("accesses_in_flight");
}

std::map<std::string, Json> by_title(const Json& spec) {
  std::map<std::string, Json> found;
  for (const Json& panel : panels(spec)) {
    const Json& title = panel["title"];
    found[(title.is_object() ? title["text"] : title).get<std::string>()] = panel;
  }
  return found;
}

std::map<std::string, std::map<double, double>> lines(const Json& panel) {
  std::map<std::string, std::map<double, double>> found;
  for (const Json& row : panel["data"]["values"])
    found[row["series"].get<std::string>()][row["x"].get<double>()] = row["y"];
  return found;
}

TEST(OccupancyFigure, HasAPanelForEachDeviceAndSizeOfBlockAndALineForEachNumberOfLoads) {
  const auto drawn = by_title(*draw("probes/occupancy", example::data()).spec);
  ASSERT_EQ(drawn.size(), 3u);
  ASSERT_TRUE(drawn.contains("NVIDIA H200, blocks of 32 B, per multiprocessor"));
  const auto small = lines(drawn.at("NVIDIA H200, blocks of 32 B, per multiprocessor"));
  ASSERT_EQ(small.size(), 2u);
  ASSERT_EQ(small.at("1 load a lane").size(), 4u);
  // 8 warps of 16 blocks; 64 warps, 4 loads.
  EXPECT_EQ(small.at("1 load a lane").begin()->first, 128);
  EXPECT_EQ(small.at("4 loads a lane").rbegin()->first, 4096);
  EXPECT_NEAR(small.at("4 loads a lane").rbegin()->second, 2.2e12, 1e7);
  // The same in flight by many warps or by many loads is the same.
  EXPECT_NEAR(small.at("1 load a lane").at(512), small.at("4 loads a lane").at(512), 1e7);
  const auto large = lines(drawn.at("NVIDIA H200, blocks of 128 B, per multiprocessor"));
  EXPECT_EQ(large.at("1 load a lane").begin()->first, 32);
}

TEST(OccupancyFigure, OfAProcessorHasALineForEachNumberOfThreads) {
  const auto drawn = by_title(*draw("probes/occupancy", example::data()).spec);
  const std::string title = std::string(kCpu) + ", blocks of 64 B, per thread";
  ASSERT_TRUE(drawn.contains(title));
  const auto found = lines(drawn.at(title));
  ASSERT_EQ(found.size(), 2u);
  ASSERT_TRUE(found.contains("1 thread") && found.contains("96 threads"));
  EXPECT_EQ(found.at("96 threads").begin()->first, 4);
  EXPECT_NEAR(found.at("1 thread").at(4), 4 * 64 / 110e-9, 1e4);
}

TEST(OccupancyFigure, IsNotDrawnOfCurvesThatDoNotSayWhatIsInFlight) {
  const Drawing drawing =
      draw("probes/occupancy", only([](const auto& record) { return !says_what_is_in_flight(record); }));
  EXPECT_FALSE(drawing.spec);
  EXPECT_THAT(drawing.reason, ::testing::HasSubstr("in flight"));
}

TEST(OccupancyFigure, LeavesTheCurvesOverFootprintAsTheyAre) {
  // An example in which more in flight would be faster than the curves.
  std::vector<results::Record> records = example::records(), without;
  for (results::Record& record : records)
    if (says_what_is_in_flight(record))
      record.statistics->rate *= 10;
    else
      without.push_back(record);
  for (const char* name : {"random-access/lines", "suite/surface", "fm-index/fig3", "fm-index/fig10"}) {
    const auto plain = [&](const std::vector<results::Record>& from) {
      std::multiset<std::string> marks;
      const Json spec = *draw(name, example::data(from)).spec;
      EXPECT_THAT(spec.dump(), ::testing::Not(::testing::HasSubstr("96 threads"))) << name;
      for (Json row : rows(spec)) {
        row.erase("record");
        marks.insert(row.dump());
      }
      return marks;
    };
    EXPECT_EQ(plain(records), plain(without)) << name;
  }
}

TEST(OccupancyFigure, LeavesPointsAtOneFootprintWhereThereAreNoCurves) {
  const Json spec = *draw("random-access/lines", only(says_what_is_in_flight)).spec;
  for (const Json& row : rows(spec)) EXPECT_EQ(row["x"].get<double>(), kFootprint);
}

}  // namespace
}  // namespace gpuseq::reports
