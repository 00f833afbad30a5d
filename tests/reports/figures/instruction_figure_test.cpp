#include <gmock/gmock.h>

#include "tests/reports/drawn_figure.hpp"

// The figure of the probe instruction_throughput.

namespace gpuseq::reports {
namespace {

using namespace example;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

constexpr const char* kName = "probes/instruction_throughput";

ReportData only_instructions() {
  return only([](const results::Record& r) { return r.state.family == "instruction_throughput"; });
}

TEST(InstructionFigure, HasAPanelForEachDeviceAndForEachInstructionSetOfACpu) {
  const Json spec = *draw(kName, only_instructions()).spec;
  std::vector<std::string> titles;
  for (const Json& panel : panels(spec)) titles.push_back(panel["title"]["text"]);
  EXPECT_THAT(titles, UnorderedElementsAre(kGpu, std::string(kCpu) + ", avx2, 1 thread",
                                           std::string(kCpu) + ", avx512, 1 thread"));
}

TEST(InstructionFigure, DrawsTheFastestRecordOfEveryOperationOnce) {
  const ReportData data = only_instructions();
  const Json spec = *draw(kName, data).spec;
  std::set<std::size_t> drawn;
  for (const Json& row : rows(spec)) {
    const Entry& entry = data.entries[row["record"].get<std::size_t>()];
    EXPECT_TRUE(drawn.insert(row["record"].get<std::size_t>()).second);
    EXPECT_DOUBLE_EQ(row["value"].get<double>(), entry.record.statistics->rate);
    EXPECT_EQ(row["row"], entry.record.state.point.word("operation"));
    if (entry.record.state.device != "cpu") {
      EXPECT_EQ(entry.record.state.point.integer("threads_per_block"), 256);
    }
  }
  EXPECT_EQ(drawn.size(), 8u + 2 * 3);
}

TEST(InstructionFigure, ColoursByPipeWithPairsApart) {
  const Json spec = *draw(kName, only_instructions()).spec;
  EXPECT_THAT(series(spec),
              UnorderedElementsAre("alu", "fma", "shared memory", "vector alu", "load", "two in turn"));
  for (const Json& row : rows(spec))
    EXPECT_EQ(row["series"] == "two in turn", row["row"].get<std::string>().find('+') != std::string::npos);
}

TEST(InstructionFigure, GivesEveryRowOneBar) {
  const Json spec = *draw(kName, only_instructions()).spec;
  EXPECT_EQ(spec.dump().find("yOffset"), std::string::npos);
  EXPECT_THAT(spec.dump(), HasSubstr("\"bar\""));
}

TEST(InstructionFigure, SaysHowManyLanesAMultiprocessorDoesInAClockIfTheRecordTells) {
  ReportData data = only_instructions();
  EXPECT_THAT(draw(kName, data).spec->dump(), HasSubstr("a clock"));
  for (Entry& entry : data.entries) entry.record.facts = nlohmann::json::object();
  const Json spec = *draw(kName, data).spec;
  for (const Json& row : rows(spec))
    EXPECT_EQ(row["label"].get<std::string>().find("a clock"), std::string::npos);
  EXPECT_THAT(series(spec), Contains("pipe unknown"));
}

TEST(InstructionFigure, SurvivesRecordsWithoutItsAxes) {
  ReportData data = only_instructions();
  for (Entry& entry : data.entries) entry.record.state.point = Point{};
  EXPECT_THAT(draw(kName, data).reason, HasSubstr("operation"));
}

TEST(InstructionFigure, ItsRecordsAreInNoFigureOverFootprint) {
  for (const char* name : {"sequential", "latency", "random-access/lines"})
    EXPECT_FALSE(draw(name, only_instructions()).spec) << name;
}

}  // namespace
}  // namespace gpuseq::reports
