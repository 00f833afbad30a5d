#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/reports/drawn_figure.hpp"

namespace gpuseq::reports {
namespace {

using namespace example;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr const char* kFigure = "profile-hmm/fig2";
const std::string kGlobins = "globins, 149 states", kKinase = "kinase, 260 states",
                  kTheirs = "published (Jiang and Ganesan)";

Published paper() {
  return load_published(kFacts.parent_path() / "profile-hmm.json");
}

Json drawn_of(std::vector<results::Record> records) {
  const Drawing drawing = draw(kFigure, data(std::move(records)), paper());
  if (!drawing.spec) throw std::runtime_error(drawing.reason);
  return *drawing.spec;
}

/// The example's runs but for those of a variant.
std::vector<results::Record> without_run(const std::string& variant, const std::string& models = "") {
  std::vector<results::Record> records = pipeline_records();
  std::erase_if(records, [&](const results::Record& r) {
    return r.state.variant == variant && (models.empty() || r.state.problem.word("models") == models);
  });
  return records;
}

/// The example's globins with another time of one of its runs.
std::vector<results::Record> globins_with(const std::string& variant, double seconds) {
  const PipelineModel& globins = pipeline_models().front();
  std::vector<results::Record> records;
  for (const auto& [of, usual] : globins.seconds)
    records.push_back(pipeline_record(globins, of, of == variant ? seconds : usual));
  return records;
}

/// Shares of a panel by row and series.
using Shares = std::map<std::pair<std::string, std::string>, double>;
Shares shares(const Json& panel) {
  Shares found;
  for (const Json& row : panel["data"]["values"]) found[{row["row"], row["series"]}] = row["value"];
  return found;
}

void expect_shares(const Json& panel, const Shares& expected) {
  const Shares found = shares(panel);
  EXPECT_EQ(found.size(), expected.size()) << panel["data"]["values"];
  for (const auto& [key, share] : expected) {
    ASSERT_TRUE(found.contains(key)) << key.first << ", " << key.second;
    EXPECT_NEAR(found.at(key), share, 1e-9) << key.first << ", " << key.second;
  }
}

std::vector<std::string> rows_of(const Json& panel) {
  return panel["encoding"]["y"]["sort"].get<std::vector<std::string>>();
}

std::string label_of_row(const Json& panel, const std::string& name) {
  std::string labels;
  for (const Json& row : panel["data"]["values"])
    if (row["row"] == name) labels += row.value("label", "");
  return labels;
}

/// The lines under the title as one.
std::string notes(const Json& spec) {
  std::string text;
  for (const Json& line : spec["title"]["subtitle"]) text += line.get<std::string>() + " ";
  return text;
}

TEST(ProfileHmmFig2, HasWhatPassesEachFilterBesideThePapers) {
  const Json passes = panels(drawn_of(pipeline_records())).at(0);
  expect_shares(passes, {{{"MSV", kGlobins}, 0.04},
                         {{"MSV", kKinase}, 0.05},
                         {{"MSV", kTheirs}, 0.022},
                         {{"bias", kGlobins}, 0.03},
                         {{"bias", kKinase}, 0.04},
                         {{"Viterbi", kGlobins}, 0.002},
                         {{"Viterbi", kKinase}, 0.02},
                         {{"Viterbi", kTheirs}, 0.001},
                         {{"Forward", kGlobins}, 0.0005},
                         {{"Forward", kKinase}, 0.019}});
  EXPECT_EQ(passes["encoding"]["x"]["scale"]["type"], "log");
  EXPECT_THAT(rows_of(passes), ElementsAre("MSV", "bias", "Viterbi", "Forward"));
}

TEST(ProfileHmmFig2, HasTheDifferencesOfRunsThatEndOneStageLater) {
  const Json times = panels(drawn_of(pipeline_records())).at(1);
  expect_shares(times, {{{"start, files, MSV", kGlobins}, 0.5},
                        {{"start, files, MSV", kKinase}, 0.1},
                        {{"start, files, MSV", kTheirs}, 0.72},
                        {{"bias, Viterbi", kGlobins}, 0.25},
                        {{"bias, Viterbi", kKinase}, 0.1},
                        {{"bias, Viterbi", kTheirs}, 0.21},
                        {{"forward, backward", kGlobins}, 0.25},
                        {{"forward, backward", kKinase}, 0.8},
                        {{"forward, backward", kTheirs}, 0.07},
                        {{"of this, Forward", kGlobins}, 0.125},
                        {{"of this, Forward", kKinase}, 0.2},
                        {{"of this, the rest", kGlobins}, 0.125},
                        {{"of this, the rest", kKinase}, 0.6}});
  EXPECT_FALSE(times["encoding"]["x"]["scale"].contains("type"));
}

TEST(ProfileHmmFig2, NamesTheRunThatAStageEndsWithAndTheIntervalOfTheDifference) {
  const ReportData runs = data(pipeline_records());
  const Json times = panels(*draw(kFigure, runs).spec).at(1);
  for (const Json& mark : times["data"]["values"]) {
    if (mark["row"] != "bias, Viterbi" || mark["series"] != kGlobins) continue;
    EXPECT_EQ(runs.entries.at(mark["record"].get<std::size_t>()).record.state.variant, "hmmsearch_viterbi");
    // Intervals go 1 % down and 1.5 % up of 40 and 60 ms.
    EXPECT_NEAR(mark["low"].get<double>(), (20 - std::hypot(0.6, 0.6)) / 80, 1e-9);
    EXPECT_NEAR(mark["high"].get<double>(), (20 + std::hypot(0.9, 0.4)) / 80, 1e-9);
  }
}

TEST(ProfileHmmFig2, LabelsARowOnceWithTheLeastAndTheMostOfTheModels) {
  const Json spec = drawn_of(pipeline_records());
  EXPECT_EQ(label_of_row(panels(spec)[0], "MSV"), "4 to 5 %");
  EXPECT_EQ(label_of_row(panels(spec)[1], "start, files, MSV"), "10 to 50 %");
  EXPECT_EQ(label_of_row(panels(drawn_of(globins_with("", 0)))[0], "MSV"), "4 %");
}

TEST(ProfileHmmFig2, SaysWhatTheDifferencesHold) {
  EXPECT_THAT(notes(drawn_of(pipeline_records())),
              AllOf(HasSubstr("1 thread, 20000 sequences of proteins"),
                    HasSubstr("start of the process and the reading of files"), HasSubstr("at most"),
                    HasSubstr("Hollow: another program"),
                    HasSubstr("Grey: published, Jiang and Ganesan (methods, figure 2)"),
                    Not(HasSubstr("Not told from 0")), Not(HasSubstr("No record"))));
}

TEST(ProfileHmmFig2, LeavesOutTheStagesOnBothSidesOfAMissingRunAndSaysSo) {
  const Json spec = drawn_of(without_run("hmmsearch_viterbi", "globins"));
  const Shares times = shares(panels(spec)[1]);
  EXPECT_TRUE(times.contains({"start, files, MSV", kGlobins}));
  EXPECT_FALSE(times.contains({"bias, Viterbi", kGlobins}));
  EXPECT_FALSE(times.contains({"of this, Forward", kGlobins}));
  EXPECT_TRUE(times.contains({"of this, the rest", kGlobins}));
  EXPECT_TRUE(times.contains({"bias, Viterbi", kKinase}));
  EXPECT_THAT(notes(spec), AllOf(HasSubstr("No record"), HasSubstr("hmmsearch_viterbi of " + kGlobins)));
}

TEST(ProfileHmmFig2, HasNoRowOfAStageThatNoRunTellsApartUnlessPublished) {
  const Json times = panels(drawn_of(without_run("hmmsearch_viterbi"))).at(1);
  EXPECT_THAT(rows_of(times),
              ElementsAre("start, files, MSV", "bias, Viterbi", "forward, backward", "of this, the rest"));
  EXPECT_THAT(label_of_row(times, "bias, Viterbi"), IsEmpty());
}

TEST(ProfileHmmFig2, DrawsAtZeroAStageWhoseRunIsFasterThanTheOneBeforeAndSaysSo) {
  const Json spec = drawn_of(globins_with("hmmsearch_forward", 0.059));
  EXPECT_EQ((shares(panels(spec)[1]).at({"of this, Forward", kGlobins})), 0);
  EXPECT_THAT(notes(spec), AllOf(HasSubstr("Not told from 0"),
                                 HasSubstr("'of this, Forward' of " + kGlobins + " (-1.25 %)")));
}

TEST(ProfileHmmFig2, DrawsAnIntervalFromZeroWhereTheMediansDoNotTellItFromZero) {
  const Json spec = drawn_of(globins_with("hmmsearch_forward", 0.0602));
  for (const Json& mark : panels(spec)[1]["data"]["values"])
    if (mark["row"] == "of this, Forward") {
      EXPECT_NEAR(mark["value"].get<double>(), 0.0025, 1e-9);
      EXPECT_EQ(mark["low"], 0);
      EXPECT_NEAR(mark["high"].get<double>(), (0.2 + std::hypot(0.903, 0.6)) / 80, 1e-9);
    }
  EXPECT_THAT(notes(spec), HasSubstr("'of this, Forward' of " + kGlobins + " (0.25 %)"));
}

TEST(ProfileHmmFig2, EndsIntervalsAtTheWhole) {
  std::vector<results::Record> records = globins_with("hmmsearch_viterbi", 0.001);
  for (results::Record& r : records) r.statistics->high_s = 2 * r.statistics->median_s;
  for (const Json& mark : panels(drawn_of(std::move(records))).at(1)["data"]["values"])
    if (mark["row"] == "forward, backward" && mark["series"] == kGlobins) {
      EXPECT_EQ(mark["high"], 1);
    }
}

TEST(ProfileHmmFig2, HasNoMarkOnTheLogarithmicAxisWhereNoSequencePasses) {
  std::vector<results::Record> records = pipeline_records();
  for (results::Record& r : records)
    if (r.facts.contains("answers")) r.facts["answers"]["Fwd"] = 0;
  const Json spec = drawn_of(std::move(records));
  EXPECT_THAT(rows_of(panels(spec)[0]), ElementsAre("MSV", "bias", "Viterbi"));
  EXPECT_THAT(notes(spec), HasSubstr("No sequence passes, so without a mark: Forward of " + kGlobins +
                                     "; Forward of " + kKinase));
}

TEST(ProfileHmmFig2, IsOfTimesAloneWhereNoRecordHasAnswers) {
  std::vector<results::Record> records = pipeline_records();
  for (results::Record& r : records) r.facts.erase("answers");
  const Json spec = drawn_of(std::move(records));
  ASSERT_THAT(panels(spec), SizeIs(1));
  EXPECT_EQ(panels(spec)[0]["encoding"]["x"]["axis"]["title"], "share of hmmsearch's time");
}

TEST(ProfileHmmFig2, KeepsThreadsApartAndNamesThem) {
  std::vector<results::Record> records = pipeline_records();
  for (results::Record& r : pipeline_records()) {
    r.state.point.set("threads", 0);
    records.push_back(std::move(r));
  }
  const Json spec = drawn_of(std::move(records));
  ASSERT_THAT(panels(spec), SizeIs(4));
  EXPECT_THAT(panels(spec)[0]["title"].dump(), HasSubstr("all threads"));
  EXPECT_THAT(panels(spec)[2]["title"].dump(), HasSubstr("1 thread"));
}

TEST(ProfileHmmFig2, NeedsTheWholeRunAndOneThatEndsEarlier) {
  EXPECT_THAT(draw(kFigure, data(without_run("hmmsearch"))).reason,
              HasSubstr("hmmsearch whole beside a run of it that ends earlier"));
  std::vector<results::Record> whole = pipeline_records();
  std::erase_if(whole, [](const results::Record& r) { return r.state.variant != "hmmsearch"; });
  EXPECT_FALSE(draw(kFigure, data(whole)).spec);
  EXPECT_EQ(draw(kFigure, data({})).reason, "no record of profile_hmm");
}

TEST(ProfileHmmFig2, SurvivesRecordsWithoutFactsAxesOrIntervals) {
  std::vector<results::Record> records = pipeline_records();
  for (results::Record& r : records) {
    r.facts = nullptr;
    r.statistics->low_s.reset();
    r.statistics->high_s.reset();
    r.statistics->confidence.reset();
  }
  EXPECT_THAT(panels(drawn_of(records)), SizeIs(1));
  for (results::Record& r : records) r.state.problem = Point{};
  EXPECT_FALSE(draw(kFigure, data(records), paper()).spec);
}

}  // namespace
}  // namespace gpuseq::reports
