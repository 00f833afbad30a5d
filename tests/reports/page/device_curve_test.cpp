#include "reports/page/device_curve.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "tests/reports/example_run.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::reports {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

json level(const char* name, double bytes, bool uncertain = false) {
  return {{"name", name},
          {"measured_bytes", bytes},
          {"low_bytes", 0.8 * bytes},
          {"high_bytes", 1.2 * bytes},
          {"stated_bytes", nullptr},
          {"uncertain", uncertain}};
}

std::vector<DeviceLevel> levels_of(const ReportData& data) {
  return device_levels(data, {{0, "cuda:0"}});
}

std::vector<std::string> names(const std::vector<DeviceLevel>& levels) {
  std::vector<std::string> all;
  for (const DeviceLevel& one : levels) all.push_back(one.name);
  return all;
}

TEST(DeviceLevels, AreThoseOfTheRunElseOfItsMachineProfile) {
  const TemporaryFolder folder;
  ReportData data = example::data();
  data.runs[0].dir = folder.path();
  data.runs[0].summary.erase("levels");
  EXPECT_TRUE(levels_of(data).empty());

  std::ofstream(folder.path() / "machine.json")
      << json{{"devices", {{"cuda:0", {{"levels", {level("L2 near", 3e7), level("L2", 6e7)}}}}}}};
  EXPECT_THAT(names(levels_of(data)), ElementsAre("L2 near", "L2"));

  data.runs[0].summary["levels"]["cuda:0"] = json::array({level("L1", 2e5)});
  EXPECT_THAT(names(levels_of(data)), ElementsAre("L1"));
}

TEST(DeviceLevels, OfACardThatCannotBeReadAreNone) {
  const TemporaryFolder folder;
  ReportData data = example::data();
  data.runs[0].dir = folder.path();
  data.runs[0].summary.erase("levels");
  std::ofstream(folder.path() / "machine.json") << "{";
  EXPECT_TRUE(levels_of(data).empty());
}

TEST(DeviceLevels, AreToldInWords) {
  EXPECT_EQ(level_words({.name = "L2",
                         .at_bytes = 1 << 20,
                         .low_bytes = 1 << 19,
                         .high_bytes = 1 << 21,
                         .stated_bytes = 1 << 20,
                         .uncertain = true}),
            "L2: 1 MiB (512 KiB to 2 MiB, stated 1 MiB, uncertain)");
}

TEST(DeviceCurve, HasUsualBlocksAndLatencyCrossedByTheLevels) {
  const ReportData data = example::data();
  const std::vector<DeviceLevel> levels{
      {.name = "L2", .at_bytes = 5e7, .low_bytes = 4e7, .high_bytes = 6e7},
      {.name = "TLB", .at_bytes = 8e10, .low_bytes = 7e10, .high_bytes = 9e10, .uncertain = true}};
  const auto chart = std::get<chart::LineChart>(*device_curve(data, example::kGpu, levels).chart);
  EXPECT_THAT(chart.series, ElementsAre("32 B blocks", "128 B blocks", HasSubstr("latency")));
  ASSERT_EQ(chart.panels.size(), 2u);
  for (const chart::Panel& panel : chart.panels) {
    ASSERT_EQ(panel.guides.size(), 2u);
    EXPECT_EQ(panel.guides[0].label, "L2 47.7 MiB");
    EXPECT_EQ(panel.guides[1].label, "TLB? 74.5 GiB");
    EXPECT_EQ(panel.bands.size(), 2u);
  }
  const auto of_cpu = std::get<chart::LineChart>(*device_curve(data, example::kCpu, {}).chart);
  EXPECT_THAT(of_cpu.series, ElementsAre("64 B blocks", HasSubstr("latency")));
  EXPECT_EQ(of_cpu.panels[0].title, "Random bandwidth, all threads");
}

TEST(DeviceCurve, IsNoneWithoutAProbe) {
  EXPECT_FALSE(device_curve(ReportData(), example::kGpu, {}).spec.has_value());
}

}  // namespace
}  // namespace gpuseq::reports
