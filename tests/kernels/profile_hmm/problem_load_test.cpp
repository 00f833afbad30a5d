#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "kernels/profile_hmm/checked_passes.hpp"
#include "kernels/profile_hmm/data/generator.hpp"
#include "kernels/profile_hmm/oracle.hpp"
#include "kernels/profile_hmm/other_programs.hpp"
#include "kernels/profile_hmm/problem.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/child_process.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/temporary_folder.hpp"
#include "tests/source_dir.hpp"

namespace gpuseq::profile_hmm {
namespace {

using namespace std::string_literals;

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
  expect_text(error(spec({{"models", "two"s}, {"model", std::int64_t{3}}}, files())));
  expect_text(error(spec({{"models", "none"s}}, files())));
  expect_text(error(spec({{"filter", "forward"s}})));
  expect_text(error(spec({{"homologs", std::int64_t{1001}}})));
  expect_text(error(spec({{"models", "proteins"s}}, files())));
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
  expect_text(problem->check(answers).reason);
  answers.erase("bias");
  expect_text(problem->check(answers).reason);
}

TEST_F(ProfileHmmLoading, SequencesThatAProgramListsAreHeldToThoseThatPassTheMsvFilter) {
  const auto problem = load_problem(spec({{"model_length", std::int64_t{60}},
                                          {"sequence_count", std::int64_t{300}},
                                          {"homologs", std::int64_t{100}}}));
  ThreadPool pool(2);
  const u64 passing = oracle_passes(problem->model(), problem->profile(), problem->sequences(), pool).msv;
  const Agreement none = *agreement(*problem, {}).value;
  EXPECT_EQ(none.compared, passing);
  EXPECT_EQ(none.equal, 0u);
  expect_text(none.first_difference);
  Answers all;
  for (u64 i = 0; i < 300; ++i) all[std::to_string(i + 1)] = 1;
  const Agreement some = *agreement(*problem, all).value;
  EXPECT_EQ(some.compared, 300u);
  EXPECT_EQ(some.equal, passing);
  expect_text(some.first_difference);
  all["301"] = 1;
  EXPECT_THROW(agreement(*problem, all), UsageError);
}

/// Answers of HMMER's filter of the problem, by the oracle.
Answers filter_answers(const FilterProblem& problem) {
  Answers answers;
  for (u64 i = 0; i < problem.sequences().count(); ++i) {
    const auto residues = problem.sequences().row(i);
    const auto length = static_cast<u32>(residues.size());
    const RawScore raw = oracle_score(problem.profile(), problem.filter(), residues);
    const std::string number = std::to_string(i + 1);
    std::optional<FilterScore> score = oracle_msv_filter(problem.profile(), residues);
    if (problem.filter() == Filter::ssv) score = ssv_score(problem.profile(), length, raw);
    if (problem.filter() == Filter::viterbi) score = viterbi_score(problem.profile(), length, raw);
    if (!score)
      answers[number + ":undecided"] = 1;
    else if (score->overflow)
      answers[number + ":overflow"] = 1;
    else
      answers[number] = static_cast<double>(score->nats);
  }
  return answers;
}

TEST_F(ProfileHmmLoading, ScoresOfHmmersFiltersAloneAreHeldToTheOracle) {
  for (const char* filter : {"ssv", "msv", "viterbi"}) {
    const auto problem = load_problem(spec({{"filter", filter},
                                            {"model_length", std::int64_t{60}},
                                            {"sequence_count", std::int64_t{300}},
                                            {"homologs", std::int64_t{100}}}));
    Answers answers = filter_answers(*problem);
    EXPECT_TRUE(problem->check(answers).passed) << filter << problem->check(answers).reason;
    EXPECT_EQ(problem->check(answers).checked, 300u);
    const bool undecided =
        std::ranges::any_of(answers, [](const auto& answer) { return answer.first.ends_with(":undecided"); });
    EXPECT_EQ(undecided, filter == "ssv"s);
    const auto last = std::ranges::find_if(
        answers, [](const auto& answer) { return answer.first.find(':') == std::string::npos; });
    last->second += 0.001;
    expect_text(problem->check(answers).reason);
    answers.erase(last);
    expect_text(problem->check(answers).reason);
  }
}

TEST_F(ProfileHmmLoading, HmmersOwnFiltersScoreAsTheOracleDoes) {
  auto program = find_program("hmmer_filter");
  if (!program) program = find_program((source_dir() / "build/tools/hmmer_filter").string());
  if (!program) GTEST_SKIP() << "hmmer_filter is not built (configs/tools/build_hmmer_filter.py)";
  for (const char* filter : {"ssv", "msv", "viterbi"})
    for (const char* threads : {"1", "3"}) {
      const auto problem = load_problem(spec({{"filter", filter},
                                              {"model_length", std::int64_t{100}},
                                              {"sequence_count", std::int64_t{400}},
                                              {"homologs", std::int64_t{200}}}));
      const auto files = problem->write_files(folder_.path());
      const auto table = folder_.path() / "scores.txt";
      run_child({.arguments = {program->string(), filter, threads, files.at("models"), files.at("sequences"),
                               table},
                 .out = folder_.path() / "printed",
                 .err = folder_.path() / "errors"});
      Answers answers;
      std::ifstream in(table);
      std::string key;
      for (double value = 0; in >> key >> value;) answers[key] = value;
      const Verification verification = problem->check(answers);
      EXPECT_TRUE(verification.passed) << filter << ": " << verification.reason;
      EXPECT_EQ(verification.checked, 400u);
    }
}

}  // namespace
}  // namespace gpuseq::profile_hmm
