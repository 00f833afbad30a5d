#include "reports/figure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "reports/charts/chart.hpp"
#include "reports/figure_tools.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/reports/drawn_figure.hpp"

namespace gpuseq::reports {
namespace {

using namespace example;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

TEST(Figures, HaveUniqueNamesAndFiles) {
  std::set<std::string> names, files;
  for (const Figure& f : figures()) {
    names.insert(f.name);
    files.insert(f.file_stem());
    EXPECT_EQ(f.file_stem().find('/'), std::string::npos);
  }
  EXPECT_EQ(names.size(), figures().size());
  EXPECT_EQ(files.size(), figures().size());
}

TEST(Figures, AreVegaLite5WithTheirDataInside) {
  const ReportData data = example::data();
  const Published published = load_published(kFacts);
  for (const Figure& f : figures()) {
    const Drawing drawing = f.draw(f, data, published);
    ASSERT_TRUE(drawing.spec) << f.name << ": " << drawing.reason;
    const Json& spec = *drawing.spec;
    EXPECT_EQ(spec["$schema"], "https://vega.github.io/schema/vega-lite/v5.json");
    EXPECT_EQ(spec["title"]["text"], f.title);
    EXPECT_THAT(spec["description"].get<std::string>(), HasSubstr(f.title));
    EXPECT_THAT(spec["title"]["subtitle"].dump(), HasSubstr("run example (gpuseq-bench 0.1.0, 0123456789)"))
        << f.name;
    EXPECT_FALSE(rows(spec).empty()) << f.name;
    EXPECT_EQ(spec.dump().find("\"url\""), std::string::npos) << f.name;
    EXPECT_THAT(spec.dump(), HasSubstr("tooltip")) << f.name;
  }
}

TEST(Figures, NameTheRecordOfEveryMarkThatIsNotPublished) {
  const ReportData data = example::data();
  const Published published = load_published(kFacts);
  for (const Figure& f : figures())
    for (const Json& row : rows(*f.draw(f, data, published).spec)) {
      const std::string series = row.value("series", "");
      if (row.contains("published") || series.starts_with("published") || f.name == "fm-index/table1" ||
          f.name == "probes/knees") {
        EXPECT_FALSE(row.contains("record")) << f.name;
        continue;
      }
      ASSERT_TRUE(row.contains("record")) << f.name << ": " << row;
      const Entry& entry = data.entries.at(row["record"].get<std::size_t>());
      EXPECT_EQ(row["tips"].value("Point", ""), entry.record.state.point.to_string()) << f.name;
    }
}

TEST(Figures, SayWhyThereIsNothingToDrawWithoutRecords) {
  const ReportData data = example::data({});
  for (const Figure& f : figures()) {
    const Drawing drawing = f.draw(f, data, {});
    EXPECT_FALSE(drawing.spec) << f.name;
    EXPECT_THAT(drawing.reason, HasSubstr("no record of")) << f.name;
  }
}

TEST(Figures, SayWhichPartOfTheRecordsIsMissing) {
  ReportData data =
      only([](const results::Record& r) { return r.state.family == "fm_index" && r.state.device == "cpu"; });
  for (Entry& entry : data.entries) entry.record.ceiling.value.reset();
  EXPECT_THAT(draw("fm-index/table2", data).reason, HasSubstr("has the counter sm__inst_executed.sum"));
  EXPECT_THAT(draw("fm-index/ceiling", data).reason, HasSubstr("has a ceiling"));
  EXPECT_THAT(draw("fm-index/fig6", data).reason, HasSubstr("two or more values of active_threads"));
}

TEST(Figures, OfFailedRecordsAreNotDrawn) {
  ReportData data = only([](const results::Record& r) { return r.state.family == "latency"; });
  for (Entry& entry : data.entries) entry.record.status = results::Status::failed;
  EXPECT_THAT(draw("latency", data).reason, HasSubstr("is ok"));
}

TEST(Figures, SurviveRecordsThatLackAxesAndFacts) {
  ReportData data = example::data();
  for (Entry& entry : data.entries) {
    entry.record.state.point = Point{};
    entry.record.state.problem = Point{{"footprint_bytes", "many"}, {"k", "two"}};
    entry.record.facts = nullptr;
  }
  for (const Figure& f : figures()) EXPECT_NO_THROW(f.draw(f, data, load_published(kFacts))) << f.name;
}

TEST(RandomAccessLines, HaveALinePerBlockAndTheKneesAsBands) {
  const Json spec = *draw("random-access/lines", example::data()).spec;
  EXPECT_THAT(series(spec), UnorderedElementsAre("32 B", "64 B", "128 B", "256 B", "512 B", "1 KiB"));
  std::vector<double> begins;
  for (const Json& panel : panels(spec))
    if (panel["title"]["text"] == std::string(example::kGpu) + ", independent accesses")
      for (const Json& layer : panel["layer"])
        if (layer["mark"]["type"] == "rect") begins.push_back(layer["data"]["values"][0]["from"]);
  EXPECT_THAT(begins,
              testing::ElementsAre(testing::DoubleNear(0.84 * 2.4e5, 1), testing::DoubleNear(0.84 * 3e7, 1),
                                   testing::DoubleNear(0.84 * 5e7, 1), testing::DoubleNear(0.84 * 7e10, 1)));
}

TEST(RandomAccessLines, KeepThreadsAndKindsOfAccessApart) {
  std::set<std::string> titles;
  for (const Json& panel : panels(*draw("random-access/lines", example::data()).spec))
    titles.insert(panel["title"]["text"].get<std::string>());
  EXPECT_THAT(titles,
              UnorderedElementsAre(std::string(example::kGpu) + ", independent accesses",
                                   std::string(example::kGpu) + ", dependent accesses",
                                   std::string(example::kCpu) + ", independent accesses, 1 thread",
                                   std::string(example::kCpu) + ", independent accesses, all threads"));
}

TEST(RandomAccessLines, ShowDisturbedPointsHollowAndNotAsPartOfALine) {
  ReportData data = example::data();
  EXPECT_EQ(draw("random-access/lines", data).spec->dump().find("disturbed"), std::string::npos);
  for (Entry& entry : data.entries)
    entry.disturbed = entry.record.state.family == "random_access" && entry.record.state.device == "cpu";
  const Json spec = *draw("random-access/lines", data).spec;
  const auto disturbed = rows(spec, [](const Json& row) { return row.contains("disturbed"); });
  ASSERT_FALSE(disturbed.empty());
  EXPECT_LT(disturbed.size(), rows(spec).size());
  EXPECT_THAT(spec["title"]["subtitle"].dump(), HasSubstr("no two passes agree on"));
  for (const Json& panel : panels(spec))
    for (const Json& layer : panel["layer"])
      if (layer["mark"]["type"] == "line" && panel.dump().find("\"disturbed\":true") != std::string::npos) {
        EXPECT_THAT(layer["transform"].dump(), HasSubstr("!datum.disturbed"));
      }
}

TEST(FastestEntry, IsADisturbedOneOnlyWhereThereIsNoOther) {
  ReportData data = example::data();
  Entry fast = data.entries.front(), slow = fast;
  fast.record.statistics->rate = 2 * slow.record.statistics->rate;
  fast.disturbed = true;
  std::map<int, const Entry*> best;
  keep_fastest(best, 1, &fast);
  EXPECT_EQ(best[1], &fast);
  keep_fastest(best, 1, &slow);
  EXPECT_EQ(best[1], &slow);
  keep_fastest(best, 1, &fast);
  EXPECT_EQ(best[1], &slow);
}

TEST(Knees, AreDrawnByRunWithTheirIntervals) {
  const Json spec = *draw("probes/knees", example::data()).spec;
  const auto found = rows(spec, [](const Json& row) { return row["tips"]["Level"] == "L2"; });
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0]["row"], "example");
  EXPECT_EQ(found[0]["value"], 5e7);
  EXPECT_EQ(found[0]["low"], 0.84 * 5e7);
  EXPECT_EQ(found[0]["high"], 1.2 * 5e7);
}

