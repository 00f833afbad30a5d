#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/drawn_figure.hpp"
#include "tests/reports/figures/fair_panels.hpp"

namespace gpuseq::reports {
namespace {

using namespace example;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

const std::filesystem::path kPaper = kFacts.parent_path() / "pairwise-distance.json";

ReportData pairwise() {
  return only([](const results::Record& r) { return r.state.family == "pairwise_distance"; });
}

std::vector<Json> marks_of(const Json& panel, const std::string& row) {
  std::vector<Json> found;
  for (const Json& mark : panel["data"]["values"])
    if (mark["row"] == row) found.push_back(mark);
  return found;
}

TEST(PairwiseDistanceFacts, AreThoseOfFigure4) {
  const Published published = load_published(kPaper);
  const auto facts = published.find("pairwise-distance/fig4", "value");
  ASSERT_THAT(facts, SizeIs(6));
  EXPECT_EQ(facts.front()->value, 44.865);
  EXPECT_EQ(facts.back()->label, "shared");
  EXPECT_NEAR(facts.front()->value / facts.back()->value, 1700, 30);
}

TEST(PairwiseDistanceFig4, HasATimeForEachVariantBesideThePapers) {
  const Json spec = *draw("pairwise-distance/fig4", pairwise(), load_published(kPaper)).spec;
  ASSERT_THAT(panels(spec), SizeIs(3));  // the last of two GPUs
  const Json paper = panels(spec)[0], large = panels(spec)[1];
  EXPECT_THAT(paper["title"].dump(), HasSubstr("112 instances x 512 attributes"));
  const auto appendix = marks_of(paper, "appendix, 1 thread");
  ASSERT_THAT(appendix, SizeIs(1));
  EXPECT_NEAR(appendix[0]["value"].get<double>(), 112. * 112 * 512 / 6e8, 1e-9);
  const auto theirs = marks_of(paper, "shared, GeForce 9600M GT");
  ASSERT_THAT(theirs, SizeIs(1));
  EXPECT_EQ(theirs[0]["value"], 0.026);
  // The widest vectors and the loop of one thread are both there, and the paper's shape is not the other's.
  EXPECT_THAT(marks_of(paper, "bit_planes, avx512, all threads"), SizeIs(1));
  EXPECT_THAT(marks_of(large, "shared, GeForce 9600M GT"), SizeIs(0));
  EXPECT_THAT(marks_of(large, "shared"), SizeIs(1));
}

/// The marks of a row that a figure draws of data sets.
std::vector<Json> marks_of_data_sets(const std::string& figure, std::int64_t data_sets,
                                     const std::string& row) {
  std::vector<results::Record> records;
  add_data_sets(records, data_sets);
  const Json spec = *draw(figure, data(std::move(records))).spec;
  EXPECT_THAT(panels(spec), SizeIs(1));
  return marks_of(panels(spec)[0], row);
}

TEST(PairwiseDistanceFig4, HasTheMedianOverDataSetsOfThePointThatIsFastestOverAll) {
  const auto marks = marks_of_data_sets("pairwise-distance/fig4", 25, "shared");
  ASSERT_THAT(marks, SizeIs(1));
  // Data set k takes k + 1 % more; 95 % of 25 are held by the 8th and the 18th.
  const double one = 112. * 112 * 512 / 1e11;
  EXPECT_NEAR(marks[0]["value"].get<double>(), one * 1.13, one * 1e-9);
  EXPECT_THAT(marks[0].dump(), HasSubstr("25, with "));
  EXPECT_LE(marks[0]["low"].get<double>(), one * 1.08 * (1 + 1e-9));
  EXPECT_GE(marks[0]["high"].get<double>(), one * 1.18 * (1 - 1e-9));
}

TEST(PairwiseDistanceFig4, SaysWhatTheIntervalOfDataSetsIs) {
  std::vector<results::Record> records;
  add_data_sets(records, 25);
  const ReportData many = data(records);
  const std::string notes = draw("pairwise-distance/fig4", many).spec->at("title").dump();
  EXPECT_THAT(notes, HasSubstr("Of 25 random data sets: the median of their medians"));
  EXPECT_THAT(notes, HasSubstr("112 instances x 512 attributes"));
  EXPECT_THAT(notes, Not(HasSubstr("data set 1")));
  records.clear();
  add_data_sets(records, 3);
  EXPECT_THAT(draw("pairwise-distance/fig4", data(records)).spec->at("title").dump(),
              HasSubstr("the range of those that carry none"));
  records.clear();
  add_data_sets(records, 1);
  EXPECT_THAT(draw("pairwise-distance/fig4", data(records)).spec->at("title").dump(),
              Not(HasSubstr("random data sets")));
}

TEST(PairwiseDistanceFig4, NamesTheNumberOfDataSetsWhereVariantsHaveNotAsMany) {
  std::vector<results::Record> records;
  add_data_sets(records, 7);
  records.push_back(pairwise_record("naive", 112, 512, {{"threads", 128}}, "cuda:0", 1e10));
  records.back().state.problem.set("data_set", 0);
  const ReportData mixed = data(std::move(records));
  const Drawing drawing = draw("pairwise-distance/fig4", mixed);
  EXPECT_THAT(mixtures(*drawing.chart, mixed), IsEmpty());
  const Json panel = panels(*drawing.spec)[0];
  EXPECT_THAT(marks_of(panel, "shared").at(0).dump(), HasSubstr(", 7 data sets"));
  EXPECT_THAT(marks_of(panel, "naive").at(0).dump(), HasSubstr(", 1 data set"));
}

TEST(PairwiseDistanceSizes, HaveALineAVariantAndAPanelForEachNumberOfAttributes) {
  std::vector<results::Record> records;
  add_instance_sizes(records);
  add_pairwise_distance(records);
  const ReportData sizes = data(std::move(records));
  const Drawing drawing = draw("pairwise-distance/sizes", sizes);
  EXPECT_THAT(mixtures(*drawing.chart, sizes), IsEmpty());
  // Of 512 attributes there is but one size.
  ASSERT_THAT(panels(*drawing.spec), SizeIs(2));
  std::map<std::string, std::map<double, double>> lines;
  const auto& chart = std::get<chart::LineChart>(*drawing.chart);
  for (const chart::Mark& mark : chart.panels.at(0).marks) lines[mark.series][mark.x] = mark.y;
  EXPECT_EQ(chart.panels[0].title, "256 attributes");
  ASSERT_THAT(lines, SizeIs(3));
  ASSERT_THAT(lines["appendix"], SizeIs(5));
  EXPECT_NEAR(lines["appendix"][112], 1e9 / 256, 1);
  EXPECT_NEAR(lines["tensor"][1792] / lines["tensor"][112], 61.5, 0.1);
  EXPECT_EQ(chart.series.front(), "tensor");
  EXPECT_THAT(chart.dashes, SizeIs(3));  // two GPUs and a CPU
}

TEST(PairwiseDistanceSizes, PoolDataSets) {
  std::vector<results::Record> records;
  add_data_sets(records, 25);
  records.push_back(pairwise_record("shared", 224, 512, {{"threads", 128}}, "cuda:0", 1e11));
  records.back().state.problem.set("data_set", 0);
  const ReportData sizes = data(std::move(records));
  const Drawing drawing = draw("pairwise-distance/sizes", sizes);
  const auto& marks = std::get<chart::LineChart>(*drawing.chart).panels.at(0).marks;
  ASSERT_THAT(marks, SizeIs(2));
  EXPECT_NEAR(marks[0].y, 1e11 / 512 / 1.13, 1);
  EXPECT_THAT(mixtures(*drawing.chart, sizes), IsEmpty());
}

TEST(PairwiseDistanceRates, PoolDataSets) {
  const auto marks = marks_of_data_sets("pairwise-distance/rates", 25, "shared");
  ASSERT_THAT(marks, SizeIs(1));
  EXPECT_NEAR(marks[0]["value"].get<double>(), 1e11 / 1.13, 1);
}

TEST(PairwiseDistanceRates, ShowTheFastestPointOfAVariantAndItsCeiling) {
  const ReportData data = pairwise();
  const Json spec = *draw("pairwise-distance/rates", data).spec;
  double fastest = 0;
  for (const Entry& entry : data.entries)
    if (entry.record.state.variant == "tensor" && entry.record.work.amount > 1e10)
      fastest = std::max(fastest, entry.record.statistics->rate);
  const auto tensor = marks_of(panels(spec)[1], "tensor");
  ASSERT_THAT(tensor, SizeIs(1));
  EXPECT_DOUBLE_EQ(tensor[0]["value"].get<double>(), fastest);
  EXPECT_THAT(tensor[0].dump(), HasSubstr("50 % of its ceiling"));
}

TEST(PairwiseDistanceRates, GiveEachOfTwoGpusARowOfItsOwn) {
  ReportData data = pairwise();
  const Entry tensor = *std::ranges::find(data.entries, std::string("tensor"),
                                          [](const Entry& entry) { return entry.record.state.variant; });
  Entry other = tensor;
  other.device_name = "another GPU";
  other.device_fingerprint = "another";
  other.state_rank = data.entries.size() + 1;
  data.entries.push_back(other);
  const Json panel = panels(*draw("pairwise-distance/rates", data).spec)[0];
  EXPECT_THAT(marks_of(panel, "tensor"), SizeIs(0));
  EXPECT_THAT(marks_of(panel, "tensor, another GPU"), SizeIs(1));
  EXPECT_THAT(marks_of(panel, "tensor, " + tensor.device_name), SizeIs(1));
  EXPECT_THAT(marks_of(panel, "shared"), SizeIs(1));
}

TEST(PairwiseDistanceFigures, HaveOtherProgramsBesideOursByTheirThreads) {
  ReportData data = pairwise();
  for (const std::int64_t threads : {1, 0}) {
    Entry peer = *std::ranges::find(data.entries, std::string("appendix"),
                                    [](const Entry& entry) { return entry.record.state.variant; });
    peer.record.state.variant = "plink1.9";
    peer.record.state.point = Point{{"threads", threads}};
    peer.record.kind = "tool";
    peer.record.ceiling = {std::nullopt, "a whole process has none"};
    data.entries.push_back(std::move(peer));
  }
  for (const char* name : {"pairwise-distance/fig4", "pairwise-distance/rates"}) {
    const Json spec = *draw(name, data).spec;
    for (const char* row : {"plink1.9 (whole process, 1 thread)", "plink1.9 (whole process, all threads)"}) {
      const auto marks = marks_of(panels(spec)[0], row);
      ASSERT_THAT(marks, SizeIs(1)) << name << ": " << row;
      EXPECT_EQ(marks[0]["hollow"], true);
    }
    EXPECT_THAT(spec["title"]["subtitle"].dump(), HasSubstr("timed as a whole process"));
  }
}

TEST(PairwiseDistanceFigures, SayWhyThereIsNothingToDraw) {
  const ReportData none = only([](const results::Record&) { return false; });
  for (const char* name : {"pairwise-distance/fig4", "pairwise-distance/rates", "pairwise-distance/sizes"}) {
    const Drawing drawing = draw(name, none);
    EXPECT_FALSE(drawing.spec.has_value());
    EXPECT_THAT(drawing.reason, HasSubstr("pairwise_distance"));
  }
}

}  // namespace
}  // namespace gpuseq::reports
