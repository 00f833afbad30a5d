#include "kernels/exact_match/data/word_tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/exact_match/data/generator.hpp"

namespace gpuseq::exact_match {
namespace {

std::string word_of(u64 number, u32 letters) {
  std::string word;
  for (u32 i = 0; i < letters; ++i) word += "ACGT"[number >> (2 * i) & 3];
  return word;
}

class WordTables : public ::testing::Test {
 protected:
  ThreadPool pool_{2};
  Reference reference_ = random_reference({.bases = 700, .sequences = 3, .repeat_percent = 30});
  std::string text_ = letters_of(reference_.text);  // separators are N
  SuffixTree tree_ = build_tree(reference_.text, pool_);
};

TEST_F(WordTables, PrefixesEndWhereTheirLongestBeginningThatOccursEnds) {
  const TreeView tree = tree_.view();
  for (const u32 letters : {1u, 3u, 4u, 6u}) {
    const PrefixTable table = make_prefix_table(tree, letters, pool_);
    ASSERT_EQ(table.slots.size(), u64{1} << (2 * letters));
    for (u64 number = 0; number < table.slots.size(); ++number) {
      const std::string word = word_of(number, letters);
      u32 longest = letters;
      while (text_.find(word.substr(0, longest)) == text_.npos) --longest;
      const Slot slot = table.slots[number];
      ASSERT_EQ(slot.length, longest) << word;
      const bool leaf = is_leaf(slot.node);
      const u32 place = leaf ? leaf_position(slot.node) : tree.nodes[slot.node].position;
      EXPECT_EQ(text_.substr(place, longest), word.substr(0, longest));
      const u32 above = leaf ? tree.leaf_parent[place] : tree.nodes[slot.node].parent;
      EXPECT_TRUE(longest == 0 || tree.nodes[above].depth < longest) << word;
      EXPECT_TRUE(leaf || tree.nodes[slot.node].depth >= longest) << word;
    }
  }
}

TEST_F(WordTables, TheFilterHoldsTheWordsThatOccurAndNoOther) {
  for (const u32 letters : {1u, 2u, 5u, 7u}) {
    const WordFilter filter = make_word_filter(reference_.text, letters, pool_);
    for (u64 number = 0; number < u64{1} << (2 * letters); ++number)
      ASSERT_EQ(filter.words[number / 64] >> (number % 64) & 1,
                text_.find(word_of(number, letters)) != text_.npos)
          << word_of(number, letters);
  }
}

TEST_F(WordTables, TheFilterHoldsTheWordsAcrossEveryBorderOfShares) {
  ThreadPool pool(3, false);
  for (const u32 letters : {1u, 4u, 7u}) {
    const WordFilter expected = make_word_filter(reference_.text, letters, pool);
    for (const u64 of_a_share : {1u, 2u, 3u, 7u, 50u, 701u}) {
      const WordFilter found = make_word_filter(reference_.text, letters, pool, of_a_share);
      EXPECT_TRUE(std::ranges::equal(found.words, expected.words)) << letters << ' ' << of_a_share;
    }
  }
}

TEST_F(WordTables, TheFilterHoldsTheWordsOfATextThatThreadsShare) {
  constexpr u32 kLetters = 12;
  const Reference reference = random_reference({.bases = 800'000, .sequences = 5, .repeat_percent = 10});
  const std::string text = letters_of(reference.text);
  std::vector<bool> occurs(std::size_t{1} << (2 * kLetters));
  for (std::size_t at = 0; at + kLetters <= text.size(); ++at) {
    u64 number = 0;
    bool bases = true;
    for (u32 i = 0; i < kLetters; ++i) {
      const auto code = std::string_view("ACGT").find(text[at + i]);
      bases = bases && code != std::string_view::npos;
      number += (code & 3) << (2 * i);
    }
    if (bases) occurs[number] = true;
  }
  ThreadPool pool(3);
  const WordFilter filter = make_word_filter(reference.text, kLetters, pool);
  for (u64 number = 0; number < occurs.size(); ++number)
    ASSERT_EQ((filter.words[number / 64] >> (number % 64) & 1) != 0, occurs[number])
        << word_of(number, kLetters);
}

}  // namespace
}  // namespace gpuseq::exact_match
