#include <gmock/gmock.h>

#include <map>
#include <string>

#include "tests/reports/drawn_figure.hpp"

namespace gpuseq::reports {
namespace {

using namespace example;
using chart::Json;

TEST(LoadedLatencyFigure, HasALineForEachLoadFromRestOn) {
  const ReportData data = only([](const results::Record& r) { return r.state.family == "loaded_latency"; });
  const Json spec = *draw("probes/loaded-latency", data).spec;
  std::map<std::string, std::map<double, double>> lines;
  for (const Json& row : rows(spec))
    lines[row["series"].get<std::string>()][row["x"].get<double>()] = row["y"];
  ASSERT_EQ(lines.size(), 2u);
  for (const auto& [series, line] : lines) {
    EXPECT_EQ(line.size(), 4u) << series;
    EXPECT_NEAR(line.at(0), 95e-9, 1e-12) << series;
    EXPECT_GT(line.rbegin()->second, 95e-9) << series;
  }
}

}  // namespace
}  // namespace gpuseq::reports
