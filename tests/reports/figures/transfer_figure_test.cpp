#include <gmock/gmock.h>

#include <map>
#include <string>

#include "tests/reports/drawn_figure.hpp"

namespace gpuseq::reports {
namespace {

using namespace example;
using chart::Json;

ReportData transfers() {
  return only([](const results::Record& r) { return r.state.family == "transfer"; });
}

TEST(TransferFigure, HasTheRateOfEverySizeByMemoryAndDirection) {
  const ReportData data = transfers();
  std::map<std::string, std::map<double, double>> lines;
  for (const Json& row : rows(*draw("probes/transfer", data).spec))
    lines[row["series"].get<std::string>()][row["x"].get<double>()] = row["y"];
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_FALSE(lines.contains("pageable, both"));
  for (const auto& [series, line] : lines) EXPECT_EQ(line.size(), 9u) << series;
  EXPECT_NEAR(lines.at("pinned, both").rbegin()->second, 9.6e10, 1e9);
  EXPECT_NEAR(lines.at("pageable, to_host").rbegin()->second, 1.1e10, 1e8);
  EXPECT_LT(lines.at("pinned, to_device").at(4096), 2.1e9);
}

TEST(TransferFigure, IsOfCopiesAlone) {
  const auto others = [](const results::Record& r) { return r.state.family != "transfer"; };
  const Drawing drawing = draw("probes/transfer", only(others));
  EXPECT_FALSE(drawing.spec);
  EXPECT_THAT(drawing.reason, ::testing::HasSubstr("transfer"));
}

}  // namespace
}  // namespace gpuseq::reports
