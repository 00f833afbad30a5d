#include "kernels/fm_index/data/queries.hpp"

#include <gtest/gtest.h>

#include "kernels/fm_index/data/rank.hpp"
#include "kernels/fm_index/oracle.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/fm_index/brute_force.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::fm_index {
namespace {

ThreadPool& pool() {
  static ThreadPool threads(2);
  return threads;
}

TEST(Queries, ArePackedLastBaseFirstInUnitsOf16Bytes) {
  const TemporaryFolder folder;
  const std::string longer = testing::random_letters(65, 1), longest = testing::random_letters(300, 2);
  const Queries queries =
      read_queries(folder.write("q.fa", ">a\nACGT\n>b\n" + longer + "\n>c\n" + longest + "\n>d\nt\n"), 0);
  EXPECT_EQ(queries.total, 4u);
  EXPECT_EQ(queries.total_bases, 4u + 65 + 300 + 1);
  EXPECT_EQ(queries.longest, 300u);
  EXPECT_EQ(queries.begin, (std::vector<u32>{0, 1, 3, 8}));
  EXPECT_EQ(queries.packed[0], 0u << 6 | 1u << 4 | 2u << 2 | 3u);
  EXPECT_EQ(queries.letters(0), "ACGT");
  EXPECT_EQ(queries.letters(1), longer);
  EXPECT_EQ(queries.letters(2), longest);
  EXPECT_EQ(queries.letters(3), "T");
}

TEST(Queries, WithOtherLettersAreCountedButNotPacked) {
  const TemporaryFolder folder;
  const Queries queries = read_queries(
      folder.write("q.fq", "@a\nacgt\n+\nIIII\n@b\nACNT\n+\nIIII\n@c\n\n+\n\n@d\nGG\n+\nII\n"), 0);
  EXPECT_EQ(queries.total, 4u);
  EXPECT_EQ(queries.names, (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_EQ(queries.source, (std::vector<u32>{0, 2, 3}));
  EXPECT_EQ(queries.bases, (std::vector<u32>{4, 0, 2}));
  EXPECT_EQ(queries.letters(2), "GG");
  EXPECT_EQ(queries.name(2), "d");
}

TEST(Queries, OfAFileAreTakenFromItsStart) {
  const TemporaryFolder folder;
  const auto path = folder.write("q.fa", ">a\nAC\n>b\nGT\n>\nTT\n");
  EXPECT_EQ(read_queries(path, 2).total, 2u);
  EXPECT_EQ(read_queries(path, 3).name_in_file(2), "3");
  expect_error_text([&] { read_queries(path, 4); });
}

TEST(Queries, SampledFromATextOccurInItInTheProportionAskedFor) {
  const std::string letters = testing::random_letters(5000, 1);
  const auto text = testing::codes(letters);
  for (u32 percent : {0u, 30u, 100u}) {
    const Queries queries =
        sample_queries(text, {.count = 1000, .bases = 30, .occurring_percent = percent, .seed = 3}, pool());
    u32 found = 0;
    for (u32 q = 0; q < 1000; ++q) found += letters.find(queries.letters(q)) != std::string::npos ? 1 : 0;
    EXPECT_EQ(found, percent * 10);
    EXPECT_EQ(queries.total_bases, 30'000u);
  }
}

TEST(Queries, MayBeAsLongAsTheTextButNotLonger) {
  const auto text = testing::codes("ACGTT");
  const Queries whole = sample_queries(text, {.count = 3, .bases = 5}, pool());
  for (u32 q = 0; q < 3; ++q) EXPECT_EQ(whole.letters(q), "ACGTT");
  EXPECT_THROW(sample_queries(text, {.count = 3, .bases = 6}, pool()), UsageError);
  EXPECT_EQ(sample_queries(text, {.count = 3, .bases = 6, .occurring_percent = 0}, pool()).longest, 6u);
}

TEST(Queries, WalkedOutOfASyntheticColumnOccur) {
  for (u64 bases : {50, 1000, 100'000}) {
    const Bwt bwt = synthetic_bwt(bases, bases, pool());
    const ColumnRank rank(bwt, pool());
    const Queries queries = walk_queries(rank, {.count = 5000, .bases = 21, .seed = 9}, pool());
    const auto checked = checked_queries(5000);
    for (const Interval<u64>& interval : search_column(bwt, queries, checked, pool()))
      ASSERT_LT(interval.l, interval.h) << bases;
  }
}

TEST(Queries, CannotBeWalkedOutOfAColumnThatIsShorterThanThey) {
  Bwt bwt = testing::bwt_of_letters("ACGT", pool(), 1);  // one cycle of five rows
  const ColumnRank rank(bwt, pool());
  EXPECT_EQ(walk_queries(rank, {.count = 10, .bases = 4}, pool()).letters(7), "ACGT");
  EXPECT_THROW(walk_queries(rank, {.count = 10, .bases = 5}, pool()), UsageError);
}

TEST(Queries, OfASeedAreTheSameOnAnyNumberOfThreads) {
  ThreadPool one(1);
  const auto text = testing::codes(testing::random_letters(9000, 1));
  const Sampling sampling{.count = 10'000, .bases = 33, .occurring_percent = 50, .seed = 4};
  EXPECT_EQ(sample_queries(text, sampling, one).packed, sample_queries(text, sampling, pool()).packed);
  const Bwt bwt = synthetic_bwt(9000, 1, pool());
  const ColumnRank rank(bwt, pool());
  EXPECT_EQ(walk_queries(rank, sampling, one).packed, walk_queries(rank, sampling, pool()).packed);
}

}  // namespace
}  // namespace gpuseq::fm_index