TEST(Latency, IsTheReciprocalOfTheRateOfAccesses) {
  ReportData data =
      only([](const results::Record& r) { return r.state.family == "latency" && r.state.device == "cpu"; });
  data.entries.resize(1);
  const double rate = data.entries[0].record.statistics->rate;
  const std::vector<Json> drawn = rows(*draw("latency", data).spec);
  ASSERT_EQ(drawn.size(), 1u);
  EXPECT_DOUBLE_EQ(drawn[0]["y"].get<double>(), 1 / rate);
  EXPECT_LT(drawn[0]["low"].get<double>(), drawn[0]["high"].get<double>());
}

TEST(Curves, ShowTheMedianOfRepetitionsOfTheLastPhase) {
  ReportData data =
      only([](const results::Record& r) { return r.state.family == "fm_index" && r.state.device == "cpu"; });
  data.entries.resize(1);
  data.entries.resize(5, data.entries[0]);
  const double rates[] = {9e9, 1e9, 2e9, 3e9, 8e9};
  for (std::size_t i = 0; i < data.entries.size(); ++i) {
    data.entries[i].record.statistics->rate = rates[i];
    data.entries[i].record.phase = i == 0 || i == 4 ? "sweep" : "tune";
  }
  const auto settled = data.settled("fm_index");
  ASSERT_EQ(settled.size(), 1u);
  EXPECT_EQ(settled[0]->record.statistics->rate, 2e9);
}

