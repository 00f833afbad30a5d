#include <gtest/gtest.h>

#include <set>
#include <string>

#include "bench/tools/answers.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/random.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::bench {
namespace {

using Kind = AnswerFormat::Kind;

const AnswerFormat kLines{.kind = Kind::count_lines, .comment = "#"};
const AnswerFormat kSections{.kind = Kind::sections, .header = ">", .count_equal = {{-1, -1}}};
const AnswerFormat kTable{.kind = Kind::table, .key_column = 2, .value_column = -1};

Answers parsed(const std::string& text, const AnswerFormat& format, const TemporaryFolder& folder = {}) {
  return read_answers(folder.write("answers.txt", text), format);
}

std::string error(const std::string& text, const AnswerFormat& format) {
  try {
    parsed(text, format);
  } catch (const UsageError& usage) {
    return usage.what();
  }
  return "no error";
}

TEST(ToolAnswers, LinesAreCountedByTheirKey) {
  EXPECT_EQ(parsed("# a comment\nq1\tx\nq2\n\nq1\ty\n", kLines), (Answers{{"q1", 2}, {"q2", 1}}));
  EXPECT_EQ(parsed("", kLines), Answers{});
  EXPECT_EQ(parsed("a b\r\nc b\r\n", {.kind = Kind::count_lines, .key_column = -1}), (Answers{{"b", 2}}));
}

// Output of minimap2 2.24 for a whole query, one with a difference, and one that is clipped.
TEST(ToolAnswers, OnlyLinesThatHaveOneWordInSomeColumnsAreCounted) {
  const AnswerFormat format{.kind = Kind::count_lines, .same_columns = {2, 10, 11}};
  EXPECT_EQ(parsed("1\t100\t0\t100\t+\tr\t5000\t10\t110\t100\t100\t60\tcg:Z:100=\n"
                   "1\t100\t0\t100\t+\tr\t5000\t10\t110\t99\t100\t0\tcg:Z:50=1X49=\n"
                   "2\t100\t0\t90\t+\tr\t5000\t10\t100\t90\t90\t60\tcg:Z:90=\n"
                   "1\t100\t0\t100\t+\tr\t5000\t990\t1090\t100\t100\t0\tcg:Z:100=\n",
                   format),
            (Answers{{"1", 2}}));
  expect_text(error("1\t100\n", format));
}

TEST(ToolAnswers, SectionsCountTheLinesThatAreAsLongAsTheirQuery) {
  EXPECT_EQ(parsed("> q1  Len = 30\n  ref 5 1 30\n  ref 9 1 29\n  ref 70 1 30\n> q2  Len = 9\n> q3  Len = "
                   "7\n ref 1 1 7\n",
                   kSections),
            (Answers{{"q1", 2}, {"q2", 0}, {"q3", 1}}));
}

TEST(ToolAnswers, ASectionThatComesAgainIsAddedTo) {
  EXPECT_EQ(parsed("> q Len = 2\n r 1 1 2\n> q Reverse Len = 2\n r 9 1 2\n", kSections), (Answers{{"q", 2}}));
}

// Output of bwa fastmap 0.7.17: a query that occurs on both strands, one of which only the end occurs, one
// that occurs nowhere.
TEST(ToolAnswers, OfWholeMatchesTheWordsThatNameAStrandAreCounted) {
  const AnswerFormat format{.kind = Kind::sections,
                            .header = "SQ",
                            .comment = "//",
                            .count_equal = {{2, 3}},
                            .line_equal = {{2, "0"}},
                            .count_words = ":+"};
  EXPECT_EQ(parsed("SQ\t1\t20\nEM\t0\t20\t3\tchr1:+17\tchr1:-40\tchr1:+99\n//\n"
                   "SQ\t2\t20\nEM\t2\t20\t1\tchr1:+5\n//\nSQ\t3\t20\n//\n",
                   format),
            (Answers{{"1", 2}, {"2", 0}, {"3", 0}}));
  expect_text(error("SQ\t1\t20\nEM\t0\n", format));
}

const AnswerFormat kPairs{
    .kind = Kind::pairs, .comment = "#", .key_columns = {1, 2}, .sum = {{3, 2}, {4, 1}, {5, 1}}};

// Output of plink2 --make-king-table counts cols=id,ibs0,ibs1.
TEST(ToolAnswers, OfPairsColumnsAreAddedUp) {
  EXPECT_EQ(
      parsed("#IID1\tIID2\tIBS0\tHET1_HOM2\tHET2_HOM1\n2\t1\t46\t124\t141\n3\t1\t57\t119\t128\n", kPairs),
      (Answers{{"2,1", 357}, {"3,1", 361}}));
  expect_text(error("2 1 46 124\n", kPairs));
  expect_text(error("2 1 46 124 x\n", kPairs));
  expect_text(error("2 1 4 1 2\n2 1 4 1 2\n", kPairs));
}

TEST(ToolAnswers, OfManyPairsSomeAreKeptThatLieAllOverThem) {
  std::string text;
  constexpr int kLines = 5 * (1 << 17);  // two and a half times as many as are kept
  for (int line = 0; line < kLines; ++line)
    text += std::to_string(line) + " 1 " + std::to_string(line) + " 0 0\n";
  const Answers answers = parsed(text, kPairs);
  EXPECT_EQ(answers.size(), kLines / 4);
  EXPECT_TRUE(answers.contains("0,1") && answers.contains(std::to_string(kLines - 4) + ",1"));
  for (const auto& [key, value] : answers) EXPECT_EQ(value, 2 * std::stoi(key));
}

// Output of the k-step FM-index: how many queries, and an interval of each.
TEST(ToolAnswers, OfRowsTheNumberOfTheLineIsTheKey) {
  const AnswerFormat format{.kind = Kind::rows, .header_lines = 1, .sum = {{2, 1}, {1, -1}}};
  EXPECT_EQ(parsed("3\n17 18\n4 4\n100 109\n", format), (Answers{{"1", 1}, {"2", 0}, {"3", 9}}));
  expect_text(error("1\n17\n", format));
}

TEST(ToolAnswers, AMatrixMayHaveNames) {
  const AnswerFormat named{.kind = Kind::matrix, .comment = "name\t", .first_column = 2};
  EXPECT_EQ(parsed("name\ta\tb\na\t0\t7\nb\t7\t0\n", named),
            (Answers{{"1,1", 0}, {"1,2", 7}, {"2,1", 7}, {"2,2", 0}}));
  expect_text(error("a\nb\n", named));
}

TEST(ToolAnswers, ATableHasKeysAndNumbers) {
  EXPECT_EQ(parsed("1 a 2.5\n2 b -1e3\n", kTable), (Answers{{"a", 2.5}, {"b", -1000}}));
}

TEST(ToolAnswers, AMatrixHasANumberForEveryPair) {
  const AnswerFormat matrix{.kind = Kind::matrix};
  EXPECT_EQ(parsed("0\t2.5\n2 0\n", matrix), (Answers{{"1,1", 0}, {"1,2", 2.5}, {"2,1", 2}, {"2,2", 0}}));
  EXPECT_EQ(parsed("", matrix), Answers{});
  expect_text(error("0 1\n1 x\n", matrix));
  expect_text(error("0 1\n1\n", matrix));
  expect_text(error("0 1\n1 0\n0 0\n", matrix));
  expect_text(error("0 1\n", matrix));
}

TEST(ToolAnswers, OfALargeMatrixSomeOfAllLinesAreKept) {
  constexpr int kSide = 700;  // 490000 numbers: every second is kept
  std::string text;
  for (int line = 1; line <= kSide; ++line)
    for (int column = 1; column <= kSide; ++column)
      text += std::to_string(line * 1000 + column) + (column == kSide ? '\n' : ' ');
  const Answers answers = parsed(text, {.kind = Kind::matrix});
  EXPECT_EQ(answers.size(), kSide * kSide / 2);
  std::set<int> lines;
  for (const auto& [key, value] : answers) {
    const int line = std::stoi(key), column = std::stoi(key.substr(key.find(',') + 1));
    EXPECT_EQ(value, line * 1000 + column);
    lines.insert(line);
  }
  EXPECT_EQ(lines.size(), kSide);
}

TEST(ToolAnswers, OfATableWithAHeaderOnlyTheLinesThatHaveItAreRead) {
  const AnswerFormat format{.kind = Kind::table, .key_column = 1, .value_column = 3, .header = "Passed "};
  EXPECT_EQ(parsed("Internal statistics:\n-----\nPassed MSV filter:    147  (0.0588); expected 50.0 (0.02)\n"
                   "Passed Vit filter:  9  (1)\n[ok]\n",
                   format),
            (Answers{{"MSV", 147}, {"Vit", 9}}));
  expect_text(error("Passed MSV\n", format));
}

TEST(ToolAnswers, WhatIsNotInTheFormatIsNamedWithItsLine) {
  expect_text(error("> q Len = 2\n r 1 1 2\n>\n", kSections));
  expect_text(error("usage: mummer\n", kSections));
  expect_text(error("1 a 2\n1 b two\n", kTable));
  expect_text(error("1 a nan\n", kTable));
  expect_text(error("1 a 1\n1 a 1\n", kTable));
  expect_text(error("1\n", kTable));
}

TEST(ToolAnswers, AMissingFileOrAFolderIsAnError) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_answers(folder.path() / "none", kLines), UsageError);
  EXPECT_THROW(read_answers(folder.path(), kLines), UsageError);
}

TEST(ToolAnswers, AnySpoiltTextIsReadOrRefused) {
  const std::string valid = "> q1  Len = 30\n  ref 5 1 30\n# c\n> q2  Len = 9\n  ref 1e9 0.5 9\n";
  const TemporaryFolder folder;
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    std::string text = valid;
    for (std::uint64_t edits = random.below(6); edits > 0 && !text.empty(); --edits) {
      const std::size_t at = random.below(text.size());
      if (random.below(3) == 0)
        text.erase(at, random.below(9));
      else if (random.below(2) == 0)
        text[at] = static_cast<char>(random.below(256));
      else
        text.insert(at, text.substr(random.below(text.size()), random.below(20)));
    }
    for (const AnswerFormat& format : {kLines, kSections, kTable, kPairs}) try {
        for (const auto& [key, value] : parsed(text, format, folder)) EXPECT_TRUE(std::isfinite(value));
      } catch (const UsageError&) {
        ++refused;
      }
  }
  EXPECT_GT(refused, 30);
}

}  // namespace
}  // namespace gpuseq::bench
