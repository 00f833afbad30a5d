#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/exact_match/data/node_order.hpp"
#include "kernels/exact_match/data/suffix_sort.hpp"
#include "kernels/exact_match/data/tree_check.hpp"
#include "tests/kernels/exact_match/records_alike.hpp"

// Trees of records that end alike, made with one thread and with several, on both sides of each size
// from which threads share work. The expected order is that of comparing suffixes letter by letter.

namespace gpuseq::exact_match {
namespace {

using testing::records_alike;
using testing::RecordsAlike;

/// So small that threads share every step of a text of some thousand letters.
constexpr TreeTasks kSmallTasks{
    .letters_in_buckets = 0, .items = 37, .leaves_of_a_piece = 64, .leaves_of_a_part = 3};

/// A text with the end of each of its suffixes.
class Suffixes {
 public:
  explicit Suffixes(std::span<const u8> text) : text_(text), end_(text.size()) {
    for (u64 at = text.size(), end = at; at-- > 0; end_[at] = end)
      if (text[at] > 3) end = at;
  }
  /// All that begin with a base, by their letters, then by their positions. A separator is greatest.
  std::vector<u32> sorted() const {
    std::vector<u32> positions;
    for (u32 at = 0; at < text_.size(); ++at)
      if (text_[at] < 4) positions.push_back(at);
    std::ranges::sort(positions, [&](u32 a, u32 b) {
      const u64 letters = common(a, b);
      return a + letters == end_[a] && b + letters == end_[b] ? a < b
                                                              : text_[a + letters] < text_[b + letters];
    });
    return positions;
  }
  u32 common(u32 a, u32 b) const {
    const u64 most = std::min(end_[a] - a, end_[b] - b);
    const auto from = text_.subspan(a, most);
    return static_cast<u32>(std::ranges::mismatch(from, text_.subspan(b, most)).in1 - from.begin());
  }
  bool are_same(u32 a, u32 b) const { return end_[a] - a == end_[b] - b && common(a, b) == end_[a] - a; }

