#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/figure_tools.hpp"
#include "runtime/io/json_text.hpp"
#include "tests/reports/figures/drawn_profile_hmm.hpp"

namespace gpuseq::reports {
namespace {

using namespace example;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

const char* const kFigures[] = {"profile-hmm/table2", "profile-hmm/table3", "profile-hmm/table4",
                                "profile-hmm/fig9",   "profile-hmm/fig10",  "profile-hmm/fig11",
                                "profile-hmm/fig12",  "profile-hmm/fig13",  "profile-hmm/fig14"};

TEST(ProfileHmmFacts, NameFiguresThatExistAndTheirSources) {
  std::set<std::string> names;
  for (const Figure& figure : figures()) names.insert(figure.name);
  for (const Fact& fact : load_published(kPaper).facts) {
    EXPECT_TRUE(fact.figure.empty() || names.contains(fact.figure)) << fact.figure;
    EXPECT_EQ(fact.kind == "listed", fact.figure.empty()) << fact.label;
    EXPECT_FALSE(fact.label.empty());
  }
}

TEST(ProfileHmmFacts, AreThePapersNumbersAndThoseMeasuredForTheSuite) {
  const Published published = load_published(kPaper);
  std::map<std::string, double> at_400, up_to;
  for (const Fact& fact : published.facts) {
    const std::string filter = text(fact.at, "filter"), series = text(fact.at, "series");
    if (series.starts_with("CUDAMPF, SIMD") && fact.at["model_length"] == 400) at_400[filter] = fact.value;
    if (fact.label == "CUDAMPF, K40, up to") up_to[filter] = fact.value;
    EXPECT_EQ(fact.paper == "measured for this suite",
              fact.device == "NVIDIA H200" || fact.device.starts_with("AMD"))
        << fact.label;
  }
  EXPECT_EQ(at_400, (std::map<std::string, double>{{"msv", 911}, {"ssv", 1409}, {"viterbi", 241}}));
  EXPECT_EQ(up_to, (std::map<std::string, double>{{"msv", 277}, {"ssv", 440}, {"viterbi", 14.3}}));
}

TEST(ProfileHmmFigures, FollowWhatEachMarkIsOf) {
  const ReportData data = filters();
  for (const char* name : kFigures) {
    const Drawing drawing = draw(name, data, load_published(kPaper));
    ASSERT_TRUE(drawing.spec) << name << ": " << drawing.reason;
    for (const Json& row : rows(*drawing.spec)) {
      if (row.value("published", false)) continue;
      const Entry& entry = data.entries.at(row["record"].get<std::size_t>());
      EXPECT_EQ(row["x"], number(entry.record.facts, "model_length").value()) << name;
    }
  }
}

TEST(ProfileHmmFigures, RandomSequencesWhoseResiduesVaryWithTheModelAreOfOnePanel) {
  ReportData data = filters();
  for (Entry& entry : data.entries) {
    results::Record& record = entry.record;
    record.state.problem.set("sequences", std::string("random"));
    record.facts["residues"] = 178'000'000 + 4000 * record.state.problem.integer("model_length");
  }
  for (const char* name : kFigures) {
    const Json other = *draw(name, filters(), load_published(kPaper)).spec;
    const Json spec = *draw(name, data, load_published(kPaper)).spec;
    EXPECT_EQ(rows(spec).size(), rows(other).size()) << name;
    EXPECT_EQ(panels(spec).size(), panels(other).size()) << name;
  }
}

TEST(ProfileHmmFigures9To11, CompareRowsInThreeMemoriesWithTheirOccupancy) {
  const Json spec = *draw("profile-hmm/fig9", filters(), load_published(kPaper)).spec;
  EXPECT_THAT(series(spec), UnorderedElementsAre("registers", "shared memory", "local memory"));
  ASSERT_THAT(panels(spec), SizeIs(2));
  EXPECT_EQ(panels(spec)[1]["encoding"]["y"]["axis"]["title"], "occupancy");
  EXPECT_THAT(hollow(panels(spec)[0]), SizeIs(6));
  EXPECT_THAT(hollow(panels(spec)[1]), SizeIs(2));
  EXPECT_THAT(guides(panels(spec)[1]), HasSubstr("local memory 50 %"));
  EXPECT_EQ(guides(panels(spec)[0]), "");
  EXPECT_EQ(marks_of(panels(spec)[0], "registers", 400).at(0)["tips"]["Over local memory"], "2.22 x");
}

TEST(ProfileHmmFigures9To11, KnowWhichMemoryAutoWas) {
  const ReportData data = filters([](const results::Record& r) {
    return r.state.variant == "lane_groups" &&
           (word(r.state.point, "row") == "shared" || word(r.state.point, "row") == "auto");
  });
  const Json spec = *draw("profile-hmm/fig10", data).spec;
  EXPECT_THAT(series(spec), UnorderedElementsAre("shared memory", "local memory"));
}

TEST(ProfileHmmFigures9To11, CountRowsThatTheCompilerKeptInRegistersAsSuch) {
  ReportData data = filters([](const results::Record& r) { return word(r.state.point, "row") != "auto"; });
  for (Entry& entry : data.entries)
    if (word(entry.record.state.point, "row") == "local") entry.record.resources->local_bytes = 0;
  const Json spec = *draw("profile-hmm/fig10", data).spec;
  EXPECT_THAT(series(spec), UnorderedElementsAre("registers", "shared memory"));
}

TEST(ProfileHmmFigures12To14, HaveAPanelPerDeviceAndNumberOfThreads) {
  const Json spec = *draw("profile-hmm/fig13", filters(), load_published(kPaper)).spec;
  ASSERT_THAT(titles(spec), ElementsAre(HasSubstr(kGpu), HasSubstr("1 thread"), HasSubstr("all threads")));
  EXPECT_THAT(series(spec), IsSupersetOf({"lane_groups", "video_warp", "striped, SSE4", "striped, AVX-512"}));
  EXPECT_THAT(hollow(panels(spec)[0]), SizeIs(6));  // CUDAMPF at five lengths, and as it is at 400
  EXPECT_THAT(hollow(panels(spec)[1]), SizeIs(6));  // HMMER at two lengths with three widths of vectors
  EXPECT_THAT(hollow(panels(spec)[2]), SizeIs(0));
  EXPECT_THAT(guides(panels(spec)[0]), HasSubstr("CUDAMPF, K40, up to 440"));
  EXPECT_THAT(guides(panels(spec)[1]), AllOf(HasSubstr("i7-2600 29.1, i5-3570K 33.5"),
                                             HasSubstr("E5620 19.9"), Not(HasSubstr("K40"))));
}

TEST(ProfileHmmFigures12To14, DrawTheFastestPointOfAVariant) {
  ReportData data = filters([](const results::Record& r) { return r.state.variant == "lane_groups"; });
  for (const Json& mark : rows(*draw("profile-hmm/fig12", data).spec)) {
    const double length = mark["x"];
    EXPECT_NEAR(mark["y"].get<double>(), 5000 * length / (length + 120), 1e-6);
  }
}

TEST(ProfileHmmFigures12To14, KeepModelsOfFilesAndOtherSequencesApart) {
  std::vector<results::Record> records;
  for (const char* models : {"random", "LuxC", "Pkinase"})
    for (const std::int64_t length : {260, 400})
      records.push_back(profile_hmm_record("striped", profile_hmm_problem("ssv", length, models),
                                           {{"target", "avx2"}, {"threads", 1}}, "cpu", 50));
  records.push_back(records[0]);
  records.back().facts["residues"] = 1000;
  EXPECT_THAT(titles(*draw("profile-hmm/fig13", data(records)).spec),
              ElementsAre(HasSubstr("random models"), HasSubstr("models of files")));
}

/// A peer on the example's processor, whose process took ten times as long as the work itself.
results::Record peer_record(const std::string& variant, std::int64_t length, std::int64_t threads,
                            double own_gcups) {
  results::Record r = profile_hmm_record(variant, profile_hmm_problem("ssv", length), {{"threads", threads}},
                                         "cpu", own_gcups / 10);
  r.kind = "tool";
  if (variant == "hmmsearch") return r;
  r.facts["program_version"] = "HMMER 3.3.2, SSE";
  r.side_samples_s["own"] = {r.work.amount / (own_gcups * 1e9)};
  return r;
}

TEST(ProfileHmmFigures12To14, HaveHmmersOwnFilterOfTheSameRunInPlaceOfStatedOnes) {
  ReportData with_peers = filters();
  std::vector<results::Record> peers;
  for (const std::int64_t length : {100, 400})
    for (const std::int64_t threads : {1, 0}) {
      peers.push_back(peer_record("hmmer_filter", length, threads, threads == 1 ? 40 : 70));
      peers.push_back(peer_record("hmmsearch", length, threads, 1));
    }
  for (Entry& entry : data(peers).entries) with_peers.entries.push_back(entry);
  const Json spec = *draw("profile-hmm/fig13", with_peers, load_published(kPaper)).spec;
  ASSERT_THAT(panels(spec), SizeIs(3));
  EXPECT_THAT(series(spec), Not(Contains(HasSubstr("hmmsearch"))));
  const auto one = marks_of(panels(spec)[1], "HMMER 3.3.2, SSE", 400),
             all = marks_of(panels(spec)[2], "HMMER 3.3.2, SSE", 400);
  ASSERT_THAT(one, SizeIs(1));
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_NEAR(one[0]["y"].get<double>(), 40, 1e-9);
  EXPECT_NEAR(all[0]["y"].get<double>(), 70, 1e-9);
  EXPECT_EQ(one[0]["tips"]["Variant"], "hmmer_filter (by its own clock)");
  EXPECT_THAT(hollow(panels(spec)[1]), SizeIs(0));
  EXPECT_THAT(hollow(panels(spec)[0]), SizeIs(6));
  EXPECT_THAT(guides(panels(spec)[1]), HasSubstr("E5620"));  // as the paper has it
  EXPECT_THAT(subtitle(spec), AllOf(HasSubstr("HMMER 3.3.2, SSE: the filter alone in the same run"),
                                    Not(HasSubstr("whole process"))));
}

TEST(ProfileHmmFigures12To14, HaveNoPanelOfOtherProgramsAlone) {
  const ReportData peers =
      data({peer_record("hmmer_filter", 100, 1, 40), peer_record("hmmer_filter", 400, 1, 40)});
  EXPECT_FALSE(draw("profile-hmm/fig13", peers).spec);
}

/// Records of the points of the config that goes from the published kernel to ours, each twice as fast as the
/// one before.
std::vector<results::Record> ladder_records(const std::string& filter, std::int64_t model_length) {
  const Json config = read_json(source_dir() / "configs/paper/profile-hmm.json");
  std::vector<results::Record> records;
  double gcups = 1;
  for (const Json& space : config["families"]["profile_hmm"]["variants"]["video_warp"]) {
    if (std::any_of(space.begin(), space.end(), [](const Json& values) { return values.is_array(); }))
      continue;
    Point point{{"stripes", std::string("constant")}, {"compiled_by", std::string("nvrtc")}};
    const Point changed = Point::from_json(space);
    for (const auto& [axis, value] : changed.values()) point.set(axis, value);
    records.push_back(
        filter_kernel("video_warp", profile_hmm_problem(filter, model_length), point, "registers", gcups));
    gcups *= 2;
  }
  return records;
}

TEST(ProfileHmmLadder, GoesFromThePublishedKernelToOursInTheOrderOfTheConfig) {
  std::vector<results::Record> records = ladder_records("viterbi", 400);
  for (const char* filter : {"ssv", "viterbi"})
    for (results::Record& record : ladder_records(filter, 1200)) records.push_back(std::move(record));
  const Json spec = *draw("profile-hmm/ladder", data(records)).spec;
  ASSERT_THAT(panels(spec), SizeIs(2));
  EXPECT_THAT(titles(spec), ElementsAre(HasSubstr("SSV, 1200 states"), HasSubstr("Viterbi, 400 states")));
  std::vector<std::string> order;
  double before = 0;
  for (const Json& row : rows(panels(spec)[1])) {
    order.push_back(row["row"]);
    EXPECT_GT(row["value"], before) << row;
    before = row["value"];
  }
  EXPECT_THAT(order, ElementsAre("as published, ahead of time", "by NVRTC", "stripes = constant",
                                 "resident warps as they fit", "assignment = queue", "order = sorted",
                                 "residues = registers", "reduction = skipped", "deletions = in_row",
                                 "loads = wide", "costs, steps = auto"));
  // D - D is Viterbi's alone.
  EXPECT_THAT(rows(panels(spec)[0]), SizeIs(order.size() - 1));
}

TEST(ProfileHmmLadder, IsNotDrawnOfKernelsThatAreAllOurs) {
  std::vector<results::Record> ours;
  add_filter_kernels(ours, profile_hmm_problem("msv", 400));
  EXPECT_THAT(draw("profile-hmm/ladder", data(ours)).reason, HasSubstr("a counterpart as published"));
}

TEST(ProfileHmmFigures, SayWhyTheyAreNotDrawn) {
  const ReportData none = only([](const results::Record& r) { return r.state.family == "papara"; });
  for (const char* name : kFigures) EXPECT_EQ(draw(name, none).reason, "no record of profile_hmm") << name;
  const ReportData cpu = filters([](const results::Record& r) { return r.state.device == "cpu"; });
  for (const char* name : {"profile-hmm/table2", "profile-hmm/table3", "profile-hmm/fig9"})
    EXPECT_FALSE(draw(name, cpu).spec) << name;
  EXPECT_TRUE(draw("profile-hmm/fig14", cpu).spec);
}

TEST(ProfileHmmFigures, SurviveRecordsWithoutFactsResourcesOrAxes) {
  ReportData data = filters();
  for (Entry& entry : data.entries) {
    entry.record.facts = nullptr;
    entry.record.resources.reset();
    entry.record.provenance = nullptr;
    entry.record.state.point = Point{};
  }
  for (const char* name : kFigures) EXPECT_NO_THROW(draw(name, data, load_published(kPaper))) << name;
  for (Entry& entry : data.entries) entry.record.state.problem = Point{};
  for (const char* name : kFigures) EXPECT_FALSE(draw(name, data, load_published(kPaper)).spec) << name;
}

TEST(ProfileHmmProblems, AreNamedByFilterModelAndSequences) {
  const ReportData data = filters();
  std::set<std::string> names;
  for (const Entry& entry : data.entries) names.insert(problem_name(entry));
  EXPECT_THAT(names, Contains("ssv, random model of 400 states x 486000 sequences of proteins"));
  EXPECT_THAT(names, SizeIs(30));
}

}  // namespace
}  // namespace gpuseq::reports
