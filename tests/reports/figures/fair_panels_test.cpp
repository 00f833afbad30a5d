#include "tests/reports/figures/fair_panels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/figure.hpp"
#include "tests/reports/committed_runs.hpp"
#include "tests/reports/example_run.hpp"

namespace gpuseq::reports {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// What all figures of some runs mix, each with its figure before it.
std::vector<std::string> mixtures_of_figures(const ReportData& data) {
  const Published published = all_published();
  std::vector<std::string> found;
  for (const Figure& figure : figures()) {
    // Its marks compare each state with itself.
    if (figure.name == "suite/same_states") continue;
    const Drawing drawing = figure.draw(figure, data, published);
    if (!drawing.chart) continue;
    for (const std::string& mixture : mixtures(*drawing.chart, data))
      found.push_back(figure.name + ": " + mixture);
  }
  return found;
}

/// Two records that differ in one thing, as the marks of one panel.
class TwoRecords {
 public:
  TwoRecords() {
    example::add_search(records_, "one_hot", 1, 64, false, 1000000000, 0);
    example::add_search(records_, "one_hot", 1, 64, false, 1000000000, 0);
  }
  results::Record& second_record() { return records_[1]; }
  results::StateKey& first() { return records_[0].state; }
  results::StateKey& second() { return second_record().state; }

  /// What a panel mixes whose marks have these places, names and terms.
  std::vector<std::string> mixed(const chart::Mark& one, const chart::Mark& other) const {
    chart::Panel panel{.title = "panel", .marks = {one, other}};
    for (std::size_t i = 0; i < 2; ++i) panel.marks[i].record = i;
    return mixtures(chart::LineChart{.panels = {panel}}, example::data(records_));
  }

