#include "kernels/exact_match/data/strands.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/kernels/exact_match/small_inputs.hpp"

namespace gpuseq::exact_match {
namespace {

Queries some_queries(u64 count) {
  Random random(count);
  Queries queries = empty_queries();
  for (u64 i = 0; i < count; ++i)
    append(queries, "q", testing::random_letters(random, random.below(40), i % 3 == 0 ? "ACGTN" : "AC"));
  return queries;
}

/// Strands of few kinds: numbers alone order most of them.
Queries equal_queries(u64 count) {
  Queries queries = empty_queries();
  for (u64 i = 0; i < count; ++i) append(queries, "q", i % 7 == 0 ? "" : i % 3 == 0 ? "A" : "GATTACA");
  return queries;
}

TEST(Strands, StandOneAfterTheOtherWithLettersBetweenThatMatchNothing) {
  ThreadPool pool(2);
  for (const u64 count : {0, 1, 2, 500, 4096, 4097})  // threads take 4096 at a time
    for (const bool both : {false, true}) {
      const Queries queries = some_queries(count);
      const Search search{.min_length = 8, .both_strands = both};
      const StrandLayout layout = strand_layout(queries, search);
      std::vector<u8> letters(layout.letters(), 77);
      write_strands(queries, layout, pool, letters);
      ASSERT_EQ(layout.strands(), count * search.strands());
      EXPECT_EQ(layout.slot_begin, slot_begins(queries, search));
      std::vector<u8> expected{kNoBase};
      for (u64 strand = 0; strand < layout.strands(); ++strand) {
        std::vector<u8> codes(queries.length(strand / search.strands()));
        const auto query = queries.codes(strand / search.strands());
        if (strand % search.strands() == 0)
          std::copy(query.begin(), query.end(), codes.begin());
        else
          reverse_complement(query, codes);
        EXPECT_EQ(layout.begin[strand], expected.size());
        expected.insert(expected.end(), codes.begin(), codes.end());
        expected.push_back(kNoBase);
        EXPECT_EQ(layout.begin[strand + 1], expected.size());
      }
      expected.insert(expected.end(), kTextPadding, kNoBase);
      EXPECT_EQ(letters, expected);
    }
}

TEST(Strands, OfReverseComplementsThatAreComputedAreTheQueriesOnce) {
  ThreadPool pool(2);
  for (const u64 count : {0, 1, 500, 4096, 4097}) {
    const Queries queries = some_queries(count);
    const Search search{.min_length = 8, .both_strands = true};
    const StrandLayout layout = strand_layout(queries, search, true);
    std::vector<u8> letters(layout.letters(), 77);
    write_strands(queries, layout, pool, letters);
    ASSERT_EQ(layout.strands(), 2 * count);
    ASSERT_EQ(layout.begin.size(), count + 1);
    EXPECT_EQ(layout.slot_begin, slot_begins(queries, search));
    std::vector<u8> expected(kTextPadding, kNoBase);
    for (u64 query = 0; query < count; ++query) {
      EXPECT_EQ(layout.begin[query], expected.size());
      const auto codes = queries.codes(query);
      expected.insert(expected.end(), codes.begin(), codes.end());
      expected.push_back(kNoBase);
    }
    expected.insert(expected.end(), kTextPadding, kNoBase);
    EXPECT_EQ(letters, expected);
  }
}

TEST(Strands, AreSortedByTheirFirstLettersAndNoneIsLost) {
  for (const int threads : {1, 3}) {
    ThreadPool pool(threads);
    for (const u64 count : {0, 1, 2, 3000, 9000}) {
      const Queries queries = count == 9000 ? equal_queries(count) : some_queries(count);
      const Search search{.min_length = 8, .both_strands = true};
      const StrandLayout layout = strand_layout(queries, search);
      std::vector<u8> letters(layout.letters());
      write_strands(queries, layout, pool, letters);
      const std::vector<u32> order = sorted_strands(letters, layout.begin, pool);
      std::vector<u32> all = order, expected(layout.strands());
      std::sort(all.begin(), all.end());
      std::iota(expected.begin(), expected.end(), 0u);
      EXPECT_EQ(all, expected);
      const auto first_letters = [&](u32 strand) {
        std::vector<u8> key(16);
        for (u64 i = 0; i < key.size() && layout.begin[strand] + i < letters.size(); ++i)
          key[i] = letters[layout.begin[strand] + i] & 3;
        return key;
      };
      for (u64 i = 1; i < order.size(); ++i) {
        const auto before = first_letters(order[i - 1]), after = first_letters(order[i]);
        EXPECT_TRUE(before < after || (before == after && order[i - 1] < order[i])) << i;
      }
    }
  }
}

}  // namespace
}  // namespace gpuseq::exact_match
