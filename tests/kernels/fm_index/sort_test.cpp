#include <gtest/gtest.h>

#include "kernels/fm_index/data/bwt.hpp"
#include "kernels/fm_index/data/reference.hpp"
#include "tests/kernels/fm_index/brute_force.hpp"
#include "tests/runtime/endless_input.hpp"

// Suffixes sorted with all threads against those of libdivsufsort, and the cost of sorting.

namespace gpuseq::fm_index {
namespace {

/// `copies` of random bases, of which each base is another one of a hundred times.
std::vector<u8> copies_of(u64 bases, u32 copies, ThreadPool& pool) {
  Random random(7);
  std::vector<u8> text;
  const auto once = random_reference(bases, 5, pool).text;
  for (u32 i = 0; i < copies; ++i)
    for (const u8 base : once)
      text.push_back(random.below(100) > 0 ? base : static_cast<u8>(random.below(4)));
  return text;
}

TEST(FmIndexSort, ByAllThreadsIsThatOfOne) {
  ThreadPool pool(3, false);
  const std::vector<std::vector<u8>> texts{
      testing::codes("A"),
      testing::codes(testing::random_letters(1000, 1)),
      random_reference(2'000'000, 2, pool).text,
      copies_of(100'000, 6, pool),
      std::vector<u8>(200'000, 0),
  };
  for (const auto& text : texts)
    EXPECT_EQ(sort_suffixes(text, pool), sort_by_divsufsort(text)) << text.size();
}

TEST(FmIndexSort, WithWidePositionsIsThatWithNarrowOnes) {
  ThreadPool pool(2, false);
  const auto text = testing::codes(testing::random_letters(5000, 3));
  const SuffixArray narrow = sort_by_divsufsort(text);
  // As texts of 2^31 bases and more are sorted, and as those of 2^32 - 1 and more.
  EXPECT_EQ(sort_by_divsufsort(text, {.sorted = 5000, .kept = 5001}), narrow);
  const SuffixArray wide = sort_by_divsufsort(text, {.sorted = 1000, .kept = 5000});
  ASSERT_EQ(wide.index(), 1u);
  EXPECT_TRUE(std::ranges::equal(std::get<1>(wide), std::get<0>(narrow)));
  const Bwt expected = bwt_of(text, narrow, pool), found = bwt_of(text, wide, pool);
  EXPECT_EQ(found.first, expected.first);
  EXPECT_EQ(found.columns[0].planes, expected.columns[0].planes);
  EXPECT_EQ(found.columns[0].dollar_row, expected.columns[0].dollar_row);
}

TEST(FmIndexSort, TakesWhatItSays) {
  constexpr u64 kBases = 3'100'000'000, kWide = kSort64;
  EXPECT_EQ(sorting_bytes(kBases, true, 16), 4 * kBases + bucket_sort_bytes(kBases, SuffixEnds::text, 16));
  EXPECT_LT(sorting_bytes(kBases, true, 16), 5 * kBases);
  EXPECT_GE(sorting_bytes(kBases, false, 1), (8 + 4) * kBases);
  EXPECT_GE(sorting_bytes(kWide, false, 1), 8 * kWide);
}

TEST(FmIndexSort, IsRefusedWithNumbersBeforeItStartsWhereItDoesNotFit) {
  ThreadPool pool(1, false);
  const auto text = random_reference(150'000'000, 1, pool).text;
  expect_does_not_fit([&] { sort_suffixes(text, pool); });
}

}  // namespace
}  // namespace gpuseq::fm_index
