#include "kernels/exact_match/data/suffix_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/exact_match/data/generator.hpp"
#include "tests/kernels/exact_match/small_inputs.hpp"

// Suffixes sorted in buckets, and trees made with several threads, against those of one thread.

namespace gpuseq::exact_match {
namespace {

Reference reference_of(const std::vector<std::string>& sequences) {
  Reference reference = empty_reference();
  for (const std::string& letters : sequences) append(reference, "r", letters);
  return reference;
}

/// Letters up to the separator.
std::span<const u8> suffix(std::span<const u8> text, u32 position) {
  const auto from = text.subspan(position);
  return from.first(static_cast<std::size_t>(std::find(from.begin(), from.end(), kSeparator) - from.begin()));
}

/// As if a separator were behind every letter.
bool comes_first(std::span<const u8> a, std::span<const u8> b) {
  const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (x == a.end() || y == b.end()) return x != a.end();
  return *x < *y;
}

/// In any order of those that are the same up to their separators.
void expect_sorted(std::span<const u8> text, const HugeArray<u32>& leaves) {
  std::vector<u32> positions(leaves.begin(), leaves.end()), expected;
  for (u64 i = 1; i < positions.size(); ++i)
    ASSERT_FALSE(comes_first(suffix(text, positions[i]), suffix(text, positions[i - 1]))) << i;
  for (u32 at = 0; at < text.size(); ++at)
    if (text[at] < 4) expected.push_back(at);
  std::sort(positions.begin(), positions.end());
  EXPECT_EQ(positions, expected);
}

TEST(SuffixSort, SortsInBucketsUpToSeparators) {
  Random random(11);
  std::vector<Reference> references{
      random_reference({.bases = 30000, .sequences = 300, .repeat_percent = 60}),
      random_reference({.bases = 30000, .sequences = 1, .repeat_percent = 90}),
      random_reference({.bases = 3000, .sequences = 3000, .repeat_percent = 0})};
  for (const char* alphabet : {"ACGTN", "ACGTACGTACGTACGTACGTACGTN"}) {
    std::vector<std::string> sequences;
    for (int i = 0; i < 40; ++i) {
      sequences.push_back(testing::random_letters(random, random.below(400), alphabet));
      if (i % 3 == 0) sequences.push_back(sequences.back());  // the same up to its separator
    }
    references.push_back(reference_of(sequences));
  }
  for (const Reference& reference : references)
    for (const int threads : {1, 3}) {
      ThreadPool pool(threads, false);
      const auto leaves = sort_in_buckets(reference.text, pool);
      ASSERT_TRUE(leaves);
      expect_sorted(reference.text, *leaves);
      expect_sorted(reference.text, sort_by_divsufsort(reference.text));
    }
}

TEST(SuffixSort, GivesBucketsUpWhereATextRepeatsMoreThanGenomesDo) {
  ThreadPool pool(2, false);
  Random random(12);
  const std::string piece = testing::random_letters(random, 2000, "ACGT");
  for (const std::string& letters : {std::string(150'000, 'A'), testing::repeated(piece, 80)}) {
    const Reference reference = reference_of({letters});
    EXPECT_FALSE(sort_in_buckets(reference.text, pool));
    const auto leaves = sort_suffixes(reference.text, pool).leaves;
    const auto expected = sort_by_divsufsort(reference.text);
    EXPECT_TRUE(std::ranges::equal(leaves, expected));
  }
}

TEST(SuffixSort, CommonPrefixesAreThoseOfOneThread) {
  const Reference reference = random_reference({.bases = 400'000, .sequences = 20, .repeat_percent = 50});
  ThreadPool one(1, false), three(3, false);
  const auto leaves = sort_by_divsufsort(reference.text);
  const auto prefixes = common_prefixes(reference.text, leaves, three).letters;
  EXPECT_EQ(prefixes, common_prefixes(reference.text, leaves, one).letters);
  for (u64 i = 1; i < leaves.size(); i += 997) {
    const auto a = suffix(reference.text, leaves[i - 1]), b = suffix(reference.text, leaves[i]);
    EXPECT_EQ(prefixes[leaves[i]], std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  }
}

void expect_same_tree(const Reference& reference, int threads) {
  ThreadPool one(1, false), several(threads, false);
  const SuffixTree expected = build_tree(reference.text, one), tree = build_tree(reference.text, several);
  ASSERT_EQ(tree.nodes.size(), expected.nodes.size());
  for (u32 v = 0; v < tree.nodes.size(); ++v) {
    const TreeNode &a = tree.nodes[v], &b = expected.nodes[v];
    ASSERT_EQ(a.position, b.position) << v;
    ASSERT_EQ(a.depth, b.depth) << v;
    ASSERT_EQ(a.parent, b.parent) << v;
    ASSERT_EQ(a.suffix_link, b.suffix_link) << v;
    ASSERT_TRUE(std::ranges::equal(a.child, b.child)) << v;
    // The link's string is this one's without its first letter.
    const TreeNode& link = tree.nodes[a.suffix_link];
    ASSERT_EQ(link.depth + (v != kRoot), a.depth);
    ASSERT_TRUE(std::equal(tree.text.begin() + a.position + (v != kRoot),
                           tree.text.begin() + a.position + a.depth, tree.text.begin() + link.position));
  }
  EXPECT_TRUE(std::ranges::equal(tree.leaves, expected.leaves));
  EXPECT_TRUE(std::ranges::equal(tree.leaf_parent, expected.leaf_parent));
  EXPECT_TRUE(std::ranges::equal(tree.leaf_depth, expected.leaf_depth));
}

TEST(SuffixSort, ATreeMadeBySeveralThreadsIsThatOfOne) {
  expect_same_tree(random_reference({.bases = 400'000, .sequences = 1, .repeat_percent = 50}), 3);
  for (const u64 bases : {90'000, 200'000})
    expect_same_tree(random_reference({.bases = bases, .sequences = 900, .repeat_percent = 50}), 3);
  expect_same_tree(reference_of({std::string(50'000, 'A'), testing::repeated("ACG", 13'000)}), 3);
}

}  // namespace
}  // namespace gpuseq::exact_match
