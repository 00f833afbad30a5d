#include <gmock/gmock.h>

#include <algorithm>

#include "reports/charts/chart_spec.hpp"

namespace gpuseq::reports::chart {
namespace {

/// A line through these points of a unit square, and a guide half way up.
Json drawn(const std::vector<std::pair<double, double>>& places) {
  LineChart chart{.x = {.title = "x"}, .y = {.title = "y"}, .series = {"one"}};
  Panel panel{.title = "p", .guides = {{.vertical = false, .at = 0.5, .label = "half of what there is"}}};
  for (const auto& [x, y] : places) panel.marks.push_back({.x = x, .y = y, .series = "one"});
  chart.panels.push_back(panel);
  return draw(chart, screen());
}

/// A chart of one panel is that panel.
const Json& layers_of(const Json& spec) {
  return spec["layer"];
}

/// The marks of the guide's label, in the order in which they are drawn, with the place of each in it.
std::vector<std::pair<std::size_t, Json>> labels(const Json& spec) {
  std::vector<std::pair<std::size_t, Json>> found;
  const Json& layers = layers_of(spec);
  for (std::size_t i = 0; i < layers.size(); ++i)
    if (layers[i]["mark"].is_object() && layers[i]["mark"]["type"] == "text")
      found.emplace_back(i, layers[i]["mark"]);
  return found;
}

std::pair<std::string, std::string> place(const Json& spec) {
  const Json label = labels(spec).back().second;
  return {label["align"], label["baseline"]};
}

TEST(GuideLabel, StandsWhereNoLinePasses) {
  using ::testing::Pair;
  // Lines that keep away from the left, from the right, from what is above and from what is below the guide.
  EXPECT_THAT(place(drawn({{0, 0}, {1, 0.1}, {1, 1}})), Pair("left", "bottom"));
  EXPECT_THAT(place(drawn({{0, 0.2}, {0.02, 0.9}, {1, 1}})), Pair("right", "bottom"));
  EXPECT_THAT(place(drawn({{0, 0.52}, {0.45, 0.52}, {0.5, 0}, {0.5, 1}, {0.55, 0.52}, {1, 0.52}})),
              Pair("left", "top"));
}

TEST(GuideLabel, IsDrawnOverTheLinesWithARim) {
  const Json spec = drawn({{0, 0.55}, {0.5, 0.45}, {1, 0.55}});
  const auto found = labels(spec);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].second["stroke"], "white");
  EXPECT_FALSE(found[1].second.contains("stroke"));
  const Json& layers = layers_of(spec);
  const auto line =
      std::ranges::find_if(layers, [](const Json& layer) { return layer["mark"]["type"] == "line"; });
  ASSERT_NE(line, layers.end());
  EXPECT_LT(static_cast<std::size_t>(line - layers.begin()), found[0].first);
}

TEST(LineChart, AMarkWithoutAnIntervalDoesNotStretchALogarithmicAxis) {
  LineChart chart{.x = {.title = "x"}, .y = {.title = "y", .log = true}, .series = {"one"}};
  chart.panels.push_back(
      {.title = "p", .marks = {{.x = 1, .y = 100, .series = "one"}, {.x = 2, .y = 1000, .series = "one"}}});
  const Json domain = draw(chart, screen())["encoding"]["y"]["scale"]["domain"];
  EXPECT_GT(domain[0].get<double>(), 10);
  EXPECT_LT(domain[1].get<double>(), 10'000);
}

}  // namespace
}  // namespace gpuseq::reports::chart
