
#include "kernels/fm_mismatch/problem.hpp"
#include "runtime/io/sequence_reader.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/fm_mismatch/small_texts.hpp"
#include "tests/runtime/temporary_folder.hpp"

// Input of an external tool, and the comparison of its answers with the oracle's.

namespace gpuseq::fm_mismatch {
namespace {

class OtherProgramsWithMismatches : public ::testing::Test {
 protected:
  std::unique_ptr<MismatchProblem> problem(u32 mismatches, const char* strands) const {
    return std::make_unique<MismatchProblem>(ProblemSpec{.point = {{"reference", "pieces"},
                                                                   {"queries", "reads"},
                                                                   {"mismatches", i64{mismatches}},
                                                                   {"strands", std::string(strands)}},
                                                         .files = files_,
                                                         .seed = 1,
                                                         .cache_dir = {},
                                                         .threads = 1});
  }
  /// The result of a program that reads the files.
  Answers counted(const MismatchProblem& problem) const {
    const auto files = problem.write_files(folder_.path());
    const std::string text = read_sequences(files.at("reference")).at(0).sequence;
    Answers answers;
    const auto add = [&](const std::string& name, const std::string& letters) {
      const std::size_t count = testing::places_of(text, letters, problem.mismatches()).size();
      if (count > 0) answers[name] += static_cast<double>(count);
    };
    for (const Sequence& query : read_sequences(files.at("queries"))) {
      add(query.name, query.sequence);
      if (problem.strands() == 2) add(query.name, testing::complement_of(query.sequence));
    }
    return answers;
  }

  TemporaryFolder folder_;
  std::string text_ = fm_index::testing::random_letters(2000, 8);
  std::map<std::string, std::filesystem::path> files_{
      {"pieces",
       folder_.write("pieces.fa", ">a\n" + text_.substr(0, 1000) + "NN" + text_.substr(1000) + "\n")},
      {"reads", folder_.write("reads.fa", ">r1\n" + text_.substr(5, 4) + "\n>r2\nACGTN\n>r3\n\n>r1\n" +
                                              testing::complement_of(text_.substr(990, 20)) + "\n>r5\n" +
                                              text_.substr(700, 7) + "\n")}};
};

TEST_F(OtherProgramsWithMismatches, WhatTheFilesSayPassesTheCheck) {
  for (const u32 mismatches : {0u, 1u, 2u})
    for (const char* strands : {"forward", "both"}) {
      const auto loaded = problem(mismatches, strands);
      const Verification result = loaded->check(counted(*loaded));
      EXPECT_TRUE(result.passed) << mismatches << " " << strands << ": " << result.reason;
      EXPECT_EQ(result.checked, 3u);  // neither that without bases nor that with another letter
    }
}

TEST_F(OtherProgramsWithMismatches, AnswersToAnotherQuestionDoNotPassIt) {
  const auto both = problem(1, "both"), forward = problem(1, "forward"), exact = problem(0, "both");
  EXPECT_FALSE(both->check(counted(*forward)).passed);
  EXPECT_FALSE(forward->check(counted(*both)).passed);
  EXPECT_FALSE(both->check(counted(*exact)).passed);
}

TEST_F(OtherProgramsWithMismatches, AWrongMissingOrForeignAnswerIsNamed) {
  const auto loaded = problem(2, "both");
  const Answers right = counted(*loaded);
  ASSERT_EQ(right.at("4"), 1);
  Answers wrong = right;
  wrong["4"] = 2;
  expect_text(loaded->check(wrong).reason);
  wrong.erase("4");
  expect_text(loaded->check(wrong).reason);
  wrong = right;
  wrong["r1"] = 1;
  expect_text(loaded->check(wrong).reason);
}

}  // namespace
}  // namespace gpuseq::fm_mismatch
