#include "kernels/fm_index/data/index.hpp"

#include <gtest/gtest.h>

#include "kernels/fm_index/data/layout_members.hpp"
#include "kernels/fm_index/data/rank.hpp"
#include "kernels/fm_index/walk.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/fm_index/brute_force.hpp"

namespace gpuseq::fm_index {
namespace {

using testing::BruteForce;
using testing::bwt_of_letters;

ThreadPool& pool() {
  static ThreadPool threads(2);
  return threads;
}

/// Every layout whose arithmetic differs, small d where d matters.
std::vector<Layout> layouts() {
  std::vector<Layout> result;
  for (u32 k = 1; k <= kMaxK; ++k)
    for (bool wide : {false, true}) {
      for (u32 d : {64u, 128u, 192u})
        for (const LayoutKind kind : {LayoutKind::full, LayoutKind::alternate})
          result.push_back({.kind = kind, .k = k, .d = d, .wide = wide});
      for (u32 d : {224u, 480u})
        result.push_back({.kind = LayoutKind::one_hot, .k = k, .d = d, .wide = wide});
    }
  return result;
}

std::vector<std::string> edge_texts() {
  std::vector<std::string> texts = {"A", "C", "T", "AAAA", "TTTT", "ACG", "CAAACATAT", "TA"};
  for (std::size_t n : {63, 64, 65, 223, 224, 225, 448})
    for (const char* unit : {"ACGT", "A"}) {
      std::string text;
      while (text.size() < n) text += unit;
      texts.push_back(text.substr(0, n));
    }
  for (std::size_t n : {5, 63, 64, 65, 127, 128, 191, 192, 224, 300, 1000})
    texts.push_back(testing::random_letters(n, n));
  return texts;
}

/// Queries of 0 ... 12 bases: pieces of the text, its start and end, repeats, and random ones.
std::vector<std::string> queries_for(const std::string& text) {
  std::vector<std::string> queries;
  Random random(7);
  for (std::size_t m = 0; m <= 12; ++m) {
    for (int i = 0; i < 4; ++i) queries.push_back(testing::random_letters(m, random()));
    for (char letter : {'A', 'C', 'G', 'T'}) queries.push_back(std::string(m, letter));
    if (m > text.size()) continue;
    queries.push_back(text.substr(0, m));
    queries.push_back(text.substr(text.size() - m));
    for (int i = 0; i < 4; ++i) queries.push_back(text.substr(random.below(text.size() - m + 1), m));
  }
  return queries;
}

struct Expected {
  std::string query;
  std::vector<u32> packed;
  Interval<u64> interval;
};

std::vector<Expected> expected_for(const std::string& text) {
  const BruteForce oracle(text);
  std::vector<Expected> result;
  for (const std::string& query : queries_for(text))
    result.push_back({query, testing::packed(query), oracle.interval(query)});
  return result;
}

void expect_same(const Index& index, const std::vector<Expected>& expected, const std::string& text) {
  const Walker walker(index);
  for (const Expected& e : expected) {
    const Interval<u64> found = walker.search(e.packed.data(), static_cast<u32>(e.query.size()));
    ASSERT_TRUE(found.l == e.interval.l && found.h == e.interval.h)
        << text_of(index.layout) << " prefix " << index.view.prefix_symbols << " text of " << text.size()
        << " (" << text.substr(0, 20) << ") query " << e.query << ": found " << found.l << ", " << found.h
        << " expected " << e.interval.l << ", " << e.interval.h;
  }
}

TEST(FmIndex, EveryLayoutFindsWhatBruteForceFinds) {
  for (const std::string& text : edge_texts()) {
    const Bwt bwt = bwt_of_letters(text, pool());
    const ColumnRank rank(bwt, pool());
    const auto expected = expected_for(text);
    for (const Layout& layout : layouts())
      for (u64 superblock_rows : {u64{1}, u64{256}, u64{1} << 31}) {
        if (!layout.wide && superblock_rows == 1) continue;
        expect_same(build_index(bwt, rank, layout, 0, pool(), superblock_rows), expected, text);
      }
  }
}

TEST(FmIndex, EveryPrefixTableLeavesTheAnswersAsTheyAre) {
  for (const std::string& text :
       {std::string("A"), std::string("CAAACATAT"), testing::random_letters(500, 3)}) {
    const Bwt bwt = bwt_of_letters(text, pool());
    const ColumnRank rank(bwt, pool());
    const auto expected = expected_for(text);
    for (u32 k = 1; k <= kMaxK; ++k)
      for (u32 symbols = 0; symbols <= 8; ++symbols)
        for (bool wide : {false, true})
          expect_same(build_index(bwt, rank, {.k = k, .d = 64, .wide = wide}, symbols, pool(), 128), expected,
                      text);
  }
}

TEST(FmIndex, ALongPrefixTableHoldsEveryWord) {
  const std::string text = testing::random_letters(3000, 5);
  const Bwt bwt = bwt_of_letters(text, pool(), 1);
  const Index index = build_index(bwt, ColumnRank(bwt, pool()), {.k = 1, .d = 64}, 10, pool());
  expect_same(index, expected_for(text), text);
  EXPECT_EQ(index.prefix.size(), (((u64{1} << 22) - 1) / 3) * 8);
}

TEST(FmIndex, TheColumnsAreTheSymbolsBeforeEachSuffix) {
  for (const std::string& text : edge_texts()) {
    const Bwt bwt = bwt_of_letters(text, pool());
    const BruteForce oracle(text);
    for (u32 j = 1; j <= kMaxK; ++j)
      for (std::size_t row = 0; row < oracle.rows(); ++row) {
        const char symbol = oracle.before(row, j);
        if (symbol == '$') {
          ASSERT_EQ(bwt.columns[j - 1].dollar_row, row) << text.substr(0, 20) << " column " << j;
          ASSERT_EQ(bwt.columns[j - 1].symbol(row), 0u);
        } else {
          ASSERT_EQ("ACGT"[bwt.columns[j - 1].symbol(row)], symbol) << text.substr(0, 20) << " column " << j;
        }
      }
  }
}

TEST(FmIndex, LayoutsAgreeOnATextOfManyParts) {
  const std::string text = testing::random_letters(900'001, 11);
  const Bwt bwt = bwt_of_letters(text, pool());
  const ColumnRank rank(bwt, pool());
  const Index first = build_index(bwt, rank, {.k = 1, .d = 64}, 0, pool());
  const Walker expected(first);
  Random random(1);
  std::vector<std::string> queries;
  for (int i = 0; i < 300; ++i)
    queries.push_back(text.substr(random.below(text.size() - 20), random.below(20)));
  for (int i = 0; i < 300; ++i) queries.push_back(testing::random_letters(random.below(20), random()));
  for (const Layout& layout : layouts()) {
    const Index index = build_index(bwt, rank, layout, 5, pool(), 300'000);
    const Walker walker(index);
    for (const std::string& query : queries) {
      const auto symbols = testing::packed(query);
      const u32 bases = static_cast<u32>(query.size());
      const auto a = expected.search(symbols.data(), bases), b = walker.search(symbols.data(), bases);
      ASSERT_TRUE(a.l == b.l && a.h == b.h) << text_of(layout) << " " << query;
    }
  }
}

TEST(FmIndex, EntriesHaveTheSizesOfThePaper) {
  EXPECT_EQ((Layout{.k = 1, .d = 64}.entry_bytes()), 32u);
  EXPECT_EQ((Layout{.k = 1, .d = 192}.entry_bytes()), 64u);
  EXPECT_EQ((Layout{.k = 1, .d = 448}.entry_bytes()), 128u);
  EXPECT_EQ((Layout{.k = 2, .d = 64}.entry_bytes()), 96u);
  EXPECT_EQ((Layout{.kind = LayoutKind::alternate, .k = 2, .d = 192}.entry_bytes()), 128u);
  EXPECT_EQ((Layout{.kind = LayoutKind::one_hot, .k = 3, .d = 224}.entry_bytes()), 32u);
  const std::string text = testing::random_letters(64'000, 2);
  const Bwt bwt = bwt_of_letters(text, pool(), 2);
  EXPECT_NEAR(build_index(bwt, {.k = 1, .d = 64}, 0, 1).bits_per_base(), 4.0, 0.02);
  EXPECT_NEAR(build_index(bwt, {.kind = LayoutKind::alternate, .k = 2, .d = 64}, 0, 1).bits_per_base(), 8.0,
              0.02);
}

TEST(FmIndex, RefusesALayoutThatCannotBeBuiltAndSaysWhy) {
  const Bwt bwt = bwt_of_letters("ACGTACGT", pool(), 2);
  const auto message = [&](const Layout& layout, u32 prefix) -> std::string {
    try {
      build_index(bwt, layout, prefix, 1);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "built";
  };
  expect_text(message({.k = 5, .d = 64}, 0));
  expect_text(message({.k = 1, .d = 65}, 0));
  expect_text(message({.k = 1, .d = 0}, 0));
  expect_text(message({.kind = LayoutKind::one_hot, .k = 1, .d = 64}, 0));
  expect_text(message({.k = 3, .d = 64}, 0));
  expect_text(message({.k = 1, .d = 64}, 15));
  EXPECT_EQ(message({.k = 2, .d = 64}, 3), "built");
}

}  // namespace
}  // namespace gpuseq::fm_index
