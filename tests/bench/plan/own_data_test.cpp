#include "bench/plan/own_data.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "bench/plan/plan.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

SuiteConfig config_of(const char* families, const char* data = "{}") {
  return config_from_json(
      {{"name", "own"}, {"devices", "cpu"}, {"data", json::parse(data)}, {"families", json::parse(families)}},
      "own.json", "/configs");
}

/// Problems of a family that the CPU is planned for, each once.
std::vector<std::string> problems_of(const SuiteConfig& config, std::string_view family) {
  const std::vector<DeviceInfo> cpu{{.id = "cpu", .kind = DeviceKind::cpu, .free_bytes = 1 << 30}};
  const Registry registry = make_registry();
  const Sweep sweep = plan(config, registry, cpu);
  std::vector<std::string> problems;
  std::set<std::string> seen;
  for (const State& state : sweep.kernels)
    if (state.key.family == family && seen.insert(state.key.problem.to_string()).second)
      problems.push_back(state.key.problem.to_string());
  return problems;
}

constexpr const char* kFamilies = R"({
  "fm_index": {"problems": [{"reference": ["random", "synthetic"], "reference_bases": [1000000, 2000000],
                             "query_count": 500, "query_bases": [50, 100]}, {"reference": "old"}],
               "variants": {"scalar": {}}},
  "exact_match": {"problems": [{"reference": "old", "query_count": 7, "min_length": [20, 30]}],
                  "variants": {"tree": {}}},
  "profile_hmm": {"problems": [{"model_length": 40, "sequence_count": 10}], "variants": {"scalar": {}}}})";
constexpr const char* kData =
    R"({"old": {"path": "/old.fa", "package": "none-has-it"}, "spare": {"path": "/spare.fa"}})";

TEST(OwnData, TakesThePlaceOfWhatEveryFamilyWithItsRoleHasAndWhatIsAlikeThenIsOne) {
  const Registry registry = make_registry();
  const std::vector<std::string> given{"reference=/data/x.fa", "queries=/data/y.fq"};
  const SuiteConfig config = with_own_data(config_of(kFamilies, kData), given, registry);
  EXPECT_THAT(problems_of(config, "fm_index"),
              ElementsAre("reference=x.fa,reference_bases=0,queries=y.fq,query_count=0,query_bases=100,"
                          "occurring_percent=100,kmer_bases=0,query_order=as_given,strains=1,"
                          "mutations_per_1000=10,shortest_query_bases=0,n_percent=0"));
  const auto exact = problems_of(config, "exact_match");
  ASSERT_EQ(exact.size(), 2u);  // the axes that are asked of the data stay
  EXPECT_THAT(exact[0],
              AllOf(HasSubstr("reference=x.fa"), HasSubstr("query_count=0"), HasSubstr("min_length=20")));
  EXPECT_EQ(problems_of(config, "profile_hmm"), problems_of(config_of(kFamilies, kData), "profile_hmm"));
  EXPECT_EQ(config.data.at("x.fa").path, "/data/x.fa");
  EXPECT_EQ(config.data.at("y.fq").path, "/data/y.fq");
}

TEST(OwnData, OfOneRoleLeavesTheOther) {
  const std::vector<std::string> given{"queries=/data/y.fq"};
  const SuiteConfig config = with_own_data(config_of(kFamilies, kData), given, make_registry());
  const auto problems = problems_of(config, "fm_index");
  ASSERT_EQ(problems.size(), 5u);  // two references of two sizes, and the old one
  EXPECT_THAT(problems[0], HasSubstr("reference=random,reference_bases=1000000,queries=y.fq"));
}

TEST(OwnData, ArePartOfTheConfigAndReplaceTheEntriesThatNobodyNamesAnyMore) {
  const std::vector<std::string> given{"reference=/data/x.fa"};
  const SuiteConfig before = config_of(kFamilies, kData);
  const SuiteConfig config = with_own_data(before, given, make_registry());
  EXPECT_FALSE(config.data.contains("old"));  // whose file need not be there then
  EXPECT_TRUE(config.data.contains("spare"));
  EXPECT_NE(config.hash(), before.hash());
  EXPECT_EQ(config_from_json(config.document, "run.json", "/elsewhere").hash(), config.hash());
  EXPECT_EQ(with_own_data(before, {}, make_registry()).hash(), before.hash());
}

TEST(OwnData, HaveNamesThatNothingElseHas) {
  const std::vector<std::string> given{"reference=/data/spare.fa", "queries=/data/12"};
  const SuiteConfig config = with_own_data(
      config_of(kFamilies, R"({"old": {"path": "/old.fa"}, "spare.fa": {"path": "/spare.fa"}})"), given,
      make_registry());
  EXPECT_EQ(config.data.at("spare.fa").path, "/spare.fa");
  EXPECT_EQ(config.data.at("reference-spare.fa").path, "/data/spare.fa");
  EXPECT_EQ(config.data.at("queries-12").path, "/data/12");
  const std::vector<std::string> blanks{"reference=/data/my genome, v=2.fa"};
  EXPECT_TRUE(
      with_own_data(config_of(kFamilies, kData), blanks, make_registry()).data.contains("my_genome__v_2.fa"));
}

TEST(OwnData, RefusesARoleThatNoFamilyHasNamingThoseThereAre) {
  const auto refuse = [](std::vector<std::string> given) {
    with_own_data(config_of(kFamilies, kData), given, make_registry());
  };
  expect_error_text([&] { refuse({"reads=/y.fq"}); });
  expect_error_text([&] { refuse({"tree=/y.nwk"}); });
  expect_error_text([&] { refuse({"reference"}); });
  expect_error_text([&] { refuse({"reference=a", "reference=b"}); });
}

TEST(OwnData, HaveRelativePathsFromWhereTheProgramIsStarted) {
  const std::vector<std::string> given{"reference=x.fa"};
  const SuiteConfig config = with_own_data(config_of(kFamilies, kData), given, make_registry());
  EXPECT_EQ(config.data.at("x.fa").path, std::filesystem::current_path() / "x.fa");
}

}  // namespace
}  // namespace gpuseq::bench