TEST(Figure2, DrawsTheFormulasOfThePaperOverTheMeasuredLayouts) {
  const Json spec = *draw("fm-index/fig2", example::data(), load_published(kFacts)).spec;
  const auto at = [&](double d, const std::string& dash, bool published) {
    return rows(spec, [&](const Json& row) {
      return row["x"] == d && row["series"] == "k=2" && row["dash"] == dash &&
             row.contains("published") == published;
    });
  };
  for (const std::string dash : {"full", "alternate"})
    for (const double d : {64.0, 192.0, 448.0}) {
      ASSERT_EQ(at(d, dash, true).size(), 1u);
      ASSERT_EQ(at(d, dash, false).size(), 1u);
      EXPECT_NEAR(at(d, dash, true)[0]["y"].get<double>(), at(d, dash, false)[0]["y"].get<double>(), 1e-5);
    }
  // 4.5 GB of the human genome, section 5.3.2
  EXPECT_DOUBLE_EQ(at(64, "full", true)[0]["y"].get<double>() * 3e9 / 8, 4.5e9);
}

TEST(Figure5, PutsPublishedRatesBesideTheLargestReference) {
  const Json spec = *draw("fm-index/fig5", example::data(), load_published(kFacts)).spec;
  const auto published =
      rows(spec, [](const Json& row) { return row["series"].get<std::string>().starts_with("published"); });
  EXPECT_EQ(published.size(), 7u);
  const Json first = panels(spec)[0];
  EXPECT_THAT(first["title"]["text"].get<std::string>(), HasSubstr("3 Gbases"));
  for (const Json& row : published) EXPECT_THAT(first["data"]["values"], Contains(row));
}

TEST(Figure6, DrawsTheThreadsThatWereResident) {
  const Json spec = *draw("fm-index/fig6", example::data()).spec;
  std::set<double> threads;
  for (const Json& row : rows(spec)) threads.insert(row["x"].get<double>());
  EXPECT_EQ(*threads.begin(), 132 * 32);
  EXPECT_EQ(*threads.rbegin(), 132 * 2048);
  EXPECT_THAT(spec["title"]["subtitle"].dump(), HasSubstr("k=1 d=64"));
}

TEST(Figure9, KeepsTheLayoutsThatComeClosestToTheBest) {
  const Json spec = *draw("fm-index/fig9", example::data()).spec;
  for (const Json& panel : panels(spec)) {
    std::set<std::string> names;
    for (const Json& row : panel["data"]["values"]) names.insert(row["series"].get<std::string>());
    EXPECT_LE(names.size(), 8u);
    EXPECT_TRUE(names.contains("k=1 d=64"));
  }
}

TEST(Figure9, LabelsSyntheticReferences) {
  const Json spec = *draw("fm-index/fig9", example::data()).spec;
  const auto synthetic = rows(spec, [](const Json& row) { return row.contains("synthetic"); });
  ASSERT_FALSE(synthetic.empty());
  for (const Json& row : synthetic) EXPECT_GT(row["x"].get<double>(), 2e9);
  EXPECT_THAT(spec["title"]["subtitle"].dump(), HasSubstr("synthetic"));
}

