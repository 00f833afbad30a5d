#include "kernels/profile_hmm/problem.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "kernels/profile_hmm/checked_sequences.hpp"
#include "kernels/profile_hmm/data/generator.hpp"
#include "kernels/profile_hmm/oracle.hpp"
#include "kernels/profile_hmm/problem_state.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/profile_hmm/small_profiles.hpp"
#include "tests/kernels/profile_hmm/unusual_models.hpp"

namespace gpuseq::profile_hmm {
namespace {

using ::testing::IsEmpty;

constexpr std::array kFilters{Filter::ssv, Filter::msv, Filter::viterbi};

std::shared_ptr<Sequences> sequences(const std::vector<u32>& lengths, u64 seed = 2) {
  Random random(seed);
  auto result = std::make_shared<Sequences>();
  for (const u32 length : lengths)
    result->append(fmt::format("s{}", result->count() + 1), testing::random_codes(length, random));
  return result;
}

std::unique_ptr<FilterProblem> small_problem(Filter filter = Filter::ssv, u64 seed = 1) {
  return make_problem(random_model(12, seed), sequences({5, 0, 40, 1}), filter);
}

/// Answers with the oracle's scores, or with those that a test puts in their place.
class AnsweringSession : public FilterSession {
 public:
  explicit AnsweringSession(FilterProblem& problem) : FilterSession(problem) {
    for (u64 i = 0; i < problem.sequences().count(); ++i)
      answers.push_back(oracle_score(problem.profile(), problem.filter(), problem.sequences().row(i)));
  }
  void launch() override {}
  std::vector<RawScore> scores() override { return answers; }
  HeldMemory held() const override { return {}; }
  std::optional<Instructions> instructions() const override { return std::nullopt; }
  std::vector<RawScore> answers;
};

TEST(ProfileHmmProblem, TheWorkIsStatesTimesResidues) {
  const auto problem = small_problem();
  EXPECT_EQ(problem->cells(), 12 * 46);
  const AnsweringSession session(*problem);
  EXPECT_EQ(session.work().amount, problem->cells());
  EXPECT_EQ(session.work().unit, "cells");
  EXPECT_EQ(session.cost().work.amount, problem->cells());
  EXPECT_FALSE(session.cost().why_no_bound.empty());
}

TEST(ProfileHmmProblem, ASessionIsHeldToTheOracleAndTheFirstDifferenceIsNamed) {
  for (const Filter filter : kFilters) {
    const auto problem = small_problem(filter);
    AnsweringSession session(*problem);
    EXPECT_TRUE(session.verify().passed);
    EXPECT_EQ(session.verify().checked, 4u);
    session.answers[2] = kOverflow;
    const Verification wrong = session.verify();
    EXPECT_FALSE(wrong.passed);
    expect_text(wrong.reason);
    session.answers.pop_back();
    expect_text(session.verify().reason);
  }
}

TEST(ProfileHmmProblem, SequencesWithoutResiduesAreCountedInANote) {
  const auto problem = small_problem();
  EXPECT_THAT(problem->notes(),
              ::testing::ElementsAre("warning: 1 of 4 sequences have no residues and get no score"));
  EXPECT_EQ(problem->describe()["sequences_without_residues"], 1);
  EXPECT_EQ(problem->describe()["longest_residues"], 40);
  EXPECT_EQ(problem->describe()["residues"], 46);
  AnsweringSession session(*problem);
  session.answers[1] = 128;
  expect_text(session.verify().reason);
}

TEST(ProfileHmmProblem, WithoutSequencesThereIsNoWork) {
  const auto problem = make_problem(random_model(3, 1), std::make_shared<Sequences>(), Filter::msv);
  EXPECT_EQ(problem->cells(), 0);
  EXPECT_THAT(problem->checked(), IsEmpty());
  EXPECT_TRUE(AnsweringSession(*problem).verify().passed);
}

TEST(ProfileHmmProblem, TheHashFollowsModelFilterAndSequences) {
  std::set<std::string> hashes{small_problem()->hash(), small_problem()->hash()};
  EXPECT_EQ(hashes.size(), 1u);
  hashes.insert(small_problem(Filter::msv)->hash());
  hashes.insert(small_problem(Filter::ssv, 2)->hash());
  hashes.insert(make_problem(random_model(12, 1), sequences({5, 0, 40, 1}, 9), Filter::ssv)->hash());
  hashes.insert(make_problem(random_model(12, 1), sequences({5, 0, 41}), Filter::ssv)->hash());
  EXPECT_EQ(hashes.size(), 5u);
}

TEST(ProfileHmmProblem, RefusesWhatNoFilterTakes) {
  auto wrong = sequences({5});
  wrong->codes[3] = kResidueCodes;
  EXPECT_THROW(make_problem(random_model(3, 1), wrong, Filter::ssv), UsageError);
  EXPECT_THROW(make_problem(random_model(3, 1), sequences({kMostResidues + 1}), Filter::ssv), UsageError);
  EXPECT_NO_THROW(make_problem(random_model(3, 1), sequences({kMostResidues}), Filter::ssv));
}

TEST(ProfileHmmProblem, RefusesForViterbiAModelThatHmmersTestOfDeletionsGoesWrongFor) {
  Model model = testing::wrapped_model();
  model.file = "some.hmm";
  model.line = 7;
  ASSERT_TRUE(delete_bound_is_low(make_profile(model)));
  EXPECT_NO_THROW(make_problem(model, sequences({5}), Filter::msv));
  try {
    make_problem(model, sequences({5}), Filter::viterbi);
    FAIL();
  } catch (const UsageError& error) {
    expect_text(error.what());
  }
}

TEST(ProfileHmmChecked, AreAllOfASmallProblem) {
  const auto some = sequences({3, 4, 5});
  EXPECT_EQ(choose_sequences(*some, 10, 1e6), (std::vector<u64>{0, 1, 2}));
  EXPECT_EQ(choose_sequences(*some, 10, 0), (std::vector<u64>{0, 1, 2}));  // the fewest there may be
}

TEST(ProfileHmmChecked, AreSpreadOverLengthsOfALargeProblem) {
  std::vector<u32> lengths;
  for (u32 i = 0; i < 2000; ++i) lengths.push_back(1 + i * 37 % 500);
  lengths[77] = 3000;
  lengths[78] = 0;
  const auto many = sequences(lengths);
  const std::vector<u64> chosen = choose_sequences(*many, 100, 5e6);
  double cells = 0;
  std::set<u64> deciles;
  for (const u64 i : chosen) {
    cells += 100.0 * many->length(i);
    deciles.insert(std::min<u64>(many->length(i) / 50, 9));
  }
  EXPECT_GT(cells, 5e6);
  EXPECT_LT(cells, 6e6);
  EXPECT_EQ(deciles.size(), 10u);
  for (const u64 edge : {0u, 1999u, 77u, 78u}) EXPECT_TRUE(std::ranges::binary_search(chosen, edge)) << edge;
  EXPECT_EQ(chosen, choose_sequences(*many, 100, 5e6));
  EXPECT_EQ(choose_sequences(*many, 100, 0).size(), 16u);
}

TEST(ProfileHmmChecked, WhatASessionScoresHighestIsCheckedToo) {
  const auto some = sequences(std::vector<u32>(100, 10));
  std::vector<RawScore> scores(100, 130);
  scores[42] = kOverflow;
  scores[43] = 200;
  const auto highest = highest_scoring(*some, 10, scores, 1e9);
  ASSERT_EQ(highest.size(), 16u);
  EXPECT_EQ(highest[0], 42u);
  EXPECT_EQ(highest[1], 43u);
  EXPECT_EQ(highest_scoring(*some, 10, scores, 250).size(), 2u);
  EXPECT_THAT(highest_scoring(Sequences{}, 10, {}, 1e9), IsEmpty());
}

}  // namespace
}  // namespace gpuseq::profile_hmm