 private:
  std::span<const u8> text_;
  std::vector<u64> end_;
};

/// @param tasks  by which several threads share the work
void expect_sorted(std::span<const u8> text, const TreeTasks& tasks, std::initializer_list<int> numbers) {
  const Suffixes suffixes(text);
  const std::vector<u32> expected = suffixes.sorted();
  for (const int threads : numbers) {
    ThreadPool pool(threads, false);
    const SortedSuffixes found = sort_suffixes(text, pool, tasks);
    ASSERT_TRUE(std::ranges::equal(found.leaves, expected)) << threads << " threads";
    for (u64 rank = 1; rank < expected.size(); ++rank)
      ASSERT_EQ(found.prefixes[expected[rank]], suffixes.common(expected[rank - 1], expected[rank]))
          << threads << " threads, rank " << rank;
  }
}

void expect_same(const SuffixTree& tree, const SuffixTree& expected) {
  const auto bytes = [](const auto& values) {
    return std::as_bytes(std::span(values.data(), values.size()));
  };
  EXPECT_TRUE(std::ranges::equal(tree.leaves, expected.leaves));
  EXPECT_TRUE(std::ranges::equal(tree.leaf_parent, expected.leaf_parent));
  EXPECT_TRUE(std::ranges::equal(tree.leaf_depth, expected.leaf_depth));
  EXPECT_TRUE(std::ranges::equal(bytes(tree.nodes), bytes(expected.nodes)));
  EXPECT_TRUE(std::ranges::equal(bytes(tree.ranges), bytes(expected.ranges)));
}

TEST(TreeThreads, SuffixesOfRecordsThatEndAlikeHaveOneOrder) {
  for (const std::size_t letters : {60, 700, 3000})
    for (const RecordsAlike& input : records_alike(letters)) {
      SCOPED_TRACE(input.name);
      const Reference reference = input.reference();
      expect_sorted(reference.text, kSmallTasks, {1, 2, 3, 8});
      expect_sorted(reference.text, {}, {1, 3});
    }
}

TEST(TreeThreads, SuffixesOfLargeFilesOfRecordsThatEndAlikeHaveOneOrder) {
  for (const RecordsAlike& input : records_alike(110'000)) {
    const Reference reference = input.reference();
    const auto longest = std::ranges::max(input.records, {}, &std::string::size).size();
    if (longest > 15'000) continue;  // comparing letter by letter takes too long
    SCOPED_TRACE(input.name);
    ASSERT_GE(reference.text.size(), TreeTasks{}.letters_in_buckets);
    expect_sorted(reference.text, {}, {1, 2, 3});
  }
}

TEST(TreeThreads, TreesOfRecordsThatEndAlikeAreThoseOfOneThread) {
  ThreadPool one(1, false), three(3, false);
  for (const std::size_t letters : {60, 700, 3000})
    for (const RecordsAlike& input : records_alike(letters)) {
      SCOPED_TRACE(input.name);
      const Reference reference = input.reference();
      const SuffixTree expected = build_tree(reference.text, one);
      EXPECT_TRUE(is_suffix_tree(expected, one));
      const SuffixTree tree = build_tree(reference.text, three, kSmallTasks);
      expect_same(tree, expected);
      EXPECT_TRUE(is_suffix_tree(tree, three, kSmallTasks.items));
    }
}

TEST(TreeThreads, TreesOfLargeFilesOfRecordsThatEndAlikeAreThoseOfOneThread) {
  ThreadPool one(1, false), two(2, false), several(5, false);
  for (const std::size_t letters : {98'000, 110'000, 280'000})
    for (const RecordsAlike& input : records_alike(letters)) {
      SCOPED_TRACE(input.name);
      const Reference reference = input.reference();
      const SuffixTree expected = build_tree(reference.text, one);
      EXPECT_TRUE(is_suffix_tree(expected, one));
      expect_same(build_tree(reference.text, two), expected);
      const SuffixTree tree = build_tree(reference.text, several);
      expect_same(tree, expected);
      EXPECT_TRUE(is_suffix_tree(tree, several));
    }
}

/// One letter below the size from which texts are sorted in buckets, that size, and one above.
TEST(TreeThreads, TreesAreTheSameWhereSortingInBucketsBegins) {
  ThreadPool one(1, false), two(2, false);
  for (const std::size_t letters : {99'999, 100'000, 100'001}) {
    RecordsAlike input = testing::records_of("guides", letters - 100, [random = Random(3)]() mutable {
      return testing::random_letters(random, 20, "ACGT") + "TGG";
    });
    const u64 missing = letters - input.reference().text.size();
    input.records.push_back(std::string(missing - 1, 'G'));
    const Reference reference = input.reference();
    ASSERT_EQ(reference.text.size(), letters);
    expect_same(build_tree(reference.text, two), build_tree(reference.text, one));
    expect_sorted(reference.text, {}, {1, 2});
  }
}

/// Time that grows with the square of a repeat would take hours.
TEST(TreeThreads, TextsThatRepeatThroughoutAreBuiltByAnyNumber) {
  constexpr std::size_t kLetters = 1'000'000;
  ThreadPool one(1, false), three(3, false);
  for (const RecordsAlike& input : records_alike(kLetters)) {
    if (input.name != "one letter only" && input.name != "equal records" &&
        input.name != "equal short words" && input.name != "two equal genomes" &&
        input.name != "one letter or none")
      continue;
    SCOPED_TRACE(input.name);
    const Reference reference = input.reference();
    const SuffixTree tree = build_tree(reference.text, three);
    EXPECT_TRUE(is_suffix_tree(tree, three));
    expect_same(build_tree(reference.text, one), tree);
  }
}

TEST(TreeThreads, NodesAreRenumberedInSharesAsByOneThread) {
  ThreadPool one(1, false);
  for (const RecordsAlike& input : records_alike(2000)) {
    SCOPED_TRACE(input.name);
    const Reference reference = input.reference();
    const SuffixTree sound = build_tree(reference.text, one);
    const std::vector<u32> sequence = node_sequence(sound, NodeOrder::breadth_first);
    std::vector<u32> new_number(sequence.size());
    for (u32 i = 0; i < sequence.size(); ++i) new_number[sequence[i]] = i;
    SuffixTree alone = build_tree(reference.text, one);
    renumber(alone, new_number);
    for (const u64 items : {1u, 3u, 64u}) {
      SuffixTree shared = build_tree(reference.text, one);
      renumber(shared, new_number, items);
      expect_same(shared, alone);
    }
  }
}

TEST(TreeThreads, LeavesInTheWrongOrderAreFoundByWhicheverThreadLooks) {
  ThreadPool one(1, false), three(3, false);
  for (const RecordsAlike& input : records_alike(700)) {
    SCOPED_TRACE(input.name);
    const Reference reference = input.reference();
    const Suffixes suffixes(reference.text);
    SuffixTree tree = build_tree(reference.text, one);
    for (u64 rank = 1; rank < tree.leaves.size(); rank += 29) {
      if (suffixes.are_same(tree.leaves[rank - 1], tree.leaves[rank])) continue;  // either order is right
      std::swap(tree.leaves[rank - 1], tree.leaves[rank]);
      for (const u64 items : {u64{1}, u64{37}, TreeTasks{}.items})
        EXPECT_FALSE(is_suffix_tree(tree, three, items)) << rank;
      std::swap(tree.leaves[rank - 1], tree.leaves[rank]);
    }
  }
}

}  // namespace
}  // namespace gpuseq::exact_match
