#include <gmock/gmock.h>

#include <map>
#include <string>

#include "tests/reports/drawn_figure.hpp"

namespace gpuseq::reports {
namespace {

using namespace example;
using chart::Json;

TEST(PeerAccessFigure, HasALineForEachNeighbourAndSizeOfBlock) {
  const ReportData data = only([](const results::Record& r) { return r.state.family == "peer_access"; });
  std::map<std::string, std::map<double, double>> lines;
  for (const Json& row : rows(*draw("probes/peer-access", data).spec))
    lines[row["series"].get<std::string>()][row["x"].get<double>()] = row["y"];
  ASSERT_EQ(lines.size(), 4u) << ::testing::PrintToString(lines);
  for (const auto& [series, line] : lines) EXPECT_EQ(line.size(), 4u) << series;
  EXPECT_NEAR(lines.at("block_bytes 128, peer 1").at(1 << 30), 371e9, 1e8);
  EXPECT_NEAR(lines.at("block_bytes 32, peer 2").at(1 << 24), 139.5e9, 1e8);
}

TEST(PeerAccessFigure, IsNotOfADevicesOwnMemory) {
  const auto others = [](const results::Record& r) { return r.state.family != "peer_access"; };
  EXPECT_FALSE(draw("probes/peer-access", only(others)).spec);
}

}  // namespace
}  // namespace gpuseq::reports
