#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/drawn_figure.hpp"

namespace gpuseq::reports {
namespace {

using namespace example;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

const std::filesystem::path kPaper = kFacts.parent_path() / "published-exact-match.json";

ReportData matches(const std::function<bool(const results::Record&)>& keep = [](const results::Record&) {
  return true;
}) {
  return only([&](const results::Record& r) { return r.state.family == "exact_match" && keep(r); });
}

Json panel_titled(const Json& spec, const std::string& part) {
  for (const Json& panel : panels(spec))
    if (panel["title"].dump().find(part) != std::string::npos) return panel;
  throw std::runtime_error("no panel is titled " + part);
}

/// The values of a panel's rows with a name, by series.
std::map<std::string, double> by_series(const Json& panel, const std::string& row) {
  std::map<std::string, double> values;
  for (const Json& mark : panel["data"]["values"])
    if (mark["row"] == row) values[mark["series"]] = mark["value"];
  return values;
}

TEST(ExactMatchSpeedup, IsTheRateOverThatOfOneThreadAQueryAtATime) {
  const Json spec = *draw("exact-match/speedup", matches(), load_published(kPaper)).spec;
  ASSERT_THAT(panels(spec), SizeIs(1));
  std::map<double, double> gpu, cpu;
  for (const Json& row : rows(spec, [](const Json& row) { return row.contains("x"); })) {
    if (row["series"] == std::string("tree_gpu, ") + kGpu) gpu[row["x"]] = row["y"];
    if (row["series"] == std::string("tree, all threads, ") + kCpu) cpu[row["x"]] = row["y"];
  }
  ASSERT_THAT(gpu, SizeIs(5));
  for (const auto& [length, ratio] : gpu) EXPECT_NEAR(ratio, 1000 / length, 1e-9) << length;
  ASSERT_THAT(cpu, SizeIs(5));
  for (const auto& [length, ratio] : cpu) EXPECT_NEAR(ratio, 30, 1e-9) << length;
  // Several queries in flight are another way to run the thread; the thread itself is what 1 is.
  EXPECT_THAT(series(spec),
              UnorderedElementsAre(std::string("tree_gpu, ") + kGpu, std::string("tree, 1 thread, ") + kCpu,
                                   std::string("tree, all threads, ") + kCpu));
  EXPECT_THAT(spec["title"]["subtitle"].dump(), HasSubstr("a query at a time: 100 M query bases/s"));
}

TEST(ExactMatchSpeedup, HasThePapersTenTimesAsALineAndIntervalsOfBothRates) {
  const Json spec = *draw("exact-match/speedup", matches(), load_published(kPaper)).spec;
  EXPECT_THAT(spec.dump(), HasSubstr("Schatz et al.: over 10"));
  for (const Json& row : rows(spec)) {
    if (!row.contains("y")) continue;
    EXPECT_NEAR(row["low"].get<double>(), row["y"].get<double>() / 1.015 * 0.99, 1e-6);
    EXPECT_NEAR(row["high"].get<double>(), row["y"].get<double>() / 0.99 * 1.015, 1e-6);
  }
}

TEST(ExactMatchSpeedup, NeedsTheThreadThatItIsOver) {
  const ReportData data = matches([](const results::Record& r) { return r.state.device != "cpu"; });
  EXPECT_THAT(draw("exact-match/speedup", data).reason, HasSubstr("one CPU thread, a query at a time"));
}

TEST(ExactMatchPhases, FollowOnOneAnotherAndLeaveOutWhatWasNotMeasured) {
  const Json spec = *draw("exact-match/phases", matches()).spec;
  const Json panel = panel_titled(spec, "l = 20,");
  const auto gpu = by_series(panel, "tree_gpu, slots");
  // The fastest point has 6e9 query bases a second; of several samples the median.
  EXPECT_THAT(gpu, SizeIs(6));
  EXPECT_NEAR(gpu.at("kernel"), kMatchBases / 6e9, 1e-9);
  EXPECT_EQ(gpu.at("tree"), 0.7);
  EXPECT_EQ(gpu.at("tree upload"), 0.02);
  EXPECT_EQ(gpu.at("queries to the GPU"), 0.012 + 0.003);
  EXPECT_EQ(gpu.at("download"), 0.05);
  EXPECT_EQ(gpu.at("listing"), 0.4);
  const auto cpu = by_series(panel, "tree_words, matches, all threads");
  EXPECT_THAT(cpu, SizeIs(2));
  EXPECT_EQ(cpu.at("tree"), 0.1);
  EXPECT_NEAR(cpu.at("kernel"), kMatchBases / 2e9, 1e-9);
  EXPECT_THAT(series(spec), Not(Contains("printing")));
  // The total, and that the tree was not built.
  EXPECT_THAT(panel.dump(), HasSubstr("150 ms, tree from the cache"));
  EXPECT_THAT(spec["title"]["subtitle"].dump(), HasSubstr("In 1 of 23 bars the tree is read from the cache"));
  EXPECT_THAT(panel.dump(), HasSubstr("\"1.2 s\""));
  for (const Json& row : rows(spec)) EXPECT_GT(row["value"].get<double>(), 0);
}

TEST(ExactMatchPhases, NameTheDeviceWhereAVariantRanOnSeveral) {
  ReportData data = matches([](const results::Record& r) { return r.state.variant == "tree_words"; });
  data.entries.push_back(data.entries.front());
  data.entries.back().device_name = "another processor";
  data.entries.back().device_fingerprint = "another";
  const Json panel = panels(*draw("exact-match/phases", data).spec)[0];
  EXPECT_THAT(by_series(panel, "tree_words, matches, all threads, another processor"), SizeIs(2));
  EXPECT_THAT(by_series(panel, std::string("tree_words, matches, all threads, ") + kCpu), SizeIs(2));
}

TEST(ExactMatchPhases, AreStackedInTheirOrderWithTheTotalBehind) {
  const Json spec = *draw("exact-match/phases", matches()).spec;
  const Json panel = panel_titled(spec, "l = 20,");
  EXPECT_EQ(panel["encoding"]["x"]["stack"], "zero");
  double sum = 0, last = -1;
  for (const Json& mark : panel["data"]["values"]) {
    if (mark["row"] != "tree_gpu, slots") continue;
    EXPECT_GT(mark["order"].get<double>(), last);
    last = mark["order"];
    sum += mark["value"].get<double>();
    EXPECT_EQ(mark.contains("label"), mark["series"] == "listing");
    EXPECT_NEAR(mark.value("label_at", sum), sum, 1e-9);
  }
  EXPECT_NEAR(sum, 1.185 + kMatchBases / 6e9, 1e-9);
}

TEST(ExactMatchPhases, TakeATreesOwnTimeBeforeThatOfItsProblem) {
  ReportData data = matches([](const results::Record& r) { return r.state.variant == "tree_words"; });
  data.entries[0].record.side_samples_s["tree"] = {0.5};
  data.entries[0].record.side_samples_s["printing"] = {0.2};
  const auto own =
      by_series(panels(*draw("exact-match/phases", data).spec)[0], "tree_words, matches, all threads");
  EXPECT_EQ(own.at("tree"), 0.5);
  EXPECT_EQ(own.at("printing"), 0.2);
  data.entries[0].record.side_samples_s.clear();
  data.entries[0].record.facts.erase("tree_s");
  EXPECT_THAT(draw("exact-match/phases", data).reason, HasSubstr("a phase beside the kernel"));
}

TEST(ExactMatchRates, HaveThePublishedBesideOursAtTheSameReadsOnly) {
  const Json spec = *draw("exact-match/rates", matches(), load_published(kPaper)).spec;
  const Json real =
      panel_titled(spec, "l = 20, 1000000 queries of 100 bases, 1 % errors, in ecoli (4.94 Mbases)");
  EXPECT_EQ(by_series(real, "MUMmerGPU's kernel, NVIDIA H200").begin()->second, 6.8e9);
  EXPECT_EQ(by_series(real, std::string("tree_gpu, slots")).at(kGpu), 6e9);
  EXPECT_EQ(by_series(real, "mummer4 (whole process), 1 thread").at(kCpu), 5e6);
  EXPECT_THAT(real.dump(), HasSubstr("25 % of its ceiling"));
  // Without errors the reads are others than those that were measured.
  const Json whole = panel_titled(spec, "l = 100,");
  EXPECT_THAT(by_series(whole, "MUMmerGPU's kernel, NVIDIA H200"), IsEmpty());
}

TEST(ExactMatchRates, AreInTheOrderOfTheReadsLengths) {
  const Json spec = *draw("exact-match/rates", matches()).spec;
  std::vector<std::string> lengths;
  for (const Json& panel : panels(spec)) {
    const std::string title = panel["title"].dump();
    const std::size_t at = title.find("l = ") + 4;
    lengths.push_back(title.substr(at, title.find(',', at) - at));
  }
  EXPECT_THAT(lengths, ElementsAre("50", "20", "100", "200", "400", "800"));
}

TEST(ExactMatchLayouts, CompareWhatDiffersInOneThingOnly) {
  const Json spec = *draw("exact-match/layouts", matches()).spec;
  ASSERT_THAT(panels(spec), SizeIs(2));
  const Json layouts = panel_titled(spec, "tree_gpu: node order, memory, text order");
  std::map<std::string, std::string> labels;
  for (const Json& mark : layouts["data"]["values"]) labels[mark["row"]] = mark["label"];
  // All of one lane: the fastest with four is no layout's merit.
  EXPECT_THAT(labels,
              UnorderedElementsAre(std::pair("breadth_first, global, plain", "2 Gbases/s, 2 x"),
                                   std::pair("depth_first, global, plain", "1 Gbases/s, 1 x"),
                                   std::pair("breadth_first, texture_2d, space_filling", "6 Gbases/s, 6 x"),
                                   std::pair("depth_first, texture_2d, space_filling", "3 Gbases/s, 3 x")));
  const Json lanes = panel_titled(spec, "tree_gpu: lanes");
  EXPECT_EQ(by_series(lanes, "4").at(kGpu), 3e9);
  EXPECT_EQ(by_series(lanes, "1").at(kGpu), 2e9);
}

TEST(ExactMatchFigures, SayWhyThereIsNothingToDraw) {
  const ReportData none = only([](const results::Record&) { return false; });
  for (const char* name :
       {"exact-match/speedup", "exact-match/phases", "exact-match/rates", "exact-match/layouts"}) {
    const Drawing drawing = draw(name, none);
    EXPECT_FALSE(drawing.spec.has_value());
    EXPECT_THAT(drawing.reason, HasSubstr("no record of exact_match"));
  }
}

}  // namespace
}  // namespace gpuseq::reports