 private:
  std::vector<results::Record> records_;
};

TEST(Mixtures, AreNoneWhereOnlyTuningDiffers) {
  TwoRecords two;
  two.second().point.set("threads_per_block", 64);
  EXPECT_THAT(two.mixed({}, {}), IsEmpty());
}

TEST(Mixtures, OfReferencesAreFoundUnlessXIsTheReference) {
  TwoRecords two;
  two.second().problem.set("reference_bases", 3000000000);
  EXPECT_THAT(two.mixed({.x = 1}, {.x = 1}), ElementsAre(HasSubstr("'panel' mixes reference_bases: ")));
  EXPECT_THAT(two.mixed({.x = 1e9}, {.x = 3e9}), IsEmpty());
}

TEST(Mixtures, OfDataSetsAreFoundUnlessEveryMarkPoolsAsMany) {
  TwoRecords two;
  two.second().problem.set("data_set", 3);
  two.first().problem.set("data_set", 0);
  const chart::Mark pooled{.terms = {{"data_set", "25 data sets"}}};
  EXPECT_THAT(two.mixed({}, {}), ElementsAre(HasSubstr("mixes data_set: '0', '3'")));
  EXPECT_THAT(two.mixed(pooled, {}), ElementsAre(HasSubstr("mixes data_set: '', '25 data sets'")));
  EXPECT_THAT(two.mixed(pooled, {.terms = {{"data_set", "1 data set"}}}),
              ElementsAre(HasSubstr("mixes data_set: '1 data set', '25 data sets'")));
  EXPECT_THAT(two.mixed(pooled, pooled), IsEmpty());
  EXPECT_THAT(two.mixed({.label = "2 s, 25 data sets", .terms = {{"data_set", "25 data sets"}}},
                        {.label = "1 s, 1 data set", .terms = {{"data_set", "1 data set"}}}),
              IsEmpty());
}

TEST(Mixtures, OfProblemsAreNotPooledByDeclaringAnyOtherAxis) {
  TwoRecords two;
  two.second().problem.set("reference_bases", 3000000000);
  const chart::Mark pooled{.x = 1,
                           .terms = {{"reference_bases", "2 references"}, {"data_set", "2 data sets"}}};
  EXPECT_THAT(two.mixed(pooled, pooled), ElementsAre(HasSubstr("mixes reference_bases")));
  two.second().problem.set("query_bases", 50);
  EXPECT_THAT(two.mixed(pooled, pooled), ElementsAre(HasSubstr("mixes query_bases"), HasSubstr("mixes ref")));
}

TEST(Mixtures, OfPrefixTablesAreFoundUnlessEveryMarkNamesItsOwn) {
  TwoRecords two;
  two.second().point.set("prefix_symbols", 12);
  const char* kMixes = "mixes prefix table: 'prefix table of 12', 'prefix table of 8'";
  EXPECT_THAT(two.mixed({.x = 1}, {.x = 2}), ElementsAre(HasSubstr(kMixes)));  // x is none
  EXPECT_THAT(two.mixed({.series = "a"}, {.series = "b"}), ElementsAre(HasSubstr(kMixes)));
  EXPECT_THAT(two.mixed({.series = "prefix table of 8"}, {}), ElementsAre(HasSubstr(kMixes)));
  EXPECT_THAT(two.mixed({.series = "prefix table of 8"}, {.series = "prefix table of 12"}), IsEmpty());
}

TEST(Mixtures, OfQueryLengthsAreFoundWhereXIsOfTheKernelAndNotOfTheProblem) {
  TwoRecords two;
  two.second().problem.set("query_bases", 200);
  EXPECT_THAT(two.mixed({.x = 1, .series = "100"}, {.x = 1, .series = "one"}),
              ElementsAre(HasSubstr("mixes query_bases")));
  EXPECT_THAT(two.mixed({.series = "100 bases"}, {.series = "200 bases"}), IsEmpty());
}

TEST(Mixtures, OfWhatIsTimedAreFoundUnlessSaid) {
  const TwoRecords two;
  EXPECT_THAT(two.mixed({}, {.terms = {{"timed", "with transfers"}}}), ElementsAre(HasSubstr("mixes timed")));
  EXPECT_THAT(two.mixed({}, {.series = "with transfers", .terms = {{"timed", "with transfers"}}}), IsEmpty());
  EXPECT_THAT(two.mixed({.terms = {{"tree", "built"}}}, {.terms = {{"tree", "from the cache"}}}),
              ElementsAre(HasSubstr("mixes tree: 'built', 'from the cache'")));
}

TEST(Mixtures, OfAProcessAndALaunchAreFoundUnlessTheMarkIsOfTheProgramsOwnClock) {
  TwoRecords two;
  two.second_record().kind = "tool";
  EXPECT_THAT(two.mixed({}, {}), ElementsAre(HasSubstr("mixes timed: '', 'whole process'")));
  EXPECT_THAT(two.mixed({}, {.terms = {{"timed", ""}}}), IsEmpty());
}

TEST(Mixtures, AreFoundWherePublishedLinesCrossMarksOfAnotherTiming) {
  std::vector<results::Record> records;
  example::add_search(records, "one_hot", 1, 64, false, 1000000000, 0);
  chart::Panel panel{.title = "panel", .marks = {{.record = 0}}};
  panel.guides = {{.at = 10, .label = "over 10", .terms = {{"timed", "with transfers"}}}};
  EXPECT_THAT(mixtures(chart::LineChart{.panels = {panel}}, example::data(records)),
              ElementsAre(HasSubstr("has 'over 10' (timed with transfers) across marks that are not")));
  panel.marks[0].terms = {{"timed", "with transfers"}};
  EXPECT_THAT(mixtures(chart::LineChart{.panels = {panel}}, example::data(records)), IsEmpty());
}

TEST(CommittedFigures, CompareOneQuantityOnOneProblemInAPanel) {
  for (const std::filesystem::path& folder : committed_runs())
    EXPECT_THAT(mixtures_of_figures(load_runs({folder})), IsEmpty()) << folder;
}

TEST(CommittedFigures, CompareLikeWithLikeInAReportOfAllRuns) {
  EXPECT_THAT(mixtures_of_figures(load_runs(committed_runs())), IsEmpty());
}

}  // namespace
}  // namespace gpuseq::reports
