#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/drawn_figure.hpp"

namespace gpuseq::reports {
namespace {

using namespace example;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Key;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

const std::filesystem::path kPaper = kFacts.parent_path() / "papara.json";

ReportData papara(const std::function<bool(const results::Record&)>& keep) {
  return only([&](const results::Record& r) { return r.state.family == "papara" && keep(r); });
}
ReportData papara() {
  return papara([](const results::Record&) { return true; });
}

std::vector<std::string> titles(const Json& spec) {
  std::vector<std::string> titles;
  for (const Json& panel : panels(spec)) {
    const Json& text = panel["title"]["text"];
    titles.push_back(text.is_string() ? text.get<std::string>() : text.dump());
  }
  return titles;
}

std::vector<Json> published_rows(const Json& panel) {
  std::vector<Json> found;
  for (const Json& row : panel["data"]["values"])
    if (row.value("series", "").starts_with("published")) found.push_back(row);
  return found;
}

TEST(PaparaFacts, AreThePapersTablesAsPrinted) {
  const Published published = load_published(kPaper);
  const auto value = [&](const char* figure, const char* kind, const char* column, double sites,
                         double queries) {
    for (const Fact* fact : published.find(figure, kind))
      if (text(fact->at, "column") == column && fact->at["sites"] == sites && fact->at["queries"] == queries)
        return fact->value;
    return -1.0;
  };
  EXPECT_EQ(value("papara/table1", "value", "Seq", 500, 1250), 0.49);
  EXPECT_EQ(value("papara/table1", "value", "SSE(4)", 500000, 1250), 2.22);
  EXPECT_EQ(value("papara/table1", "value", "GPU", 10000, 1250), 21.6);
  EXPECT_EQ(value("papara/table1", "listed", "GPU", 100000, 1250), 181.31);
  EXPECT_EQ(value("papara/table2", "value", "SSE(4)", 5000, 750), 14.24);
  EXPECT_EQ(value("papara/table2", "listed", "Seq", 5000, 100), 39.60);
  EXPECT_THAT(published.find("papara/table1", "value"), SizeIs(21));
  EXPECT_THAT(published.find("papara/table2", "value"), SizeIs(18));
  EXPECT_THAT(published.find("papara/table3", "value"), SizeIs(6));
}

TEST(PaparaFacts, CountTheCellsThatTheySayTheyCount) {
  const Published published = load_published(kPaper);
  for (const char* figure : {"papara/table1", "papara/table2"})
    for (const Fact* rate : published.find(figure, "value"))
      for (const Fact* time : published.find(figure, "listed")) {
        if (time->at != rate->at) continue;
        const double sites = rate->at["sites"], queries = rate->at["queries"];
        const bool band = rate->label == "GPU";
        EXPECT_THAT(rate->stated, HasSubstr(band ? "the band" : "counts m n cells"));
        const double cells = queries * 320 * 100 * (band ? sites - 99 : sites);
        EXPECT_NEAR(rate->value * 1e9 * time->value / cells, 1, 0.025) << rate->label << " at " << sites;
      }
}

TEST(PaparaTable1, ShowsAminoAcidsInPanelsOfTheirOwnWithoutThePapersColumn) {
  ReportData data = papara([](const results::Record& r) { return r.state.device == "cuda:0"; });
  for (Entry& entry : data.entries)
    if (entry.record.state.variant == "blocked_registers")
      entry.record.state.problem.set("alphabet", "protein");
  const Json spec = *draw("papara/table1", data, load_published(kPaper)).spec;
  EXPECT_THAT(titles(spec), UnorderedElementsAre(HasSubstr("1250 queries of 100 bases x 320 references"),
                                                 HasSubstr("1250 queries of 100 residues x 320 references")));
  for (const Json& panel : panels(spec)) {
    const bool protein = panel["title"]["text"].dump().find("residues") != std::string::npos;
    EXPECT_EQ(published_rows(panel).empty(), protein);
    for (const Json& row : panel["data"]["values"])
      if (!row.value("series", "").starts_with("published")) {
        EXPECT_EQ(row["series"] == "blocked_registers", protein);
      }
  }
}

TEST(PaparaTable1, HasAPanelPerDeviceAndNumberOfThreadsWithThePapersColumnBeside) {
  const Json spec = *draw("papara/table1", papara(), load_published(kPaper)).spec;
  EXPECT_THAT(titles(spec),
              ElementsAre(kGpu, std::string(kCpu) + ", 1 thread", std::string(kCpu) + ", 4 threads",
                          std::string(kCpu) + ", all threads"));
  const std::vector<std::string> columns{"NVIDIA GeForce GTX 560", "Intel Core i7-2600",
                                         "Intel Core i7-2600, 4 cores", "Intel Core i7-2600, 4 cores"};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::vector<Json> marks = published_rows(panels(spec)[i]);
    EXPECT_THAT(marks, SizeIs(7));
    for (const Json& mark : marks) EXPECT_EQ(mark["tips"]["Device"], columns[i]);
  }
  EXPECT_THAT(spec["title"]["subtitle"].dump(), HasSubstr("1250 queries of 100 bases x 320 references."));
  EXPECT_THAT(spec["title"]["subtitle"].dump(), HasSubstr("count all m n cells"));
}

TEST(PaparaTable1, DrawsTheFastestPointOfAVariantInAWidthInGcups) {
  ReportData data = papara([](const results::Record& r) {
    return r.state.variant == "blocked" && number(r.state.point, "bits") == 16.0 &&
           number(r.state.point, "threads") == 0.0 && number(r.facts, "queries_aligned") == 1250.0;
  });
  std::vector<Entry> slower = data.entries;
  for (Entry& entry : slower) {
    entry.record.state.point.set("rows", std::int64_t{1});
    entry.record.statistics->rate /= 3;
  }
  data.entries.insert(data.entries.end(), slower.begin(), slower.end());
  const std::vector<Json> marks = rows(*draw("papara/table1", data).spec);
  ASSERT_THAT(marks, SizeIs(7));
  for (const Json& mark : marks) {
    EXPECT_EQ(mark["series"], "blocked");
    EXPECT_NEAR(mark["y"].get<double>(), 90 * 25 * 1250 / 1290.0, 1e-6);
  }
}

TEST(PaparaTable1, ComparesTimesForTheSameAlignmentsWithThePapers) {
  ReportData data = papara([](const results::Record& r) {
    return r.state.variant == "blocked_registers" && word(r.state.point, "arithmetic") == "s16x2";
  });
  for (Entry& entry : data.entries) entry.record.statistics->median_s = 0.189;
  const std::vector<Json> marks = rows(*draw("papara/table1", data, load_published(kPaper)).spec);
  const auto at_500 = std::find_if(marks.begin(), marks.end(), [](const Json& mark) {
    return mark["x"] == 500 && mark["series"] == "blocked_registers";
  });
  ASSERT_NE(at_500, marks.end());
  EXPECT_EQ((*at_500)["tips"]["Over GPU (published)"], "10 x");       // 1.89 s
  EXPECT_EQ((*at_500)["tips"]["Over Seq (published)"], "216 x");      // 40.79 s
  EXPECT_EQ((*at_500)["tips"]["Over SSE(4) (published)"], "5.87 x");  // 1.11 s
}

TEST(PaparaTable1, SharesPatternsOfLinesBetweenDevices) {
  std::set<std::string> dashes;
  for (const Json& row : rows(*draw("papara/table1", papara()).spec))
    dashes.insert(row["dash"].get<std::string>());
  EXPECT_THAT(dashes, UnorderedElementsAre("8 bits", "16 bits", "32 bits", "half floats"));
}

TEST(PaparaTable1, KeepsProblemsOfOtherSizesApart) {
  std::vector<results::Record> records;
  for (const std::int64_t queries : {16, 1250})
    for (const std::int64_t sites : {500, 5000})
      records.push_back(
          papara_record("sequential", papara_problem(64, sites, queries), {{"threads", 1}}, "cpu", 1));
  records.push_back(papara_record("sequential", papara_problem(64, 700, 99), {{"threads", 1}}, "cpu", 1));
  EXPECT_THAT(titles(*draw("papara/table1", data(records)).spec),
              ElementsAre(HasSubstr("1250 queries of 100 bases x 64 references"), HasSubstr("16 queries")));
}

TEST(PaparaTable2, HasTheNumberOfQueriesAlongX) {
  const Json spec = *draw("papara/table2", papara(), load_published(kPaper)).spec;
  std::set<double> ours, theirs;
  for (const Json& row : rows(spec))
    (row.contains("published") ? theirs : ours).insert(row["x"].get<double>());
  EXPECT_THAT(ours, ElementsAre(100, 250, 500, 750, 1000, 1250));
  EXPECT_EQ(theirs, ours);
}

TEST(PaparaTables, NeedTwoSizes) {
  const ReportData one = papara([](const results::Record& r) {
    return number(r.facts, "sites") == 5000.0 && number(r.facts, "queries_aligned") == 500.0;
  });
  EXPECT_THAT(draw("papara/table1", one).reason, HasSubstr("two or more reference lengths"));
  EXPECT_THAT(draw("papara/table2", one).reason, HasSubstr("two or more numbers of queries"));
}

TEST(PaparaTables, LeaveTheHybridToTable3) {
  for (const char* name : {"papara/table1", "papara/table2", "papara/arithmetic"})
    EXPECT_THAT(series(*draw(name, papara()).spec), Not(Contains("hybrid"))) << name;
}

TEST(PaparaTable3, SplitsTheRateOfTheHybridAndComparesItWithItsParts) {
  const Json spec = *draw("papara/table3", papara(), load_published(kPaper)).spec;
  ASSERT_THAT(panels(spec), SizeIs(1));
  std::map<std::string, Json> by_row;
  for (const Json& row : rows(spec)) by_row[row["row"].get<std::string>()] = row;
  EXPECT_NEAR(by_row.at("CPU and GPU (scores copied back)")["value"].get<double>(), 9000, 1e-6);
  EXPECT_NEAR(by_row.at("of this, CPU (scores copied back)")["value"].get<double>(), 9000 * 0.45, 1e-6);
  EXPECT_NEAR(by_row.at("of this, GPU (scores copied back)")["value"].get<double>(), 9000 * 0.55, 1e-6);
  EXPECT_EQ(by_row.at("GPU alone (scores copied back)")["tips"]["Variant"],
            "hybrid");  // 5100, without CPU threads
  EXPECT_EQ(by_row.at(std::string("CPU alone, ") + kCpu)["tips"]["Variant"], "blocked");
  EXPECT_EQ(by_row.at("CPU and GPU, 1604.PRANK")["value"], 33.42);
  EXPECT_FALSE(by_row.contains("CPU and GPU, 16S.B.ALL"));  // other data
}

TEST(PaparaTable3, ComparesSeveralGpusWithAsManyAlone) {
  ReportData data = papara([](const results::Record& r) {
    return r.state.variant == "hybrid" || r.state.variant == "blocked_registers";
  });
  for (Entry& entry : data.entries)
    if (number(entry.record.facts, "gpu0_share") == 0.55)
      entry.record.facts.update({{"gpus", 2}, {"gpu0_share", 0.3}, {"gpu1_share", 0.25}});
  std::map<std::string, Json> details;
  for (const Json& row : rows(*draw("papara/table3", data).spec)) details[row["row"]] = row["tips"];
  EXPECT_THAT(details, Contains(Key("of this, GPU 0 (scores copied back)")));
  EXPECT_THAT(details, Contains(Key("of this, GPU 1 (scores copied back)")));
  // 9000 over 4300 and twice 5100
  EXPECT_EQ(details.at("CPU and GPU (scores copied back)")["of its parts alone"], "62.1 %");
  EXPECT_EQ(details.at("CPU and GPU (scores copied back)")["imbalance"], "2 %");
  EXPECT_EQ(details.at("of this, GPU 1 (scores copied back)")["share"], "25 %");
}

TEST(PaparaTable3, SaysWhatIsLostAndWhichPartIsFasterAlone) {
  ReportData data = papara();
  for (Entry& entry : data.entries)
    if (number(entry.record.facts, "gpu0_share") == 0.55)
      entry.record.facts.update({{"timed", "kernels"},
                                 {"taken", "gpus"},
                                 {"threads", 15},
                                 {"cpu_share", 0},
                                 {"gpu0_share", 1},
                                 {"lost_share", 0.07}});
  std::map<std::string, Json> details;
  for (const Json& row : rows(*draw("papara/table3", data).spec)) details[row["row"]] = row["tips"];
  ASSERT_THAT(details, Contains(Key("CPU and GPU")));  // no scores are copied in its time
  EXPECT_EQ(details.at("CPU and GPU")["lost"], "7 %");
  EXPECT_EQ(details.at("CPU and GPU")["faster alone"], "GPU");
  EXPECT_THAT(details, Contains(Key("of this, GPU")));
}

TEST(PaparaTable3, SaysThatNoRecordIsOfBoth) {
  const ReportData data = papara([](const results::Record& r) {
    return !r.facts.contains("gpu0_share") || !r.facts.contains("cpu_share");
  });
  EXPECT_THAT(draw("papara/table3", data).reason, HasSubstr("has the variant hybrid with both"));
}

TEST(PaparaArithmetic, ShowsEachVariantAndArithmeticWithItsShareOfTheCeiling) {
  const Json spec = *draw("papara/arithmetic", papara()).spec;
  std::set<std::string> names;
  for (const Json& row : rows(spec)) {
    names.insert(row["row"].get<std::string>());
    EXPECT_THAT(row["label"].get<std::string>(), HasSubstr("(62.5 %)"));
  }
  EXPECT_THAT(names, Contains("blocked_registers, f16x2"));
  EXPECT_THAT(names, Contains("blocked, 8 bits"));
  EXPECT_THAT(names, Contains("sequential, 32 bits"));
}

TEST(PaparaFigures, SurviveRecordsWithoutSizesOrCeilings) {
  ReportData data = papara();
  for (Entry& entry : data.entries) {
    entry.record.facts = nullptr;
    entry.record.state.problem = Point{};
    entry.record.ceiling.value.reset();
  }
  for (const char* name : {"papara/table1", "papara/table2"}) EXPECT_FALSE(draw(name, data).spec) << name;
  for (const char* name : {"papara/table3", "papara/arithmetic"}) EXPECT_TRUE(draw(name, data).spec) << name;
}

TEST(PaparaFigures, RunsOfThisFamilyAloneDoNotDrawTheDevicesOfAnotherPaper) {
  const Drawing devices = draw("fm-index/table1", papara());
  EXPECT_FALSE(devices.spec.has_value());
  EXPECT_EQ(devices.reason, "no record of fm_index");
}

}  // namespace
}  // namespace gpuseq::reports
