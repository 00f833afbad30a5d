#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/figure_tools.hpp"
#include "tests/reports/figures/drawn_profile_hmm.hpp"

namespace gpuseq::reports {
namespace {

using namespace example;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

TEST(ProfileHmmTable2, HasACompiledKernelAndTheCacheHitAtTheirTimes) {
  const Json spec = *draw("profile-hmm/table2", filters(), load_published(kPaper)).spec;
  EXPECT_THAT(titles(spec), ElementsAre("\"SSV\"", "\"MSV\"", "\"Viterbi\""));
  EXPECT_THAT(series(spec), UnorderedElementsAre("video_warp", "lane_groups", "from the cache"));
  EXPECT_THAT(guides(panels(spec)[0]), HasSubstr("at most about 800 ms"));
  const auto compiled = marks_of(panels(spec)[0], "lane_groups", 100),
             cached = marks_of(panels(spec)[0], "from the cache", 200);
  ASSERT_FALSE(compiled.empty());
  EXPECT_NEAR(compiled[0]["y"].get<double>(), 0.503, 1e-9);  // 2 words
  ASSERT_FALSE(cached.empty());
  EXPECT_NEAR(cached[0]["y"].get<double>(), 0.003, 1e-9);
  EXPECT_THAT(marks_of(panels(spec)[0], "lane_groups", 200), SizeIs(0));
  EXPECT_THAT(subtitle(spec), AllOf(HasSubstr("from the cache: 3 ms"), HasSubstr(kCpu)));
}

TEST(ProfileHmmTable2, TakesTheTimeOfTheCompilerWhereNoOtherWasRecorded) {
  ReportData data = filters();
  for (Entry& entry : data.entries) entry.record.side_samples_s.clear();
  const Json spec = *draw("profile-hmm/table2", data).spec;
  EXPECT_THAT(series(spec), UnorderedElementsAre("video_warp", "lane_groups"));
  EXPECT_NEAR(marks_of(panels(spec)[0], "lane_groups", 100).at(0)["y"].get<double>(), 0.5, 1e-9);
}

TEST(ProfileHmmTable2, LeavesOutWhatNvccCompiled) {
  const ReportData data =
      filters([](const results::Record& r) { return !r.resources || r.resources->compiled_by == "nvcc"; });
  EXPECT_THAT(draw("profile-hmm/table2", data).reason, HasSubstr("compiled by NVRTC"));
}

TEST(ProfileHmmTable3, StatesWhatKnowingTheModelIsWorth) {
  const Json spec = *draw("profile-hmm/table3", filters()).spec;
  EXPECT_THAT(titles(spec),
              ElementsAre(HasSubstr("SSV"), HasSubstr("SSV"), HasSubstr("MSV"), HasSubstr("MSV")));
  EXPECT_EQ(panels(spec)[0]["encoding"]["y"]["axis"]["title"], "GCUPS (1e9 cells a second)");
  EXPECT_EQ(panels(spec)[1]["encoding"]["y"]["axis"]["title"], "registers of a thread");
  for (const Json& mark : marks_of(panels(spec)[0], "NVRTC, stripes constant", 400)) {
    EXPECT_EQ(mark["tips"]["Over ahead of time (nvcc)"], "2.5 x") << mark;
    const double gcups = 9000.0 * 400 / 520 * (mark["dash"] == "video_warp" ? 0.15 : 1);
    EXPECT_NEAR(mark["y"].get<double>(), gcups, 1e-6);
  }
  EXPECT_THAT(subtitle(spec), HasSubstr("Largest ratio to ahead of time (nvcc): SSV 2.5 x"));
  EXPECT_EQ(marks_of(panels(spec)[1], "ahead of time (nvcc)", 2405).at(0)["y"], 40);
}

TEST(ProfileHmmTable3, NeedsBothWaysAndTwoLengths) {
  const ReportData one_way = filters([](const results::Record& r) {
    return word(r.state.point, "compiled_by") != "nvcc" && word(r.state.point, "stripes") != "variable";
  });
  const ReportData one_length =
      filters([](const results::Record& r) { return number(r.facts, "model_length") == 400.0; });
  for (const char* name : {"profile-hmm/table3", "profile-hmm/table4"}) {
    EXPECT_THAT(draw(name, one_way).reason, HasSubstr("kernels compiled in two ways"));
    EXPECT_THAT(draw(name, one_length).reason, HasSubstr("two or more model lengths"));
  }
}

TEST(ProfileHmmTable4, ShowsTheHitRateOfTheSweepBesideThePapers) {
  ReportData data = filters();
  for (std::size_t i = 0, swept = data.entries.size(); i < swept; ++i) {  // measured again, not counted again
    Entry again = data.entries[i];
    again.record.phase = "tune";
    again.record.counters = {std::nullopt, "not asked for"};
    data.entries.push_back(again);
  }
  const Json spec = *draw("profile-hmm/table4", data, load_published(kPaper)).spec;
  ASSERT_THAT(panels(spec), SizeIs(3));
  const Json hits = panels(spec)[2];
  EXPECT_EQ(hits["encoding"]["y"]["axis"]["title"], "L1 hit rate");
  EXPECT_FALSE(hits["encoding"]["y"]["scale"].contains("type"));  // linear, though the paper's go to 0.4 %
  EXPECT_EQ(marks_of(hits, "ahead of time (nvcc)", 400).at(0)["y"], 0.8);
  std::map<std::pair<double, std::string>, double> theirs;
  for (const Json& mark : hollow(hits)) theirs[{mark["x"], mark["series"]}] = mark["y"];
  EXPECT_EQ((theirs[{200, "NVRTC, stripes constant"}]), 0.434);
  EXPECT_EQ((theirs[{200, "ahead of time (nvcc)"}]), 0.999);
  EXPECT_THAT(theirs, SizeIs(4));
}

TEST(ProfileHmmTables3And4, ShowTheHitRatesOfReadOnlyDataAndTheL2WhereTheyWereCounted) {
  ReportData data = filters();
  for (Entry& entry : data.entries)
    entry.record.counters = {
        std::map<std::string, double>{{"l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct", 91},
                                      {"lts__t_sector_hit_rate.pct", 55}},
        ""};
  const Json viterbi = *draw("profile-hmm/table4", data, load_published(kPaper)).spec;
  ASSERT_THAT(panels(viterbi), SizeIs(4));
  const Json read_only = panels(viterbi)[2], l2 = panels(viterbi)[3];
  EXPECT_EQ(read_only["encoding"]["y"]["axis"]["title"], "L1 hit rate of read-only data");
  EXPECT_EQ(l2["encoding"]["y"]["axis"]["title"], "L2 hit rate");
  EXPECT_EQ(marks_of(read_only, "ahead of time (nvcc)", 400).at(0)["y"], 0.91);
  EXPECT_EQ(marks_of(l2, "ahead of time (nvcc)", 400).at(0)["y"], 0.55);
  std::map<std::pair<double, std::string>, double> theirs;
  for (const Json& mark : hollow(read_only)) theirs[{mark["x"], mark["series"]}] = mark["y"];
  EXPECT_EQ((theirs[{2405, "NVRTC, stripes constant"}]), 0.614);
  EXPECT_EQ((theirs[{2405, "ahead of time (nvcc)"}]), 0.61);
  EXPECT_THAT(theirs, SizeIs(4));
  EXPECT_THAT(hollow(l2), SizeIs(0));
  EXPECT_THAT(panels(*draw("profile-hmm/table3", data).spec), SizeIs(8));
}

TEST(ProfileHmmTables3And4, ShowModelsOfFilesBehindRandomOnesWhereEveryFilterHasRoom) {
  ReportData data =
      filters([](const results::Record& r) { return number(r.facts, "model_length") <= 400.0; });
  for (std::size_t i = 0, random = data.entries.size(); i < random; ++i) {
    Entry read = data.entries[i];
    read.record.state.problem.set("models", "kinase");
    data.entries.push_back(std::move(read));
  }
  for (Entry& entry : data.entries)
    entry.record.counters = {
        std::map<std::string, double>{{"l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct", 91},
                                      {"lts__t_sector_hit_rate.pct", 55}},
        ""};
  const Json viterbi = *draw("profile-hmm/table4", data).spec;
  ASSERT_THAT(panels(viterbi), SizeIs(8));
  for (std::size_t panel = 0; panel < 8; ++panel)
    EXPECT_THAT(titles(viterbi)[panel], HasSubstr(panel < 4 ? "random models" : "models of files"));
  // Two filters of four measures each: those of files would be panels 9 to 16 of twelve.
  const Json others = *draw("profile-hmm/table3", data).spec;
  EXPECT_THAT(panels(others), SizeIs(8));
  for (const std::string& title : titles(others)) EXPECT_THAT(title, HasSubstr("random models"));
  EXPECT_THAT(subtitle(others),
              AllOf(HasSubstr("For want of room not drawn: "), HasSubstr("models of files")));
}

TEST(ProfileHmmTable4, HasNoPanelForCountersThatNobodyRead) {
  ReportData data = filters();
  for (Entry& entry : data.entries) entry.record.counters = {std::nullopt, "no permission"};
  EXPECT_THAT(panels(*draw("profile-hmm/table4", data, load_published(kPaper)).spec), SizeIs(2));
}

}  // namespace
}  // namespace gpuseq::reports
