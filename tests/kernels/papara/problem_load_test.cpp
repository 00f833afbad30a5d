#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/papara/problem.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::papara {
namespace {

using namespace std::string_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class PaparaLoading : public ::testing::Test {
 protected:
  ProblemSpec files(Point point = {}) const {
    for (const char* axis : {"alignment", "tree", "queries"})
      if (!point.has(axis)) point.set(axis, std::string(axis) + "_file");
    return {.point = point,
            .files = {{"alignment_file", folder_.write("a.fa", alignment_)},
                      {"tree_file", folder_.write("t.nwk", tree_)},
                      {"queries_file", folder_.write("q.fa", queries_)}},
            .seed = 1,
            .cache_dir = folder_.path() / "cache",
            .threads = 2};
  }
  static std::string error(const ProblemSpec& spec) {
    try {
      load_problem(spec);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder_;
  std::string alignment_ = ">a\nACGT--ACGT\n>b\nACGTTTACGT\n>c\nACG---ACGA\n>d\nACGTT-ACGN\n";
  std::string tree_ = "((a:0.1,b:0.2):0.05,c:0.3,d:0.1);";
  std::string queries_ = ">one\nACGTA\n>none\n--\n>long\nACGTACGTACGT\n>last\nacg..tacgt\n";
};

ProblemSpec evolved(Point point, u64 seed = 1) {
  return {.point = std::move(point), .files = {}, .seed = seed, .cache_dir = {}, .threads = 2};
}

TEST_F(PaparaLoading, TakesAlignmentTreeAndQueriesFromFiles) {
  const auto problem = load_problem(files());
  EXPECT_EQ(problem->references().count, 5u);
  EXPECT_EQ(problem->references().sites, 10u);
  EXPECT_THAT(problem->queries().names, ElementsAre("one", "none", "long", "last"));
  EXPECT_THAT(problem->queries().source, ElementsAre(0, 3));
  EXPECT_EQ(problem->cells(), 5 * (5 * 6 + 8 * 3));
  const nlohmann::json facts = problem->describe();
  EXPECT_EQ(facts["taxa"], 4);
  EXPECT_EQ(facts["edges"], 5);
  EXPECT_EQ(facts["query_count"], 4);
  EXPECT_EQ(facts["queries_aligned"], 2);
  EXPECT_EQ(facts["mean_query_bases"], 6.5);
  EXPECT_GT(facts["cgap_share"], 0);
  EXPECT_THAT(problem->notes(),
              ElementsAre("warning: 1 of 4 queries are not aligned: they have no base",
                          "warning: 1 of 4 queries are not aligned: they have more bases than the 10 sites"));
  EXPECT_EQ(problem->cache_dir(), folder_.path() / "cache");
}

TEST_F(PaparaLoading, OtherProgramsReadTheGivenFiles) {
  const ProblemSpec spec = files();
  const auto given = load_problem(spec)->write_files(folder_.path());
  EXPECT_EQ(given.size(), 3u);
  for (const auto& [role, file] : given) EXPECT_EQ(file, spec.files.at(role + "_file"));
}

TEST_F(PaparaLoading, EvolvedDataAreNoFiles) {
  EXPECT_THROW(load_problem(evolved({}))->write_files(folder_.path()), ResourceError);
}

TEST_F(PaparaLoading, TakesSoManyReferencesAndQueriesFromTheStart) {
  const auto problem =
      load_problem(files({{"references", std::int64_t{2}}, {"query_count", std::int64_t{1}}}));
  EXPECT_EQ(problem->references().count, 2u);
  EXPECT_EQ(problem->queries().names.size(), 1u);
  EXPECT_THAT(problem->notes(), ElementsAre("the first 2 of 5 edges"));
  const auto all = load_problem(files());
  for (u32 reference = 0; reference < 2; ++reference)
    EXPECT_TRUE(std::ranges::equal(problem->references().row(reference).plane(0),
                                   all->references().row(reference).plane(0)));
}

TEST_F(PaparaLoading, EvolvedReadsMayBeTakenFromAnAlignmentOfAFile) {
  const auto problem = load_problem(files({{"queries", "evolved"s},
                                           {"query_count", std::int64_t{7}},
                                           {"shortest_query", std::int64_t{2}},
                                           {"longest_query", std::int64_t{10}}}));
  EXPECT_EQ(problem->queries().count(), 7u);
  expect_text(error(files({{"queries", "evolved"s}, {"longest_query", std::int64_t{200}}})));
}

TEST_F(PaparaLoading, EvolvesSixtyFourEdgesAndAHundredQueriesUnlessToldOtherwise) {
  const auto problem = load_problem(evolved({}));
  EXPECT_EQ(problem->references().count, 64u);
  EXPECT_EQ(problem->references().sites, 1000u);
  EXPECT_EQ(problem->queries().count(), 100u);
  EXPECT_EQ(problem->queries().longest, 100u);
  for (const auto& [penalty, cost] : std::map<std::string, i32>{
           {"mismatch", 3}, {"cgap", 3}, {"gap_open", 4}, {"gap_extend", 1}, {"insertion", 3}})
    EXPECT_EQ(problem->describe()[penalty], cost) << penalty;
  EXPECT_THAT(problem->notes(), IsEmpty());
  const auto other = load_problem(evolved({{"references", std::int64_t{320}}, {"sites", std::int64_t{500}}}));
  EXPECT_EQ(other->references().count, 320u);
  EXPECT_EQ(other->references().sites, 500u);
}

TEST_F(PaparaLoading, TheSeedAndThePenaltiesMakeTheProblem) {
  const std::string hash = load_problem(evolved({}))->hash();
  EXPECT_EQ(load_problem(evolved({}))->hash(), hash);
  EXPECT_NE(load_problem(evolved({}, 2))->hash(), hash);
  const auto dear = load_problem(evolved({{"insertion", std::int64_t{9}}}));
  EXPECT_NE(dear->hash(), hash);
  EXPECT_EQ(dear->penalties().insertion, 9);
}

TEST_F(PaparaLoading, AnAlignmentAndATreeComeTogether) {
  expect_text(error(files({{"tree", "evolved"s}})));
  expect_text(error(files({{"alignment", "evolved"s}})));
  expect_text(error(files({{"alignment", "nothing"s}})));
}

TEST_F(PaparaLoading, RefusesPenaltiesAndLengthsThatMakeNoSense) {
  expect_text(error(evolved({{"gap_open", std::int64_t{1}}, {"gap_extend", std::int64_t{2}}})));
  expect_text(error(evolved({{"shortest_query", std::int64_t{101}}})));
  expect_text(error(evolved({{"longest_query", std::int64_t{1001}}})));
  expect_text(error(evolved({{"mismatch", std::int64_t{101}}})));
}

TEST_F(PaparaLoading, RefusesWhatTheMachineOrThirtyTwoBitsCannotHold) {
  EXPECT_THROW(
      load_problem(evolved({{"references", std::int64_t{1} << 28}, {"sites", std::int64_t{100'000'000}}})),
      DoesNotFit);
  EXPECT_THROW(load_problem(evolved({{"query_count", std::int64_t{1} << 31},
                                     {"sites", std::int64_t{1'000'000}},
                                     {"longest_query", std::int64_t{1'000'000}},
                                     {"references", std::int64_t{2}}})),
               DoesNotFit);
  expect_text(error(evolved({{"references", std::int64_t{1}},
                             {"query_count", std::int64_t{1}},
                             {"sites", std::int64_t{3'000'000}},
                             {"shortest_query", std::int64_t{3'000'000}},
                             {"longest_query", std::int64_t{3'000'000}},
                             {"mismatch", std::int64_t{100}},
                             {"cgap", std::int64_t{100}}})));
}

TEST_F(PaparaLoading, NamesTheFileAndThePlaceOfWhatIsWrong) {
  expect_text(error(files({{"references", std::int64_t{6}}})));
  tree_ = "((a,b),c,e);";
  expect_text(error(files()));
  tree_ = "((a,b),c);";
  expect_text(error(files()));
  tree_ = "((a,b),c,a);";
  expect_text(error(files()));
  alignment_ = ">a\nAC\n>b\nA\n";
  expect_text(error(files()));
  alignment_ = ">a\nAC\n>a\nAC\n";
  expect_text(error(files()));
}

TEST(PaparaLoad, AminoAcidsAreAProblemOfTheirOwn) {
  const auto loaded = [](const char* alphabet) {
    return load_problem({.point = {{"alphabet", std::string(alphabet)},
                                   {"references", 40},
                                   {"sites", 200},
                                   {"query_count", 10},
                                   {"shortest_query", 30},
                                   {"longest_query", 60}},
                         .files = {},
                         .seed = 3,
                         .cache_dir = {},
                         .threads = 2});
  };
  const auto bases = loaded("dna"), residues = loaded("protein");
  EXPECT_NE(bases->hash(), residues->hash());
  EXPECT_EQ(residues->describe().at("alphabet"), "protein");
  EXPECT_EQ(residues->references().codes.size(), 40u * 200 * 3);
  const double cgap = residues->describe().at("cgap_share");
  EXPECT_GT(cgap, 0.05);
  EXPECT_LT(cgap, 0.4);
  const Point problem = problem_space().complete({{"alphabet", std::string("protein")}, {"references", 40}});
  EXPECT_EQ(residues->label(problem), "10 queries of 100 residues x 40 references of 200 sites");
}

}  // namespace
}  // namespace gpuseq::papara
