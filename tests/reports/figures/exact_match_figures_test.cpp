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

const std::filesystem::path kPaper = kFacts.parent_path() / "exact-match.json";

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
  ASSERT_THAT(panels(spec), SizeIs(1));  // no phase of these records was timed
  EXPECT_THAT(spec["title"]["subtitle"].dump(), HasSubstr("kernel alone: queries in "));
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

/// The records of whole queries with every phase timed, as milliseconds.
ReportData timed_matches() {
  ReportData data = matches();
  for (Entry& entry : data.entries) {
    auto& samples = entry.record.side_samples_s;
    samples = {{"tree", {5}}, {"listing", {0.02, 0.01, 0.03}}, {"printing", {0.04}}};
    if (entry.record.state.device == "cpu") continue;
    samples["upload_tree"] = {0.1};
    samples["strands"] = {0.2};
    samples["sort"] = {0.3};
    samples["upload"] = {0.05};
    samples["download"] = {0.6, 0.005};
  }
  return data;
}

TEST(ExactMatchSpeedup, IsDrawnForTheKernelAloneAndWithTransfersAndOutputOnBothSides) {
  const Json spec = *draw("exact-match/speedup", timed_matches(), load_published(kPaper)).spec;
  ASSERT_THAT(panels(spec), SizeIs(3));
  const auto ratio = [&](const char* timing) {
    const Json panel = panel_titled(spec, timing);
    for (const Json& row : panel["data"]["values"])
      if (row["series"] == std::string("tree_gpu, ") + kGpu && row["x"] == 100) return row["y"].get<double>();
    return 0.0;
  };
  const double gpu_s = kMatchBases / 1e9, cpu_s = kMatchBases / 1e8;
  EXPECT_NEAR(ratio("kernel alone: "), cpu_s / gpu_s, 1e-9);
  const double transfers_s = 0.1 + 0.2 + 0.3 + 0.05 + 0.6;
  EXPECT_NEAR(ratio("with transfers: "), cpu_s / (gpu_s + transfers_s), 1e-9);
  EXPECT_NEAR(ratio("with transfers and output: "), (cpu_s + 0.06) / (gpu_s + transfers_s + 0.06), 1e-9);
}

TEST(ExactMatchSpeedup, HasThePapersTenTimesBesideWhatItTimed) {
  const Json spec = *draw("exact-match/speedup", timed_matches(), load_published(kPaper)).spec;
  std::vector<std::string> with;
  for (const Json& panel : panels(spec))
    if (panel.dump().find("Schatz et al.: over 10") != std::string::npos)
      with.push_back(panel["title"].dump());
  ASSERT_THAT(with, SizeIs(1));
  EXPECT_THAT(with[0], HasSubstr("with transfers: "));
}

TEST(ExactMatchSpeedup, HasIntervalsOfBothRates) {
  const Json spec = *draw("exact-match/speedup", matches(), load_published(kPaper)).spec;
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
  const auto gpu = by_series(panel, std::string("tree_gpu, slots, ") + kGpu);
  // The fastest point has 6e9 query bases a second; of several samples the median.
  EXPECT_THAT(gpu, SizeIs(6));
  EXPECT_NEAR(gpu.at("kernel"), kMatchBases / 6e9, 1e-9);
  EXPECT_EQ(gpu.at("tree"), 0.7);
  EXPECT_EQ(gpu.at("tree upload"), 0.02);
  EXPECT_EQ(gpu.at("queries to the GPU"), 0.012 + 0.003);
  EXPECT_EQ(gpu.at("download"), 0.05);
  EXPECT_EQ(gpu.at("listing"), 0.4);
  const Json cached = panel_titled(spec, "tree from the cache");
  const auto cpu = by_series(cached, std::string("tree_words, matches, all threads, ") + kCpu);
  EXPECT_THAT(cpu, SizeIs(2));
  EXPECT_EQ(cpu.at("tree"), 0.1);
  EXPECT_NEAR(cpu.at("kernel"), kMatchBases / 2e9, 1e-9);
  EXPECT_THAT(series(spec), Not(Contains("printing")));
  EXPECT_THAT(cached.dump(), HasSubstr("150 ms"));
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

TEST(ExactMatchPhases, OfTreesThatWereBuiltAndOfTreesFromTheCacheStandInPanelsOfTheirOwn) {
  ReportData data = matches([](const results::Record& r) { return r.state.variant == "tree_words"; });
  data.entries.resize(1, data.entries[0]);
  data.entries.push_back(data.entries[0]);
  data.entries[0].record.facts["from_cache"] = false;
  data.entries[1].record.facts["from_cache"] = true;
  data.entries[1].record.state.point.set("result", "slots");
  const Json spec = *draw("exact-match/phases", data).spec;
  EXPECT_THAT(panels(spec), SizeIs(2));
  EXPECT_THAT(panel_titled(spec, ": tree built").dump(), Not(HasSubstr("slots")));
  EXPECT_THAT(panel_titled(spec, ": tree from the cache").dump(), HasSubstr("slots"));
}

TEST(ExactMatchPhases, ChargeTablesOfWordsToEveryStateThatUsesThemAndTakeLockingFromTheDownload) {
  ReportData data = matches([](const results::Record& r) { return r.state.variant == "tree_gpu"; });
  data.entries.resize(1, data.entries[0]);
  data.entries.resize(2, data.entries[0]);
  for (Entry& entry : data.entries) {
    entry.record.state.point.set("prefix_letters", 10);
    entry.record.side_samples_s["download"] = {0.6, 0.005, 0.007};
  }
  data.entries[0].record.side_samples_s["words"] = {0.3};
  data.entries[1].record.state.point.set("result", "matches");
  const Json panel = panels(*draw("exact-match/phases", data).spec)[0];
  const auto made = by_series(panel, std::string("tree_gpu, slots, ") + kGpu),
             used = by_series(panel, std::string("tree_gpu, matches, ") + kGpu);
  EXPECT_EQ(made.at("tables of words"), 0.3);
  EXPECT_EQ(used.at("tables of words"), 0.3);
  EXPECT_EQ(made.at("download"), 0.006);
  EXPECT_NEAR(made.at("locking of pages"), 0.594, 1e-12);
}

TEST(ExactMatchPhases, AreStackedInTheirOrderWithTheTotalBehind) {
  const Json spec = *draw("exact-match/phases", matches()).spec;
  const Json panel = panel_titled(spec, "l = 20,");
  EXPECT_EQ(panel["encoding"]["x"]["stack"], "zero");
  double sum = 0, last = -1;
  for (const Json& mark : panel["data"]["values"]) {
    if (mark["row"] != std::string("tree_gpu, slots, ") + kGpu) continue;
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
  const auto own = by_series(panels(*draw("exact-match/phases", data).spec)[0],
                             std::string("tree_words, matches, all threads, ") + kCpu);
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
  EXPECT_EQ(by_series(real, "mummer4 (whole process, 1 thread)").at(kCpu), 5e6);
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
