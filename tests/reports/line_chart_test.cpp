#include <gmock/gmock.h>

#include <algorithm>

#include "reports/charts/chart_spec.hpp"
#include "reports/charts/line_layout.hpp"

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
  // Ends that lines cross, and a place between.
  const Json between =
      drawn({{0, 0.2}, {0, 0.8}, {0.05, 0.2}, {0.1, 0.8}, {0.9, 0.8}, {0.95, 0.2}, {1, 0.8}});
  const double at = layers_of(between)[labels(between).back().first]["data"]["values"][0]["x"].get<double>();
  EXPECT_GT(at, 0.02);
  EXPECT_LT(at, 0.9);
}

TEST(GuideLabel, IsDrawnOverTheLinesWithARim) {
  const Json spec = drawn({{0, 0.1}, {1, 0.2}, {1, 1}});
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

TEST(GuideLabel, StandsAboveThePlotWhereNothingInItIsFree) {
  std::vector<std::pair<double, double>> crowded;
  for (int i = 0; i <= 40; ++i) crowded.emplace_back(i / 40.0, i % 2 == 0 ? 0.3 : 0.7);
  const Json spec = drawn(crowded);
  const auto found = labels(spec);
  ASSERT_EQ(found.size(), 1u);
  const Json& layer = layers_of(spec)[found[0].first];
  EXPECT_EQ(layer["data"]["values"][0]["label"], "- - half of what there is");
  EXPECT_LT(layer["encoding"]["y"]["value"].get<double>(), 0);
}

/// Labels of guides down a panel: where each starts, ends and stands, and its line, in pixels.
struct Down {
  double start, end, line;
  int row;
};

std::vector<Down> labels_down(const std::vector<double>& lines, const std::string& words,
                              const Style& style) {
  LineChart chart{.x = {.title = "x", .log = true}, .y = {.title = "y"}, .series = {"one"}};
  Panel panel{.title = "p",
              .marks = {{.x = 1, .y = 1, .series = "one"}, {.x = 1000, .y = 2, .series = "one"}}};
  for (const double line : lines) panel.guides.push_back({.vertical = true, .at = line, .label = words});
  chart.panels.push_back(panel);
  std::vector<Down> down;
  const double pixels = 200;
  const LineLayout layout = lay_out(chart, panel, pixels, 100, style);
  for (const TopLabel& label : layout.labels) {
    const double line = layout.x.place(label.at);
    down.push_back(
        {line + label.shift, line + label.shift + text_width(label.text, style.label), line, label.row});
  }
  return down;
}

TEST(GuideLabel, OfALineDownAPanelIsCrossedByNoOtherLine) {
  for (const auto& lines :
       {std::vector<double>{300, 800}, {2, 5}, {2, 900}, {7.4, 126}, {200, 400, 800}, {2, 400, 800}})
    for (const char* words : {"beyond", "beyond, all alike", "below, the small ones win"}) {
      const std::vector<Down> labels = labels_down(lines, words, column_width());
      for (const Down& label : labels)
        for (const Down& other : labels)
          if (other.row > label.row) {
            EXPECT_FALSE(label.start < other.line && other.line < label.end) << words << " at " << other.line;
          }
    }
}

/// The marks of a rising line from corner to corner, and what each is called.
LineChart rising(const std::vector<std::string>& names) {
  LineChart chart{.x = {.title = "x"}, .y = {.title = "y"}, .series = {"one"}};
  chart.panels.push_back({.title = "p"});
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double at = static_cast<double>(i);
    chart.panels[0].marks.push_back({.x = at, .y = at, .series = "one", .label = names[i]});
  }
  return chart;
}

TEST(MarkLabel, StandsBesideARisingLineAndIsDrawnOverItWithARim) {
  const Json spec = draw(rising({"", "a", "b", ""}), screen());
  std::vector<std::string> named;
  for (const Json& row : spec["data"]["values"])
    named.push_back(row.contains("label") ? row["label"].get<std::string>() : "");
  EXPECT_THAT(named, ::testing::ElementsAre("", "a", "b", ""));
  EXPECT_EQ(spec["data"]["values"][1]["label_side"], 0);
  const auto found = labels(spec);
  ASSERT_GE(found.size(), 2u);
  const Json& text = found.back().second;
  EXPECT_EQ(found[found.size() - 2].second["stroke"], "white");
  EXPECT_EQ(text["align"], "right");
  EXPECT_LT(text["dx"].get<double>(), 0);
  EXPECT_LT(text["dy"].get<double>(), 0);  // upwards
}

TEST(MarkLabel, IsLeftOutWhereMarksLeaveNoRoom) {
  LineChart crowded = rising(std::vector<std::string>(300, "name"));
  for (std::size_t i = 0; i < 300; ++i)
    for (int row = 0; row < 30; ++row)
      crowded.panels[0].marks.push_back({.x = static_cast<double>(i), .y = row * 10.0, .series = "one"});
  const std::vector<int> sides = lay_out(crowded, crowded.panels[0], 300, 200, screen()).sides;
  EXPECT_EQ(sides.size(), crowded.panels[0].marks.size());
  EXPECT_EQ(std::ranges::count(sides, kNoSide), std::ssize(sides));
}

TEST(LineChart, ATitleOfTwoLinesBesideThePlotHasRoomForBoth) {
  LineChart chart = rising({"a", "b"});
  const Style style = column_width();
  const double height = 145, one = y_room(chart, height, style);
  chart.panels[0].y = Quantity{.title = "random-access bandwidth, blocks of 128 B, on all threads"};
  EXPECT_DOUBLE_EQ(y_room(chart, height, style) - one, style.axis_title);
  EXPECT_DOUBLE_EQ(y_room(chart, 4 * height, style), one);
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
