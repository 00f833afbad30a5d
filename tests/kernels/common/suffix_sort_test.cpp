#include "kernels/common/suffix_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "runtime/system/random.hpp"

// Suffixes sorted in buckets against those sorted by comparing them letter by letter.

namespace gpuseq {
namespace {

constexpr u8 kSeparator = 4;

/// Letters of 0 ... `letters` - 1; `copies` of a hundred are copied from before, up to `longest` at a time.
std::vector<u8> random_text(Random& random, u64 size, u64 letters, u64 copies, u64 longest) {
  std::vector<u8> text;
  while (text.size() < size) {
    if (text.empty() || random.below(100) >= copies) {
      text.push_back(static_cast<u8>(random.below(letters)));
      continue;
    }
    u64 from = random.below(text.size());
    for (u64 left = 1 + random.below(longest); left > 0 && text.size() < size; --left)
      text.push_back(text[from++]);
  }
  return text;
}

/// Separators instead of one of `one_of` letters, and at the end.
std::vector<u8> separated(std::vector<u8> text, Random& random, u64 one_of) {
  for (u8& letter : text)
    if (random.below(one_of) == 0) letter = kSeparator;
  text.back() = kSeparator;
  return text;
}

std::vector<u32> positions_of_letters(std::span<const u8> text) {
  std::vector<u32> positions;
  for (u32 at = 0; at < text.size(); ++at)
    if (text[at] < 4) positions.push_back(at);
  return positions;
}

/// The order of a text whose suffixes are longer than nothing: `$` is smaller than every letter.
std::vector<u32> sorted_by_comparing(std::span<const u8> text) {
  std::vector<u32> positions = positions_of_letters(text);
  std::ranges::sort(positions, [&](u32 a, u32 b) {
    return std::ranges::lexicographical_compare(text.subspan(a), text.subspan(b));
  });
  return positions;
}

std::optional<std::vector<u32>> sorted_in_buckets(std::span<const u8> text, SuffixEnds ends, int threads) {
  ThreadPool pool(threads, false);
  std::vector<u32> positions(positions_of_letters(text).size());
  if (!sort_in_buckets(text, ends, positions, pool)) return std::nullopt;
  return positions;
}

TEST(SuffixSort, InBucketsIsTheOrderOfSuffixesThatEndWithTheText) {
  Random random(1);
  u32 sorted = 0;
  for (const u64 size : {64, 95, 96, 97, 127, 128, 500, 3000, 40'000})
    for (const u64 letters : {2, 3, 4})
      for (const u64 copies : {0, 1, 5})
        for (const int threads : {1, 3}) {
          const auto text = random_text(random, size, letters, copies, size / 20 + 1);
          const auto found = sorted_in_buckets(text, SuffixEnds::text, threads);
          if (!found) continue;
          ++sorted;
          ASSERT_EQ(*found, sorted_by_comparing(text)) << size << ' ' << letters << ' ' << copies;
        }
  EXPECT_GT(sorted, 120u);  // of 162
}

TEST(SuffixSort, InBucketsTellsSuffixesApartThatEndWithinAKey) {
  // Both ends of the text are alike, so that suffixes end at each letter of a key of 32.
  Random random(2);
  for (u64 shared = 1; shared < 100; ++shared) {
    auto text = random_text(random, 400, 4, 0, 1);
    std::copy_n(text.begin(), shared, text.end() - static_cast<std::ptrdiff_t>(shared));
    for (u64 zeros = 0; zeros < 2; ++zeros) {
      ASSERT_EQ(sorted_in_buckets(text, SuffixEnds::text, 2), sorted_by_comparing(text)) << shared;
      std::fill(text.end() - static_cast<std::ptrdiff_t>(shared / 4), text.end(), u8{0});  // as is behind it
    }
  }
}

/// Sorts the suffixes of a text that ends with a separator: up to each suffix's own separator, then by
/// position.
std::vector<u32> sorted_up_to_separators(std::span<const u8> text) {
  std::vector<u32> positions = positions_of_letters(text);
  std::ranges::sort(positions, [&](u32 a, u32 b) {
    u64 letters = 0;
    while (text[a + letters] == text[b + letters] && text[a + letters] < kSeparator) ++letters;
    return text[a + letters] != text[b + letters] ? text[a + letters] < text[b + letters] : a < b;
  });
  return positions;
}

TEST(SuffixSort, InBucketsGoesUpToSeparators) {
  Random random(3);
  for (const u64 size : {64, 100, 1000, 40'000})
    for (const u64 one_of : {2, 10, 50, 1000})
      for (const int threads : {1, 3}) {
        const auto text = separated(random_text(random, size, 4, 1, 100), random, one_of);
        ASSERT_EQ(sorted_in_buckets(text, SuffixEnds::separators, threads), sorted_up_to_separators(text))
            << size << ' ' << one_of;
      }
}

/// Records of which many end alike, on both sides of a bucket letter more and of a thread's share of packing.
TEST(SuffixSort, InBucketsOrdersSuffixesThatAreTheSameByTheirPositions) {
  Random random(5);
  constexpr u64 kFifthLetter = 262'144;
  for (const u64 size : {u64{200}, u64{5000}, kFifthLetter - 1, kFifthLetter, kFifthLetter + 33})
    for (const u64 end : {1, 12, 32, 70}) {
      const auto shared = random_text(random, end, 4, 0, 1);
      std::vector<u8> text;
      while (text.size() < size) {
        const auto own = random_text(random, 20 + random.below(60), 4, 0, 1);
        text.insert(text.end(), own.begin(), own.end());
        text.insert(text.end(), shared.begin(), shared.end());
        text.push_back(kSeparator);
      }
      text.resize(size);
      text.back() = kSeparator;
      const auto expected = sorted_up_to_separators(text);
      for (const int threads : {1, 3}) {
        const auto found = sorted_in_buckets(text, SuffixEnds::separators, threads);
        ASSERT_TRUE(!found || *found == expected) << size << ' ' << end << ' ' << threads;
        EXPECT_TRUE(found) << size << ' ' << end << ' ' << threads;
      }
    }
}

TEST(SuffixSort, InBucketsIsGivenUpWhereATextRepeatsMoreThanGenomesDo) {
  Random random(4);
  constexpr u64 kLetters = 300'000;
  const auto repeated = [&](u64 period) {
    const auto piece = random_text(random, period, 4, 0, 1);
    std::vector<u8> text(kLetters);
    for (u64 at = 0; at < kLetters; ++at) text[at] = piece[at % period];
    return text;
  };
  for (const u64 period : {1, 2, 150, 2000, 50'000})
    EXPECT_FALSE(sorted_in_buckets(repeated(period), SuffixEnds::text, 2)) << period;
  // Two copies, of which each pair of suffixes is the same for as long as is left of the second.
  EXPECT_FALSE(sorted_in_buckets(repeated(kLetters / 2), SuffixEnds::text, 2));
  std::vector<u8> fibonacci{0}, before{1};
  while (fibonacci.size() < kLetters) {
    const auto last = fibonacci;
    fibonacci.insert(fibonacci.end(), before.begin(), before.end());
    before = last;
  }
  EXPECT_FALSE(sorted_in_buckets(fibonacci, SuffixEnds::text, 2));
  auto half = random_text(random, kLetters, 4, 0, 1);
  std::fill_n(half.begin(), kLetters / 2, u8{2});
  EXPECT_FALSE(sorted_in_buckets(half, SuffixEnds::text, 2));
}

TEST(SuffixSort, InBucketsTakesAQuarterOfAByteALetterAndItsBuckets) {
  constexpr u64 kLetters = 3'100'000'000, kOfBuckets = u64{18} << 20;  // 16 threads and two more, of 4^9
  EXPECT_EQ(bucket_sort_bytes(kLetters, SuffixEnds::text, 16), (kLetters / 32 + 2) * 8 + kOfBuckets);
  EXPECT_EQ(bucket_sort_bytes(kLetters, SuffixEnds::separators, 16), (kLetters / 32 + 2) * 12 + kOfBuckets);
}

}  // namespace
}  // namespace gpuseq
