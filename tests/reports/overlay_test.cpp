#include "reports/overlay/overlay.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/reports/drawn_figure.hpp"

namespace gpuseq::reports {
namespace {

using namespace example;
using ::testing::HasSubstr;
using ::testing::Not;

/// The example run on devices of other names, twice as fast.
ReportData other_run() {
  ReportData data = example::data();
  data.runs.front().name = "committed";
  for (Entry& entry : data.entries) {
    entry.device_name = "old " + entry.device_name;
    if (entry.record.statistics) entry.record.statistics->rate /= 2;
  }
  return data;
}

Drawing over(const std::string& name) {
  const ReportData ours = example::data(), theirs = other_run();
  const Drawing front = draw(name, ours), behind = draw(name, theirs);
  return overlaid({front, ours}, {behind, theirs});
}

TEST(Overlay, LaysPanelsOverEachOtherThatDifferInTheDeviceAlone) {
  const Drawing drawing = over("fm-index/fig8");
  const Drawing alone = draw("fm-index/fig8", example::data());
  const auto& chart = std::get<chart::LineChart>(*drawing.chart);
  const auto& single = std::get<chart::LineChart>(*alone.chart);
  ASSERT_EQ(chart.panels.size(), single.panels.size());
  for (std::size_t i = 0; i < chart.panels.size(); ++i) {
    const std::size_t marks = single.panels[i].marks.size();
    EXPECT_EQ(chart.panels[i].marks.size(), 2 * marks);
    EXPECT_EQ(std::ranges::count_if(chart.panels[i].marks, &chart::Mark::behind), marks);
    EXPECT_THAT(chart.panels[i].title, HasSubstr(", over old "));
  }
  EXPECT_EQ(chart.series, single.series);
}

TEST(Overlay, DrawsWhatIsBehindHollowAndWithoutARecord) {
  const Json spec = *over("fm-index/fig8").spec;
  const auto behind = rows(spec, [](const Json& row) { return row.contains("behind"); });
  ASSERT_FALSE(behind.empty());
  for (const Json& row : behind) EXPECT_FALSE(row.contains("record"));
  std::size_t hollow = 0;
  for (const Json& panel : panels(spec))
    for (const Json& layer : panel["layer"])
      if (layer.contains("transform") &&
          layer["transform"].dump().find("datum.behind &&") != std::string::npos &&
          layer["mark"]["type"] == "point") {
        EXPECT_EQ(layer["mark"]["filled"], false);
        ++hollow;
      }
  EXPECT_GT(hollow, 0u);
  EXPECT_THAT(spec["title"]["subtitle"].dump(), HasSubstr("run committed"));
}

TEST(Overlay, PutsRowsOfBothIntoOnePanel) {
  const Drawing drawing = over("fm-index/fig5");
  const auto& chart = std::get<chart::RowChart>(*drawing.chart);
  const Drawing alone = draw("fm-index/fig5", example::data());
  const auto& single = std::get<chart::RowChart>(*alone.chart);
  ASSERT_EQ(chart.panels.size(), single.panels.size());
  for (std::size_t i = 0; i < chart.panels.size(); ++i)
    EXPECT_EQ(chart.panels[i].rows.size(), 2 * single.panels[i].rows.size());
}

/// A figure of the example's records of some devices over that of all.
Drawing over_all(const std::string& name, const std::function<bool(const results::Record&)>& keep) {
  const ReportData ours = only(keep), theirs = other_run();
  const Drawing front = draw(name, ours), behind = draw(name, theirs);
  return overlaid({front, ours}, {behind, theirs});
}

bool on_cpu(const results::Record& record) {
  return record.state.device == "cpu";
}

TEST(Overlay, HasNoSeriesOfPanelsThatAreLeftOut) {
  const auto one_block = [](const results::Record& r) {
    return r.state.family == "random_access" && r.state.device == "cuda:0" &&
           r.state.point.word("access") == "dependent" && r.state.point.integer("block_bytes") == 64;
  };
  ReportData theirs = other_run();
  std::erase_if(theirs.entries, [&](const Entry& entry) {
    return entry.record.state.device == "cuda:0" && !one_block(entry.record);
  });
  const ReportData ours = only(one_block);
  const Drawing front = draw("random-access/lines", ours), behind = draw("random-access/lines", theirs);
  const Drawing drawing = overlaid({front, ours}, {behind, theirs});
  EXPECT_THAT(std::get<chart::LineChart>(*drawing.chart).series, testing::ElementsAre("64 B"));
  const std::string notes = (*drawing.spec)["title"]["subtitle"].dump();
  EXPECT_THAT(notes, HasSubstr("no counterpart"));
  EXPECT_THAT(notes, Not(HasSubstr(kCpu)));
}

TEST(Overlay, SaysThatItIsAloneWhereNoPanelHasACounterpart) {
  const auto of_gpu = [](const results::Record& r) {
    return r.state.family == "random_access" && r.state.device == "cuda:0";
  };
  const ReportData ours = only([](const auto& r) { return r.state.family == "random_access" && on_cpu(r); });
  ReportData theirs = only(of_gpu);
  theirs.runs.front().name = "committed";
  const Drawing front = draw("random-access/lines", ours), behind = draw("random-access/lines", theirs);
  const Json spec = *overlaid({front, ours}, {behind, theirs}).spec;
  EXPECT_THAT(spec["title"]["subtitle"].dump(), HasSubstr("alone: no panel of run committed"));
  EXPECT_THAT(spec["title"]["subtitle"].dump(), Not(HasSubstr("Hollow")));
}

TEST(Overlay, LaysLoadedLatencyOfProcessorsAloneOverThatOfProcessorsAndGpus) {
  const Json spec = *over_all("probes/loaded-latency", on_cpu).spec;
  EXPECT_FALSE(rows(spec, [](const Json& row) { return row.contains("behind"); }).empty());
}

TEST(Overlay, DrawsEitherAloneWhereTheOtherHasNothing) {
  const ReportData ours = example::data(), none = example::data({});
  const Drawing drawing = draw("latency", ours), nothing = draw("latency", none);
  const Drawing ours_alone = overlaid({drawing, ours}, {nothing, none});
  EXPECT_THAT(chart::heading_of(*ours_alone.chart).notes.front(), HasSubstr("no record of latency"));
  EXPECT_TRUE(overlaid({nothing, none}, {drawing, ours}).chart);
  EXPECT_FALSE(overlaid({nothing, none}, {nothing, none}).chart);
}

TEST(Overlay, WorksForEveryFigure) {
  for (const Figure& figure : figures()) EXPECT_TRUE(over(figure.name).spec) << figure.name;
}

}  // namespace
}  // namespace gpuseq::reports