TEST(Table2, DividesCountedInstructionsByQueryBases) {
  const ReportData data = only([](const results::Record& r) {
    return r.state.family == "fm_index" && r.state.variant == "task_parallel" && r.counters.value;
  });
  const Json spec = *draw("fm-index/table2", data, load_published(kFacts)).spec;
  const auto of = [&](const std::string& prefix) {
    return rows(spec, [&](const Json& row) {
      return row["row"] == "task_parallel, k=1" && row["series"].get<std::string>().starts_with(prefix);
    });
  };
  ASSERT_EQ(of("published").size(), 3u);
  EXPECT_DOUBLE_EQ(of("published")[0]["value"].get<double>(), 3.08);
  ASSERT_FALSE(of("NVIDIA H200").empty());
  EXPECT_DOUBLE_EQ(of("NVIDIA H200")[0]["value"].get<double>(), 0.11 * (8 + 64 / 20.0));
}

TEST(Figures, SayHowManyOfTheirRecordsHaveFewerThanSixSamples) {
  ReportData data = only([](const results::Record& r) { return r.state.family == "sequential"; });
  for (Entry& entry : data.entries) entry.record.statistics->samples = 6;
  const auto subtitle = [&] { return (*draw("sequential", data).spec)["title"]["subtitle"].dump(); };
  EXPECT_THAT(subtitle(), Not(HasSubstr("samples")));
  data.entries[0].record.statistics->samples = 5;
  EXPECT_THAT(subtitle(), HasSubstr("1 of 63 records have fewer than six samples"));
  const auto marked = rows(*draw("sequential", data).spec,
                           [](const Json& row) { return row["tips"].value("Samples", "") == "5"; });
  EXPECT_EQ(marked.size(), 1u);
}

TEST(Table2, IsOfTheLargestReferenceWithoutAPrefixTableAndNamesBothAndTheLanes) {
  ReportData data = only([](const results::Record& r) {
    return r.state.family == "fm_index" && r.state.variant == "full_cooperative" && r.counters.value &&
           r.state.point.integer("active_threads") == 0;
  });
  for (Entry& entry : data.entries) entry.record.state.point.set("lanes_per_query", 4);
  // Ten times faster with a table, which leaves half of the instructions.
  const std::size_t without_table = data.entries.size();
  for (std::size_t i = 0; i < without_table; ++i) {
    data.entries[i].record.state.point.set("prefix_symbols", 0);
    Entry faster = data.entries[i];
    faster.record.state.point.set("prefix_symbols", 12);
    faster.record.statistics->rate *= 10;
    faster.record.counters.value->at("sm__inst_executed.sum") /= 2;
    data.entries.push_back(std::move(faster));
  }
  const Json spec = *draw("fm-index/table2", data).spec;
  for (const Json& panel : panels(spec))
    EXPECT_THAT(panel["title"].dump(), AllOf(HasSubstr("3 Gbases"), HasSubstr("no prefix table")));
  const auto drawn =
      rows(spec, [](const Json& row) { return row["row"] == "full_cooperative, k=1, 4 lanes"; });
  ASSERT_FALSE(drawn.empty());
  for (const Json& row : drawn) {
    const results::StateKey& state = data.entries.at(row["record"].get<std::size_t>()).record.state;
    EXPECT_EQ(state.point.integer("prefix_symbols"), 0);
    EXPECT_EQ(state.problem.integer("reference_bases"), 3000000000);
  }
}

TEST(FindFigures, RefusesUnknownNamesAndSuggestsTheNearest) {
  EXPECT_EQ(find_figures({}).size(), figures().size());
  EXPECT_EQ(find_figures({"latency", "latency"}).size(), 1u);
  try {
    find_figures({"fm-index/fig99"});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'fm-index/fig9'?"));
    EXPECT_THAT(error.what(), HasSubstr("suite/roofline"));
  }
}

TEST(PublishedLines, CrossPanelsOfGpusOnly) {
  const Json spec = *draw("fm-index/fig8", example::data(), load_published(kFacts)).spec;
  for (const Json& panel : panels(spec)) {
    const bool gpu = panel["title"]["text"].get<std::string>().starts_with(example::kGpu);
    EXPECT_EQ(panel["layer"].dump().find("Titan") != std::string::npos, gpu);
  }
}

}  // namespace
}  // namespace gpuseq::reports
