#include "kernels/fm_index/other_programs.hpp"

#include "kernels/fm_index/problem.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/sequence_reader.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/fm_index/brute_force.hpp"
#include "tests/runtime/gzip.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::fm_index {
namespace {

class OtherPrograms : public ::testing::Test {
 protected:
  std::unique_ptr<FmProblem> problem(std::string_view point) const {
    return load_problem({.point = Point::parse(point),
                         .files = files_,
                         .seed = 1,
                         .cache_dir = folder_.path() / "cache",
                         .threads = 2});
  }
  std::filesystem::path made() const {
    const auto folder = folder_.path() / "made";
    std::filesystem::create_directories(folder);
    return folder;
  }
  /// The result of a program that reads the files.
  static Answers counted(const std::map<std::string, std::filesystem::path>& files) {
    const std::string text = read_sequences(files.at("reference")).at(0).sequence;
    Answers answers;
    for (const Sequence& query : read_sequences(files.at("queries")))
      for (std::size_t at = text.find(query.sequence); at != std::string::npos;
           at = text.find(query.sequence, at + 1))
        ++answers[query.name];
    return answers;
  }

  TemporaryFolder folder_;
  std::string text_ = testing::random_letters(3000, 8);
  std::map<std::string, std::filesystem::path> files_{
      {"plain", folder_.write("plain.fa", ">one\n" + text_ + "\n")},
      {"pieces", folder_.write("pieces.fa", ">a\n" + text_.substr(0, 1000) + "NN" + text_.substr(1000, 500) +
                                                "\n>b\n" + text_.substr(1500) + "\n")},
      {"reads",
       folder_.write("reads.fa", ">r1\n" + text_.substr(5, 3) + "\n>r2 n\nacgtn\n>r3\n\n>r1\n" +
                                     text_.substr(990, 40) + "\n>r5\n" + std::string(60, 'A') + "\n")}};
};

TEST_F(OtherPrograms, APlainFileOfOneRecordIsTheReferenceItself) {
  EXPECT_EQ(problem("reference=plain,queries=reads")->write_files(made()).at("reference"),
            files_.at("plain"));
}

TEST_F(OtherPrograms, EveryOtherReferenceIsWrittenAsTheTextThatIsSearched) {
  for (const char* point :
       {"reference=pieces,queries=reads", "reference=plain,reference_bases=3000,queries=reads"}) {
    const auto files = problem(point)->write_files(made());
    const auto records = read_sequences(files.at("reference"));
    ASSERT_EQ(records.size(), 1u);
    EXPECT_EQ(records[0].sequence, text_) << point;
  }
}

TEST_F(OtherPrograms, QueriesThatAreSearchedAreNamedByTheirNumberInTheFile) {
  const auto records =
      read_sequences(problem("reference=plain,queries=reads")->write_files(made()).at("queries"));
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].name, "1");
  EXPECT_EQ(records[1].name, "4");
  EXPECT_EQ(records[1].sequence, text_.substr(990, 40));
  EXPECT_EQ(records[2].name, "5");
}

TEST_F(OtherPrograms, ASyntheticReferenceCannotBeHadAsAFile) {
  EXPECT_THROW(problem("reference=synthetic,reference_bases=1000")->write_files(made()), ResourceError);
}

TEST_F(OtherPrograms, WhatTheFilesSayPassesTheCheckAlsoAcrossJoins) {
  for (const char* point : {"reference=pieces,queries=reads",
                            "reference=random,reference_bases=5000,query_bases=6,"
                            "query_count=300,occurring_percent=50",
                            "reference=pieces,queries=reads,query_order=sorted"}) {
    const auto loaded = problem(point);
    const Verification result = loaded->check(counted(loaded->write_files(made())));
    EXPECT_TRUE(result.passed) << point << ": " << result.reason;
    EXPECT_EQ(result.checked, loaded->queries().source.size() - (loaded->queries().longest == 60 ? 1 : 0))
        << point;
  }
}

TEST_F(OtherPrograms, AWrongMissingOrForeignAnswerIsNamed) {
  const auto loaded = problem("reference=plain,queries=reads");
  const Answers right = counted(loaded->write_files(made()));
  ASSERT_EQ(right.at("4"), 1);
  Answers wrong = right;
  wrong["4"] = 2;
  expect_text(loaded->check(wrong).reason);
  wrong.erase("4");
  expect_text(loaded->check(wrong).reason);
  for (const char* name : {"2", "3", "6", "0", "04", "r1", "", "-1", "4 ", "99999999999999999999999"}) {
    wrong = right;
    wrong[name] = 0;
    const Verification result = loaded->check(wrong);
    EXPECT_FALSE(result.passed) << name;
    expect_text(result.reason);
  }
}

TEST_F(OtherPrograms, HowManyQueriesAreAnsweredRightIsTold) {
  const auto loaded = problem("reference=plain,queries=reads");
  Answers answers = counted(loaded->write_files(made()));
  const Agreement all = agreement(*loaded, answers);
  EXPECT_EQ(all.compared, 3u);
  EXPECT_EQ(all.equal, 3u);
  EXPECT_EQ(all.first_difference, "");
  answers.erase("4");
  answers["5"] = 7;
  const Agreement some = agreement(*loaded, answers);
  EXPECT_EQ(some.compared, 3u);
  EXPECT_EQ(some.equal, 1u);
  EXPECT_EQ(some.first_difference, "query 4 (r1): expected 1 occurrences, found 0");
  answers["r1"] = 1;
  EXPECT_THROW(agreement(*loaded, answers), UsageError);
}

}  // namespace
}  // namespace gpuseq::fm_index
