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
  ASSERT_EQ(lines.size(), 3u);
  for (const auto& [series, line] : lines) {
    const double at_rest = series.starts_with("NVIDIA") ? 600e-9 : 95e-9;
    EXPECT_EQ(line.size(), 4u) << series;
    EXPECT_NEAR(line.at(0), at_rest, 1e-12) << series;
    EXPECT_GT(line.rbegin()->second, at_rest) << series;
  }
}

TEST(LoadedLatencyFigure, HasAPanelForProcessorsAndOneForGpus) {
  const auto loaded = [](const results::Record& r) { return r.state.family == "loaded_latency"; };
  const std::vector<Json> both = panels(*draw("probes/loaded-latency", only(loaded)).spec);
  ASSERT_EQ(both.size(), 2u);
  const auto most = [](const Json& panel) {
    double x = 0;
    for (const Json& row : panel["data"]["values"]) x = std::max(x, row["x"].get<double>());
    return x;
  };
  EXPECT_NEAR(most(both[0]), 2e11, 1e6);
  EXPECT_NEAR(most(both[1]), 3e12, 1e6);
  const ReportData gpu = only([&](const auto& r) { return loaded(r) && r.state.device == "cuda:0"; });
  EXPECT_EQ(panels(*draw("probes/loaded-latency", gpu).spec).size(), 1u);
}

}  // namespace
}  // namespace gpuseq::reports
