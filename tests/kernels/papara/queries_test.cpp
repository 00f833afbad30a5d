#include "kernels/papara/data/queries.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::papara {
namespace {

using ::testing::ElementsAre;

std::vector<u8> row(const Queries& queries, u32 query) {
  const auto codes = queries.row(query);
  return {codes.begin(), codes.end()};
}

class PaparaQueries : public ::testing::Test {
 protected:
  std::string error(const std::string& content, u64 count = 0) const {
    try {
      read_queries(folder_.write("q.fa", content), Alphabet::dna, 10, count);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }
  TemporaryFolder folder_;
};

TEST_F(PaparaQueries, AreReadAsSetsOfBasesWithoutTheirGaps) {
  const Queries queries =
      read_queries(folder_.write("q.fa", ">a x\n.-AC\ngt.\n>b\nRN?xu\n"), Alphabet::dna, 10, 0);
  EXPECT_THAT(queries.names, ElementsAre("a", "b"));
  EXPECT_THAT(row(queries, 0), ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(row(queries, 1), ElementsAre(5, 15, 15, 15, 8));
  EXPECT_EQ(queries.longest, 5u);
}

TEST_F(PaparaQueries, KeepTheirPlaceWhereTheyAreEmptyOrTooLong) {
  const Queries queries = read_queries(
      folder_.write("q.fa", ">none\n>gaps\n..--\n>ten\nACGTACGTAC\n>eleven\nACGTACGTACG\n>\nA\n"),
      Alphabet::dna, 10, 0);
  EXPECT_THAT(queries.names, ElementsAre("none", "gaps", "ten", "eleven", "5"));
  EXPECT_THAT(queries.source, ElementsAre(2, 4));
  EXPECT_THAT(queries.bases, ElementsAre(10, 1));
  EXPECT_THAT(queries.begin, ElementsAre(0, 10));
}

TEST_F(PaparaQueries, AreTakenFromTheStartWhereFewerAreWanted) {
  EXPECT_THAT(read_queries(folder_.write("q.fa", ">a\nA\n>b\nC\n>c\nG\n"), Alphabet::dna, 10, 2).names,
              ElementsAre("a", "b"));
  expect_text(error(">a\nA\n", 2));
}

TEST_F(PaparaQueries, NameTheFileTheLineAndTheRecordOfALetterThatIsNone) {
  expect_text(error(">a\nAC\nA!\n"));
}

TEST_F(PaparaQueries, AreReadFromFastqToo) {
  const Queries queries = read_queries(folder_.write("q.fq", "@a\nACGT\n+\nIIII\n"), Alphabet::dna, 10, 0);
  EXPECT_THAT(row(queries, 0), ElementsAre(1, 2, 4, 8));
}

ReferenceAlignment alignment() {
  return {
      .names = {"x", "y"}, .lines = {1, 2}, .rows = {std::string(300, 'A') + "--", std::string(302, 'C')}};
}

Queries sampled(const Sampling& sampling, int threads = 2) {
  ThreadPool pool(threads);
  return sample_queries(alignment(), sampling, pool);
}

TEST(PaparaSampledQueries, HaveAllLengthsFromTheShortestToTheLongest) {
  const Queries queries = sampled({.count = 2000, .shortest = 29, .longest = 48});
  EXPECT_EQ(queries.count(), 2000u);
  EXPECT_EQ(queries.names[1999], "q2000");
  EXPECT_EQ(*std::min_element(queries.bases.begin(), queries.bases.end()), 29u);
  EXPECT_EQ(*std::max_element(queries.bases.begin(), queries.bases.end()), 48u);
  EXPECT_EQ(queries.longest, 48u);
  double mean = 0;
  for (const u32 bases : queries.bases) mean += bases / 2000.0;
  EXPECT_NEAR(mean, 38.5, 0.6);
}

TEST(PaparaSampledQueries, DifferFromTheirRowByTheShareOfSubstitutionsAndIndels) {
  const Queries queries = sampled({.count = 1000, .shortest = 100, .longest = 100});
  u64 minor = 0, of_x = 0;
  for (u32 query = 0; query < queries.count(); ++query) {
    const auto codes = queries.row(query);
    const auto as = std::count(codes.begin(), codes.end(), u8{1}),
               cs = std::count(codes.begin(), codes.end(), u8{2});
    of_x += as > cs;
    minor += static_cast<u64>(100 - std::max(as, cs));
  }
  EXPECT_NEAR(static_cast<double>(minor) / 100'000, 0.03 + 0.0025 * 0.75, 0.005);
  EXPECT_NEAR(static_cast<double>(of_x), 500, 80);
}

TEST(PaparaSampledQueries, AreExactCopiesWithoutErrorsAndGoOnAtRandomPastTheEndOfARow) {
  const Sampling sampling{
      .count = 50, .shortest = 301, .longest = 301, .substitution_share = 0, .indel_share = 0};
  const Queries queries = sampled(sampling);
  for (u32 query = 0; query < queries.count(); ++query) {
    const auto codes = queries.row(query);
    EXPECT_EQ(std::count(codes.begin(), codes.begin() + 300, codes[0]), 300);
    EXPECT_TRUE(codes[0] == 1 || codes[300] == 2);  // the row of A ends
  }
}

TEST(PaparaSampledQueries, AreTheSameForASeedWhateverTheThreads) {
  const Sampling sampling{.count = 300, .shortest = 10, .longest = 90, .seed = 5};
  EXPECT_EQ(sampled(sampling, 1).codes, sampled(sampling, 2).codes);
}

TEST(PaparaSampledQueries, RefuseLengthsThatAreNone) {
  EXPECT_THROW(sampled({.shortest = 0, .longest = 5}), UsageError);
  EXPECT_THROW(sampled({.shortest = 6, .longest = 5}), UsageError);
}

TEST_F(PaparaQueries, OfAminoAcidsAreReadAndSampledAsCodes) {
  const Queries queries =
      read_queries(folder_.write("q.fa", ">a\nAC-y\n>b\nBzJX*uO\n"), Alphabet::protein, 10, 0);
  EXPECT_THAT(row(queries, 0), ElementsAre(1, 2, 20));
  EXPECT_THAT(row(queries, 1), ElementsAre(21, 22, 23, 24, 24, 2, 9));
  ReferenceAlignment alignment{
      .names = {"a"}, .lines = {1}, .rows = {std::string(500, 'W')}, .alphabet = Alphabet::protein};
  ThreadPool pool(2);
  const Queries sampled = sample_queries(alignment, {.count = 200, .substitution_share = 0.1}, pool);
  std::array<double, kMostCodes> count{};
  for (const u8 code : sampled.codes) ++count.at(code);
  EXPECT_NEAR(count[letter_code(Alphabet::protein, 'W')] / 20'000, 0.9, 0.01);
  for (const char letter : kAminoAcidLetters)
    EXPECT_GT(count[letter_code(Alphabet::protein, letter)], 40) << letter;
  EXPECT_EQ(count[0] + count[21] + count[22] + count[23] + count[24], 0);
}

}  // namespace
}  // namespace gpuseq::papara
