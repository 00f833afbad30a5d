#include "kernels/papara/problem.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "kernels/papara/checked_pairs.hpp"
#include "kernels/papara/oracle.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/papara/codes.hpp"

namespace gpuseq::papara {
namespace {

References references(u32 count, u32 sites, u64 seed = 1) {
  Random random(seed);
  return {.count = count, .sites = sites, .codes = testing::random_sites(u64{count} * sites, random)};
}

/// As many queries as lengths, named q0, q1 ...
Queries queries(const std::vector<u32>& lengths, u64 seed = 2) {
  Random random(seed);
  Queries result;
  for (const u32 bases : lengths) {
    const auto codes = testing::random_bases(bases, random);
    result.source.push_back(result.count());
    result.names.push_back(fmt::format("q{}", result.count()));
    result.begin.push_back(result.codes.size());
    result.bases.push_back(bases);
    result.codes.insert(result.codes.end(), codes.begin(), codes.end());
    result.longest = std::max(result.longest, bases);
  }
  return result;
}

/// Answers with the oracle's scores, or with those that a test puts in their place.
class AnsweringSession : public ScoringSession {
 public:
  using ScoringSession::ScoringSession;
  void launch() override {}
  const std::vector<i32>& scores() override { return answers; }
  HeldMemory held() const override { return {}; }
  std::optional<Instructions> instructions() const override { return std::nullopt; }
  std::vector<i32> answers;
};

std::vector<i32> oracle_scores(const PaparaProblem& problem) {
  std::vector<i32> scores;
  for (u32 query = 0; query < problem.queries().count(); ++query)
    for (u32 reference = 0; reference < problem.references().count; ++reference)
      scores.push_back(oracle_score(problem.references().row(reference), problem.queries().row(query),
                                    problem.penalties()));
  return scores;
}

std::string make_error(References of_references, Queries of_queries, const Penalties& penalties = {}) {
  try {
    make_problem(std::move(of_references), std::move(of_queries), penalties);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(PaparaProblem, CountsTheCellsOfTheBandOfEveryPair) {
  const auto problem = make_problem(references(3, 10), queries({1, 4, 10}));
  EXPECT_EQ(problem->cells(), 3 * (1 * 10 + 4 * 7 + 10 * 1));
  const AnsweringSession session(*problem);
  EXPECT_EQ(session.work().amount, problem->cells());
  EXPECT_EQ(session.work().unit, "cells");
  EXPECT_EQ(session.cost().work.amount, problem->cells());
  EXPECT_FALSE(session.cost().why_no_bound.empty());
}

TEST(PaparaProblem, ChecksAllPairsOfASmallProblem) {
  const auto problem = make_problem(references(5, 30), queries({1, 7, 30, 12}));
  EXPECT_EQ(problem->checked().size(), 20u);
  const std::vector<i32> expected(problem->expected().begin(), problem->expected().end());
  EXPECT_EQ(expected, oracle_scores(*problem));
}

TEST(PaparaProblem, ASessionIsHeldToTheOracleAndTheFirstDifferenceIsNamed) {
  const auto problem = make_problem(references(3, 20), queries({5, 9}));
  AnsweringSession session(*problem);
  session.answers = oracle_scores(*problem);
  EXPECT_TRUE(session.verify().passed);
  EXPECT_EQ(session.verify().checked, 6u);
  const i32 right = session.answers[4]--;
  EXPECT_FALSE(session.verify().passed);
  EXPECT_EQ(session.verify().reason,
            fmt::format("query q1 (9 bases), edge 1: expected {}, found {}", right, right - 1));
  session.answers.pop_back();
  EXPECT_FALSE(session.verify().passed);
  expect_text(session.verify().reason);
}

TEST(PaparaProblem, WithoutQueriesOrReferencesThereIsNoWorkAndNothingToCheck) {
  const auto none = make_problem({}, {});
  EXPECT_EQ(none->cells(), 0);
  EXPECT_TRUE(none->checked().empty());
  EXPECT_TRUE(AnsweringSession(*none).verify().passed);
  EXPECT_TRUE(make_problem(references(3, 20), {})->checked().empty());
  EXPECT_TRUE(make_problem({.count = 0, .sites = 20, .codes = {}}, queries({5}))->checked().empty());
}

TEST(PaparaProblem, TheHashFollowsReferencesQueriesAndPenalties) {
  std::set<std::string> hashes;
  hashes.insert(make_problem(references(3, 20), queries({5, 9}))->hash());
  hashes.insert(make_problem(references(3, 20), queries({5, 9}))->hash());
  EXPECT_EQ(hashes.size(), 1u);
  hashes.insert(make_problem(references(3, 20, 7), queries({5, 9}))->hash());
  hashes.insert(make_problem(references(3, 20), queries({5, 9}, 7))->hash());
  hashes.insert(make_problem(references(3, 20), queries({5, 9}), {.mismatch = 4})->hash());
  EXPECT_EQ(hashes.size(), 4u);
}

TEST(PaparaProblem, RefusesDataThatDoNotAgree) {
  expect_text(make_error({.count = 2, .sites = 20, .codes = std::vector<u8>(39)}, {}));
  expect_text(make_error({.count = 1, .sites = 1, .codes = {32}}, {}));
  expect_text(make_error(references(1, 20), queries({21})));
  expect_text(make_error(references(1, 20), queries({0})));
  expect_text(make_error({}, {}, {.gap_open = 1, .gap_extend = 2}));
  expect_text(make_error({}, {}, {.insertion = -1}));
}

struct Spread {
  std::vector<Pair> pairs;
  double cells = 0;
  std::set<u32> queries, lanes;
};

Spread spread(const References& of_references, const Queries& of_queries, double most_cells) {
  Spread result{
      .pairs = choose_pairs(of_references, of_queries, most_cells), .cells = 0, .queries = {}, .lanes = {}};
  for (const Pair& pair : result.pairs) {
    result.cells += static_cast<double>(band_cells(of_references.sites, of_queries.bases[pair.query]));
    result.queries.insert(pair.query);
    result.lanes.insert(pair.reference % 64);
  }
  return result;
}

TEST(PaparaCheckedPairs, SpreadOverLengthsAndLanesOfALargeProblem) {
  std::vector<u32> lengths;
  for (u32 i = 0; i < 500; ++i) lengths.push_back(1 + i * 37 % 200);
  const References of_references = references(300, 400);
  const Queries of_queries = queries(lengths);
  const Spread found = spread(of_references, of_queries, 5e6);
  EXPECT_GT(found.cells, 5e6);
  EXPECT_LT(found.cells, 6e6);
  EXPECT_EQ(found.lanes.size(), 64u);
  EXPECT_GT(found.queries.size(), 100u);
  std::set<u32> deciles;
  for (const u32 query : found.queries) deciles.insert((lengths[query] - 1) / 20);
  EXPECT_EQ(deciles.size(), 10u);
  const auto has = [&](u32 query, u32 reference) {
    return std::any_of(found.pairs.begin(), found.pairs.end(),
                       [&](const Pair& p) { return p.query == query && p.reference == reference; });
  };
  EXPECT_TRUE(has(0, 0) && has(0, 299) && has(499, 0) && has(499, 299));
}

TEST(PaparaCheckedPairs, AreAtLeastSixteenHoweverLongTheyAre) {
  const Spread found = spread(references(40, 1000), queries({100, 100, 100, 100}), 10);
  EXPECT_EQ(found.pairs.size(), 16u);
  EXPECT_EQ(spread(references(5, 1000), queries({100, 100}), 10).pairs.size(), 10u);  // that is all of them
}

TEST(PaparaCheckedPairs, AreTheSameEachTime) {
  const auto pairs = [] { return choose_pairs(references(100, 200), queries({100, 50, 70, 3}), 1e5); };
  const auto first = pairs(), second = pairs();
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].query, second[i].query);
    EXPECT_EQ(first[i].reference, second[i].reference);
  }
}

}  // namespace
}  // namespace gpuseq::papara
