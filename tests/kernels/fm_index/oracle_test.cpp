#include "kernels/fm_index/oracle.hpp"

#include <gtest/gtest.h>

#include "kernels/fm_index/data/rank.hpp"
#include "kernels/fm_index/data/reference.hpp"
#include "kernels/fm_index/walk.hpp"
#include "tests/kernels/fm_index/brute_force.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::fm_index {
namespace {

ThreadPool& pool() {
  static ThreadPool threads(2);
  return threads;
}

void expect_equal(const Interval<u64>& found, const Interval<u64>& expected, const std::string& what) {
  EXPECT_TRUE(found.l == expected.l && found.h == expected.h)
      << what << ": found " << found.l << ", " << found.h << " expected " << expected.l << ", " << expected.h;
}

TEST(Oracle, FindsWhatSortingAllSuffixesAsStringsFinds) {
  for (const std::string& text : {std::string("A"), std::string("AAAA"), std::string("TGCA"),
                                  std::string("CAAACATAT"), testing::random_letters(700, 4)}) {
    std::string fasta = ">empty\n\n>all\n" + text + "\n>more\n" + text + "A\n";
    for (u64 i = 0; i < 200; ++i) fasta += ">q\n" + testing::random_letters(1 + i % 9, i) + "\n";
    const TemporaryFolder folder;
    const Queries queries = read_queries(folder.write("q.fa", fasta), 0);
    const auto checked = checked_queries(queries.begin.size());
    const auto codes = testing::codes(text);
    const SuffixArray suffixes = sort_by_divsufsort(codes);
    const auto by_suffixes = search_suffixes(codes, suffixes, queries, checked, pool());
    const auto by_column = search_column(bwt_of(codes, suffixes, pool()), queries, checked, pool());
    const testing::BruteForce brute(text);
    for (u32 q : checked) {
      const auto expected = brute.interval(queries.letters(q));
      expect_equal(by_suffixes[q], expected, text.substr(0, 10) + " suffixes " + queries.letters(q));
      expect_equal(by_column[q], expected, text.substr(0, 10) + " column " + queries.letters(q));
    }
  }
}

TEST(Oracle, AgreesWithEveryKindOfIndexOfASyntheticColumn) {
  for (u64 bases : {1, 63, 64, 1000, 70'000}) {
    Bwt bwt = synthetic_bwt(bases, 17, pool());
    derive_columns(bwt, kMaxK, pool());
    const ColumnRank rank(bwt, pool());
    const Queries queries = sample_queries(testing::codes(testing::random_letters(5000, 1)),
                                           {.count = 500, .bases = 7, .seed = 2}, pool());
    const auto checked = checked_queries(500);
    const auto expected = search_column(bwt, queries, checked, pool());
    for (u32 k = 1; k <= kMaxK; ++k)
      for (bool one_hot : {false, true}) {
        const Index index = build_index(
            bwt, rank,
            {.kind = one_hot ? LayoutKind::one_hot : LayoutKind::full, .k = k, .d = one_hot ? 224u : 64u}, 2,
            pool());
        const Walker walker(index);
        for (u32 q : checked)
          expect_equal(walker.search(queries.packed.data() + u64{queries.begin[q]} * 4, 7), expected[q],
                       "synthetic " + std::to_string(bases) + " k=" + std::to_string(k));
      }
  }
}

TEST(Oracle, ChecksAllQueriesOrAsManyEvenlySpread) {
  EXPECT_TRUE(checked_queries(0).empty());
  EXPECT_EQ(checked_queries(5), (std::vector<u32>{0, 1, 2, 3, 4}));
  const auto few = checked_queries(12, 4);
  ASSERT_EQ(few.size(), 4u);
  for (u32 i = 0; i < 4; ++i) EXPECT_EQ(few[i] / 3, i);
  const auto many = checked_queries(1'000'000'000);
  EXPECT_EQ(many.size(), kMostChecked);
  EXPECT_GE(many.back(), 999'995'000u);
  EXPECT_EQ(checked_queries(1'000'000'000), many);
}

TEST(Oracle, CountsInEColiWhatAPlainSearchOfTheTextCounts) {
  const std::filesystem::path genome = "/usr/share/doc/bowtie/examples/genomes/NC_008253.fna.gz";
  if (!std::filesystem::exists(genome))
    GTEST_SKIP() << genome << " (package bowtie-examples) is not installed";
  const Reference reference = read_reference(genome, 0);
  ASSERT_EQ(reference.text.size(), 4'938'920u);
  std::string letters;
  for (u8 code : reference.text) letters += "ACGT"[code];

  std::string fasta;
  for (u64 i = 0; i < 60; ++i) fasta += ">q\n" + letters.substr(i * 77'777, 5 + i % 20) + "\n";
  for (u64 i = 0; i < 20; ++i) fasta += ">q\n" + testing::random_letters(9 + i % 4, i) + "\n";
  const TemporaryFolder folder;
  const Queries queries = read_queries(folder.write("q.fa", fasta), 0);
  const auto checked = checked_queries(queries.begin.size());
  const auto found =
      search_suffixes(reference.text, sort_by_divsufsort(reference.text), queries, checked, pool());
  for (u32 q : checked) {
    const std::string query = queries.letters(q);
    u64 count = 0;
    for (auto at = letters.find(query); at != std::string::npos; at = letters.find(query, at + 1)) ++count;
    EXPECT_EQ(found[q].h - found[q].l, count) << query;
  }
}

}  // namespace
}  // namespace gpuseq::fm_index
