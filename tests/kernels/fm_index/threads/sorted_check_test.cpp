#include "kernels/fm_index/data/sorted_check.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "kernels/fm_index/data/cache.hpp"
#include "tests/kernels/fm_index/brute_force.hpp"
#include "tests/kernels/fm_index/threads/repeating_text.hpp"
#include "tests/runtime/temporary_folder.hpp"

// The check of a sorted text in pieces of few rows, that threads share, whatever lies at their borders.

namespace gpuseq::fm_index {
namespace {

constexpr u64 kPieces[] = {64, 128, kRowsPerPiece};

/// Texts of whole pieces, of one row less and of one more; `$` is in the first row, in the last and between.
std::vector<std::string> texts() {
  std::vector<std::string> all;
  for (const u64 bases : {1, 62, 63, 64, 65, 126, 127, 128, 129, 400}) {
    all.emplace_back(bases, 'A');
    all.emplace_back("T" + std::string(bases - 1, 'A'));
    all.push_back(testing::repeating_text(bases));
  }
  return all;
}

TEST(SortedCheck, TakesTheSuffixesOfATextInPiecesOfAnyRows) {
  ThreadPool pool(3, false);
  for (const std::string& letters : texts()) {
    const auto text = testing::codes(letters);
    const std::vector<u32> sorted = testing::SortedText(letters).positions();
    const Bwt bwt = bwt_of(text, SuffixArray(sorted), pool);
    for (const u64 rows : kPieces)
      EXPECT_TRUE(is_sorted(text, bwt, pieces_in(sorted), pool, rows)) << letters.size() << ' ' << rows;
  }
}

TEST(SortedCheck, RefusesTwoSuffixesThatChangedPlacesInAnyPiece) {
  ThreadPool pool(3, false);
  for (const std::string& letters : texts()) {
    const auto text = testing::codes(letters);
    std::vector<u32> sorted = testing::SortedText(letters).positions();
    const Bwt bwt = bwt_of(text, SuffixArray(sorted), pool);
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      std::swap(sorted[i - 1], sorted[i]);
      for (const u64 rows : kPieces)
        EXPECT_FALSE(is_sorted(text, bwt, pieces_in(sorted), pool, rows)) << letters.size() << ' ' << i;
      std::swap(sorted[i - 1], sorted[i]);
    }
  }
}

TEST(SortedCheck, TakesWhatACacheHoldsInPiecesOfAnyRows) {
  const TemporaryFolder folder;
  ThreadPool pool(3, false);
  for (const std::string& letters : texts()) {
    const auto text = testing::codes(letters);
    const SuffixArray sorted(testing::SortedText(letters).positions());
    const Bwt bwt = bwt_of(text, sorted, pool);
    for (const u64 rows : kPieces) {
      BwtCache cache(folder.path() / "cache", text, rows);
      ASSERT_TRUE(cache.store(bwt, sorted)) << cache.note();
      EXPECT_TRUE(cache.load_bwt(pool)) << cache.note();
      EXPECT_TRUE(cache.load_suffixes(bwt, pool) == sorted) << cache.note();
    }
  }
}

}  // namespace
}  // namespace gpuseq::fm_index
