#include "kernels/pairwise_distance/problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "kernels/pairwise_distance/checked_distances.hpp"
#include "kernels/pairwise_distance/oracle.hpp"
#include "kernels/pairwise_distance/problem_state.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/pairwise_distance/small_instances.hpp"

namespace gpuseq::pairwise_distance {
namespace {

using testing::brute_force;
using testing::GivenSession;
using ::testing::HasSubstr;
using testing::some_instances;

ProblemSpec spec(Point point, u64 seed = 3) {
  return {.point = std::move(point), .files = {}, .seed = seed, .cache_dir = {}, .threads = 2};
}

std::string error(Instances instances, Metric metric = Metric::hamming) {
  try {
    make_problem(std::move(instances), metric);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

Verification verify(DistanceProblem& problem, Distances distances) {
  return GivenSession(problem, std::move(distances)).verify();
}

TEST(PairwiseDistanceProblem, IsThePapersUnlessToldOtherwise) {
  const auto problem = load_problem(spec({}));
  EXPECT_EQ(problem->instances().count, 112u);
  EXPECT_EQ(problem->instances().attributes, 512u);
  EXPECT_EQ(problem->instances().alphabet, 3u);
  EXPECT_EQ(problem->metric(), Metric::hamming);
  EXPECT_FALSE(problem->instances().has_missing());
  EXPECT_EQ(problem->comparisons(), 112.0 * 112 * 512);
  EXPECT_EQ(problem->describe()["missing_values"], 0);
}

TEST(PairwiseDistanceProblem, RandomValuesAreUniformAndAsManyAreMissingAsAsked) {
  const Instances instances = some_instances(50, 4000, 5, 100);
  std::array<double, 5> seen{};
  for (u64 i = 0; i < instances.codes.size(); ++i)
    if (instances.missing[i] == 0) ++seen.at(instances.codes[i]);
  for (const double count : seen) EXPECT_NEAR(count, 180'000 / 5.0, 1000);
  EXPECT_NEAR(static_cast<double>(instances.missing_values()), 20'000, 800);
  EXPECT_EQ(some_instances(7, 9, 256).alphabet, 256u);
}

TEST(PairwiseDistanceProblem, TheSeedMakesTheDataAndTheHashIsOfTheDataAndTheMetric) {
  const auto hash = [](Point point, u64 seed) { return load_problem(spec(std::move(point), seed))->hash(); };
  const std::string first = hash({}, 3);
  EXPECT_EQ(first, hash({}, 3));
  EXPECT_EQ(first.size(), 16u);
  EXPECT_NE(first, hash({}, 4));
  EXPECT_NE(first, hash({{"metric", std::string("manhattan")}}, 3));
  EXPECT_NE(first, hash({{"alphabet", std::int64_t{2}}}, 3));
  EXPECT_NE(first, hash({{"missing", std::int64_t{1}}}, 3));
  Instances one = some_instances(4, 6);
  Instances wider = one;
  wider.alphabet = 4;
  EXPECT_NE(make_problem(one, Metric::hamming)->hash(), make_problem(wider, Metric::hamming)->hash());
  Instances turned = one;
  std::swap(turned.count, turned.attributes);
  turned.names.clear();
  EXPECT_NE(make_problem(one, Metric::hamming)->hash(), make_problem(turned, Metric::hamming)->hash());
}

TEST(PairwiseDistanceProblem, DataSetsOfASeedAreAlikeButForTheirValues) {
  std::set<std::string> hashes;
  for (std::int64_t data_set = 0; data_set < 25; ++data_set) {
    const auto problem = load_problem(spec({{"data_set", data_set}}));
    EXPECT_EQ(problem->instances().values(), 112u * 512);
    EXPECT_EQ(problem->describe()["data_set"], data_set);
    hashes.insert(problem->hash());
  }
  EXPECT_EQ(hashes.size(), 25u);
  EXPECT_NE(load_problem(spec({{"data_set", 1}}, 3))->hash(), load_problem(spec({}, 4))->hash());
}

TEST(PairwiseDistanceProblem, TheFirstDataSetIsThatOfRecordsWithoutTheAxis) {
  constexpr const char* kHash = "9e08df4f1bfecc5d";  // results/h200-pairwise-distance-paper, seed 1
  EXPECT_EQ(load_problem(spec({}, 1))->hash(), kHash);
  EXPECT_EQ(load_problem(spec({{"data_set", 0}}, 1))->hash(), kHash);
}

TEST(PairwiseDistanceProblem, LabelsNameADataSetOtherThanTheFirst) {
  const auto label = [](const Point& point) {
    const Point complete = problem_space().complete(point);
    return load_problem(spec(complete))->label(complete);
  };
  EXPECT_EQ(label({}), "112 instances x 512 attributes");
  EXPECT_EQ(label({{"data_set", 7}}), "112 instances x 512 attributes, data set 7");
}

TEST(PairwiseDistanceProblem, WhatIsMissingHasOneForm) {
  Instances marked = some_instances(3, 5);
  Instances unmarked = marked;
  marked.missing.assign(15, 0);
  EXPECT_EQ(make_problem(marked, Metric::hamming)->hash(), make_problem(unmarked, Metric::hamming)->hash());
  marked.missing[4] = 200;
  marked.codes[4] = 2;
  const auto problem = make_problem(marked, Metric::hamming);
  EXPECT_EQ(problem->instances().codes[4], 0);
  EXPECT_EQ(problem->instances().missing[4], 1);
  expect_text(problem->notes().at(0));
}

TEST(PairwiseDistanceProblem, RefusesWhatIsNoProblem) {
  expect_text(error({.count = 0, .attributes = 3}));
  expect_text(error({.count = 3, .attributes = 0}));
  expect_text(error({.count = 1, .attributes = 2, .codes = {0}}));
  expect_text(error({.count = 2, .attributes = 2, .codes = {0, 1, 2, 3}}));
  expect_text(error(some_instances(2, 3, 257)));
  expect_text(error(some_instances(2, 3, 4), Metric::ibs));
  EXPECT_EQ(error(some_instances(2, 3, 3), Metric::ibs), "");
}

TEST(PairwiseDistanceProblem, RefusesSumsThatWouldLeave32Bits) {
  constexpr u64 kMost = 66051;  // 2^32 / 255^2
  EXPECT_EQ(error(some_instances(1, kMost, 256), Metric::squared_euclidean), "");
  expect_text(error(some_instances(1, kMost + 1, 256), Metric::squared_euclidean));
  EXPECT_EQ(error(some_instances(1, kMost + 1, 256), Metric::manhattan), "");
}

TEST(PairwiseDistanceProblem, RealValuesAreForTheEuclideanMetricAlone) {
  const auto problem = load_problem(spec({{"metric", std::string("euclidean")}, {"missing", 10}}));
  EXPECT_TRUE(problem->instances().is_real());
  EXPECT_EQ(problem->instances().reals.size(), 112u * 512);
  EXPECT_GT(problem->instances().missing_values(), 0u);
  EXPECT_NE(problem->hash(), load_problem(spec({{"metric", std::string("euclidean")}}))->hash());
  expect_text(error(testing::some_reals(2, 3), Metric::hamming));
  Instances far = testing::some_reals(2, 3);
  far.reals[4] = 1e19f;
  expect_text(error(far, Metric::euclidean));
  expect_text(error(some_instances(2, 3), Metric::euclidean));
}

TEST(PairwiseDistanceSession, HoldsRealDistancesToTheBound) {
  const auto problem = make_problem(testing::some_reals(5, 90), Metric::euclidean);
  const auto exact = testing::euclidean_distances(problem->instances());
  Distances found{.count = 5};
  for (const long double distance : exact)
    found.sum.push_back(std::bit_cast<u32>(static_cast<float>(distance)));
  EXPECT_TRUE(verify(*problem, found).passed) << verify(*problem, found).reason;
  const float far = found.real_at(1, 3) * (1 + 4e-6f);
  found.sum[1 * 5 + 3] = found.sum[3 * 5 + 1] = std::bit_cast<u32>(far);
  expect_text(verify(*problem, found).reason);
  found.sum[1 * 5 + 3] = found.sum[3 * 5 + 1] = std::bit_cast<u32>(std::nanf(""));
  EXPECT_FALSE(verify(*problem, found).passed);
  const Verification answers =
      problem->check({{"2,4", static_cast<double>(exact[8])}, {"1,2", 2 * static_cast<double>(exact[1])}});
  expect_text(answers.reason);
}

TEST(PairwiseDistanceProblem, RefusesMoreThanMemoryHolds) {
  EXPECT_THROW(load_problem(spec(
                   {{"instance_count", std::int64_t{1} << 24}, {"attribute_count", std::int64_t{1} << 31}})),
               DoesNotFit);
}

TEST(PairwiseDistanceSession, AcceptsTheRightDistancesOfEveryMetric) {
  for (const u32 missing : {0u, 100u, 1000u})
    for (const Metric metric : {Metric::hamming, Metric::manhattan, Metric::squared_euclidean, Metric::ibs}) {
      const auto problem = make_problem(some_instances(67, 33, 3, missing), metric);
      const Verification result = verify(*problem, brute_force(problem->instances(), metric));
      EXPECT_TRUE(result.passed) << result.reason;
      EXPECT_EQ(result.checked, 67u * 67u);
    }
}

TEST(PairwiseDistanceSession, FindsEveryWrongEntry) {
  const auto problem = make_problem(some_instances(9, 33, 3, 100), Metric::hamming);
  const Distances right = brute_force(problem->instances(), Metric::hamming);
  for (u64 i = 0; i < right.sum.size(); ++i) {
    Distances wrong = right;
    ++wrong.sum[i];
    EXPECT_THAT(verify(*problem, wrong).reason, HasSubstr("expected the distance"));
    wrong = right;
    --wrong.compared[i];
    EXPECT_THAT(verify(*problem, wrong).reason, HasSubstr("attributes compared, found"));
  }
  expect_text(verify(*problem, {.count = 9, .sum = right.sum}).reason);
  expect_text(verify(*problem, {.count = 3, .sum = {1, 2, 3}}).reason);
}

/// So many instances that the oracle takes only some. All values of one are the same, so that all distances
/// are known.
class PairwiseDistanceLargeProblem : public ::testing::Test {
 protected:
  static constexpr u64 kCount = 3000, kAttributes = 500;

  static void SetUpTestSuite() {
    Instances instances{.count = kCount, .attributes = kAttributes, .alphabet = 3};
    for (u64 i = 0; i < kCount; ++i) instances.codes.resize((i + 1) * kAttributes, static_cast<u8>(i % 3));
    problem_ = make_problem(std::move(instances), Metric::hamming);
  }
  static void TearDownTestSuite() { problem_.reset(); }
  static u32 distance(u64 a, u64 b) { return a % 3 == b % 3 ? 0 : kAttributes; }

  static inline std::unique_ptr<DistanceProblem> problem_;
};

TEST_F(PairwiseDistanceLargeProblem, TheFirstTheLastAndSomeRowsAndPairsAreChecked) {
  const auto rows = problem_->checked_rows();
  EXPECT_EQ(rows.front(), 0u);
  EXPECT_EQ(rows.back(), kCount - 1);
  EXPECT_GE(rows.size(), 8u);
  EXPECT_LT(rows.size(), kCount);
  EXPECT_TRUE(std::ranges::is_sorted(rows));
  ASSERT_EQ(problem_->expected_sums().size(), rows.size() * kCount);
  EXPECT_TRUE(problem_->expected_compared().empty());
  for (u64 i = 0; i < rows.size(); ++i)
    for (u64 b = 0; b < kCount; b += 7)
      ASSERT_EQ(problem_->expected_sums()[i * kCount + b], distance(rows[i], b));
  EXPECT_GT(choose_pairs(problem_->instances()).size(), 1000u);
}

TEST_F(PairwiseDistanceLargeProblem, WhatIsWrongOutsideTheRowsIsFoundWhereItIsAsymmetric) {
  Distances distances{.count = kCount};
  for (u64 i = 0; i < kCount * kCount; ++i) distances.sum.push_back(distance(i / kCount, i % kCount));
  EXPECT_TRUE(verify(*problem_, distances).passed);
  const std::set<u64> rows(problem_->checked_rows().begin(), problem_->checked_rows().end());
  u64 a = 100, b = 2000;
  while (rows.contains(a)) ++a;
  while (rows.contains(b)) ++b;
  Distances wrong = distances;
  ++wrong.sum[b * kCount + a];
  expect_text(verify(*problem_, wrong).reason);
}

TEST_F(PairwiseDistanceLargeProblem, AWrongTileThatNoRowCrossesIsFoundByThePairs) {
  const std::set<u64> rows(problem_->checked_rows().begin(), problem_->checked_rows().end());
  Distances wrong{.count = kCount};
  for (u64 i = 0; i < kCount * kCount; ++i) wrong.sum.push_back(distance(i / kCount, i % kCount));
  for (u64 a = 1000; a < 1128; ++a)
    for (u64 b = 2000; b < 2128; ++b)
      if (!rows.contains(a) && !rows.contains(b)) ++wrong.sum[a * kCount + b], ++wrong.sum[b * kCount + a];
  expect_text(verify(*problem_, wrong).reason);
}

TEST(PairwiseDistanceProblem, AnswersOfOtherProgramsAreHeldToTheOracle) {
  const auto problem = make_problem(some_instances(5, 40), Metric::manhattan);
  const auto expected = static_cast<double>(oracle_pair(problem->instances(), Metric::manhattan, 0, 3).sum);
  EXPECT_EQ(problem->check({{"1,4", expected}, {"x", 1}}).checked, 1u);
  EXPECT_TRUE(problem->check({{"1,4", expected}}).passed);
  expect_text(problem->check({{"1,4", expected + 1}}).reason);
  EXPECT_EQ(problem->check({{"1,6", 0}, {"0,1", 0}, {"1", 0}, {"1,2 ", 0}}).checked, 0u);
}

}  // namespace
}  // namespace gpuseq::pairwise_distance
