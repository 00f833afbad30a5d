#include "kernels/profile_hmm/problem.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "kernels/profile_hmm/checked_passes.hpp"
#include "kernels/profile_hmm/checked_sequences.hpp"
#include "kernels/profile_hmm/generator.hpp"
#include "kernels/profile_hmm/oracle.hpp"
#include "kernels/profile_hmm/problem_state.hpp"
#include "runtime/errors.hpp"
#include "tests/kernels/profile_hmm/small_profiles.hpp"
#include "tests/kernels/profile_hmm/unusual_models.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::profile_hmm {
namespace {

using namespace std::string_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
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

/// Answers with the oracle's scores, or with what a test puts in their place.
class AnsweringSession : public FilterSession {
 public:
  explicit AnsweringSession(FilterProblem& problem) : FilterSession(problem) {
    for (u64 i = 0; i < problem.sequences().count(); ++i)
      answers.push_back(oracle_score(problem.profile(), problem.filter(), problem.sequences().row(i)));
  }
  void launch() override {}
  std::vector<RawScore> scores() override { return answers; }
  std::vector<RawScore> answers;
};

TEST(ProfileHmmProblem, TheWorkIsStatesTimesResidues) {
  const auto problem = small_problem();
  EXPECT_EQ(problem->cells(), 12 * 46);
  const AnsweringSession session(*problem);
  EXPECT_EQ(session.work().amount, problem->cells());
  EXPECT_EQ(session.work().unit, "cells");
}

TEST(ProfileHmmProblem, ASessionIsHeldToTheOracleAndTheFirstDifferenceIsNamed) {
  for (const Filter filter : kFilters) {
    const auto problem = small_problem(filter);
    AnsweringSession session(*problem);
    EXPECT_TRUE(session.verify().passed);
    EXPECT_EQ(session.verify().checked, 4u);
    const RawScore right = session.answers[2];
    session.answers[2] = kOverflow;
    const Verification wrong = session.verify();
    EXPECT_FALSE(wrong.passed);
    EXPECT_THAT(wrong.reason, AllOf(HasSubstr("sequence 3 (s3, 40 residues)"), HasSubstr("of 12 states"),
                                    HasSubstr(kFilterNames[static_cast<u32>(filter)]),
                                    HasSubstr(fmt::format("expected {}, found an overflow", right))));
    session.answers.pop_back();
    EXPECT_THAT(session.verify().reason, HasSubstr("3 scores of 4 sequences"));
  }
}

TEST(ProfileHmmProblem, SequencesWithoutResiduesAreCountedInANote) {
  const auto problem = small_problem();
  EXPECT_THAT(problem->notes(), ::testing::ElementsAre("1 of 4 sequences have no residues and get no score"));
  EXPECT_EQ(problem->describe()["sequences_without_residues"], 1);
  EXPECT_EQ(problem->describe()["longest_residues"], 40);
  EXPECT_EQ(problem->describe()["residues"], 46);
  AnsweringSession session(*problem);
  session.answers[1] = 128;
  EXPECT_THAT(session.verify().reason, HasSubstr("sequence 2 (s2, 0 residues)"));
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
  const Model model = testing::wrapped_model();
  ASSERT_TRUE(delete_bound_is_low(make_profile(model)));
  EXPECT_NO_THROW(make_problem(model, sequences({5}), Filter::msv));
  try {
    make_problem(model, sequences({5}), Filter::viterbi);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("leaves out deletions"));
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

ProblemSpec spec(Point point, std::map<std::string, std::filesystem::path> files = {}) {
  return {.point = std::move(point), .files = std::move(files), .seed = 3, .cache_dir = {}, .threads = 2};
}

std::string error(const ProblemSpec& given) {
  try {
    load_problem(given);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

class ProfileHmmLoading : public ::testing::Test {
 protected:
  ProfileHmmLoading() {
    std::ofstream models(folder_.path() / "models.hmm");
    for (const u32 length : {7u, 9u}) write_model(models, random_model(length, length));
    std::ofstream one(folder_.path() / "one.hmm");
    write_model(one, random_model(7, 7));
    std::ofstream(folder_.path() / "proteins.fasta") << ">a\nMKLV\n>b\nACDEFGHIKLMNPQRSTVWY\n>c\n\n";
  }
  std::map<std::string, std::filesystem::path> files() const {
    return {{"two", folder_.path() / "models.hmm"},
            {"one", folder_.path() / "one.hmm"},
            {"proteins", folder_.path() / "proteins.fasta"}};
  }
  TemporaryFolder folder_;
};

TEST_F(ProfileHmmLoading, GeneratesModelAndSequencesUnlessToldOtherwise) {
  const auto problem = load_problem(spec({{"sequence_count", std::int64_t{50}}}));
  EXPECT_EQ(problem->filter(), Filter::ssv);
  EXPECT_EQ(problem->model().length, 400u);
  EXPECT_EQ(problem->sequences().count(), 50u);
  EXPECT_EQ(problem->hash(), load_problem(spec({{"sequence_count", std::int64_t{50}}}))->hash());
  ProblemSpec other = spec({{"sequence_count", std::int64_t{50}}});
  other.seed = 4;
  EXPECT_NE(problem->hash(), load_problem(other)->hash());
  EXPECT_EQ(problem->describe()["homologs_per_mille"], 10);
}

TEST_F(ProfileHmmLoading, TakesAModelByItsNumberAndSoManySequences) {
  const auto problem = load_problem(spec({{"filter", "viterbi"s},
                                          {"models", "two"s},
                                          {"model", std::int64_t{2}},
                                          {"sequences", "proteins"s},
                                          {"sequence_count", std::int64_t{2}}},
                                         files()));
  EXPECT_EQ(problem->filter(), Filter::viterbi);
  EXPECT_EQ(problem->model().length, 9u);
  EXPECT_EQ(problem->sequences().count(), 2u);
  EXPECT_EQ(problem->cells(), 9 * 24);
  EXPECT_EQ(problem->describe()["model"], 2);
}

TEST_F(ProfileHmmLoading, NamesWhatIsMissing) {
  EXPECT_THAT(error(spec({{"models", "two"s}, {"model", std::int64_t{3}}}, files())),
              HasSubstr("model: found 3, allowed: 1 to the 2 of"));
  EXPECT_THAT(error(spec({{"models", "none"s}}, files())),
              HasSubstr("models: found \"none\", allowed: random, one, proteins, two"));
  EXPECT_THAT(error(spec({{"filter", "forward"s}})), HasSubstr("filter"));
  EXPECT_THAT(error(spec({{"homologs", std::int64_t{1001}}})), HasSubstr("homologs"));
  EXPECT_THAT(error(spec({{"models", "proteins"s}}, files())), HasSubstr("proteins.fasta"));
}

TEST_F(ProfileHmmLoading, RefusesMoreSequencesThanMemoryHolds) {
  EXPECT_THROW(load_problem(spec({{"sequence_count", std::int64_t{1} << 31}})), DoesNotFit);
}

TEST_F(ProfileHmmLoading, PlainFilesAreOtherProgramsInputAsTheyAre) {
  const auto whole = load_problem(spec({{"models", "one"s}, {"sequences", "proteins"s}}, files()));
  const auto same = whole->write_files(folder_.path());
  EXPECT_EQ(same.at("models"), folder_.path() / "one.hmm");
  EXPECT_EQ(same.at("sequences"), folder_.path() / "proteins.fasta");
}

TEST_F(ProfileHmmLoading, OtherInputIsWrittenSoThatItReadsAsTheSame) {
  const auto part = load_problem(spec({{"models", "two"s},
                                       {"model", std::int64_t{2}},
                                       {"sequences", "proteins"s},
                                       {"sequence_count", std::int64_t{1}}},
                                      files()));
  std::filesystem::create_directories(folder_.path() / "made");
  const auto made = part->write_files(folder_.path() / "made");
  const auto again = load_problem(
      spec({{"models", "m"s}, {"sequences", "s"s}}, {{"m", made.at("models")}, {"s", made.at("sequences")}}));
  EXPECT_EQ(again->hash(), part->hash());
}

TEST_F(ProfileHmmLoading, PassCountsOfHmmsearchAreHeldToTheOracle) {
  const auto problem = load_problem(spec({{"model_length", std::int64_t{60}},
                                          {"sequence_count", std::int64_t{300}},
                                          {"homologs", std::int64_t{100}}}));
  ThreadPool pool(2);
  const PassCounts counts = oracle_passes(problem->model(), problem->profile(), problem->sequences(), pool);
  EXPECT_GT(counts.viterbi, 10u);
  EXPECT_LT(counts.msv, 150u);
  EXPECT_LE(counts.viterbi, counts.bias);
  EXPECT_LE(counts.bias, counts.msv);
  Answers answers{{"MSV", static_cast<double>(counts.msv)},
                  {"bias", static_cast<double>(counts.bias)},
                  {"Vit", static_cast<double>(counts.viterbi)},
                  {"Fwd", 1}};
  EXPECT_TRUE(problem->check(answers).passed);
  EXPECT_EQ(problem->check(answers).checked, 3u);
  ++answers["Vit"];
  EXPECT_THAT(problem->check(answers).reason, HasSubstr("passed the Vit filter: expected"));
  answers.erase("bias");
  EXPECT_THAT(problem->check(answers).reason,
              HasSubstr("no number of sequences that passed the bias filter"));
}

}  // namespace
}  // namespace gpuseq::profile_hmm
