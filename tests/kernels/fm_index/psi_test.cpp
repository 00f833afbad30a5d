#include "kernels/fm_index/data/psi.hpp"

#include <gtest/gtest.h>

#include <set>

#include "kernels/fm_index/data/rank.hpp"
#include "kernels/fm_index/oracle.hpp"
#include "kernels/fm_index/psi_traffic.hpp"
#include "kernels/fm_index/psi_walk.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/fm_index/psi_cases.hpp"

namespace gpuseq::fm_index {
namespace {

using testing::psi_layout;
using testing::PsiCase;

constexpr u32 kLines[] = {0, 16, 32, 64, 128};

ThreadPool& pool() {
  static ThreadPool threads(2);
  return threads;
}

void expect_exact(const PsiCase& given, const Index& index) {
  const PsiWalker walker(index);
  for (std::size_t i = 0; i < given.queries.size(); ++i) {
    const auto found = walker.search(given.packed_words.data() + u64{given.begin[i]} * 4, given.bases[i]);
    ASSERT_TRUE(found.l == given.expected[i].l && found.h == given.expected[i].h)
        << "k=" << index.layout.k << " line=" << index.layout.line_bytes << " prefix "
        << index.view.prefix_symbols << " text of " << given.text.size() << " (" << given.text.substr(0, 20)
        << ") query " << given.queries[i] << ": found " << found.l << ", " << found.h << " expected "
        << given.expected[i].l << ", " << given.expected[i].h;
  }
}

TEST(Psi, EveryLayoutFindsWhatBruteForceFinds) {
  for (const std::string& text : testing::psi_texts()) {
    const PsiCase given(text);
    const Bwt bwt = testing::bwt_of_letters(text, pool(), 1);
    const ColumnRank rank(bwt, pool());
    for (u32 k = 1; k <= 8; ++k)
      for (const u32 line : kLines)
        for (const u32 prefix : {0u, 3u})
          expect_exact(given, build_index(bwt, rank, psi_layout(k, line), prefix, pool()));
  }
}

TEST(Psi, LongWordsFindWhatBruteForceFinds) {
  for (const std::string& text :
       {std::string("CAAACATAT"), testing::repeated("TA", 150), testing::random_letters(2000, 1)}) {
    const PsiCase given(text);
    const Bwt bwt = testing::bwt_of_letters(text, pool(), 1);
    const ColumnRank rank(bwt, pool());
    for (u32 k = 9; k <= 12; ++k)
      for (const u32 line : {0u, 16u})
        expect_exact(given, build_index(bwt, rank, psi_layout(k, line), k == 9 ? 0 : 6, pool()));
  }
}

TEST(Psi, EveryPrefixTableLeavesTheAnswersAsTheyAre) {
  const PsiCase given(testing::random_letters(400, 8) + testing::repeated("A", 30));
  const Bwt bwt = testing::bwt_of_letters(given.text, pool(), 1);
  const ColumnRank rank(bwt, pool());
  for (const u32 k : {1u, 3u, 7u})
    for (u32 prefix = 0; prefix <= 9; ++prefix)
      expect_exact(given, build_index(bwt, rank, psi_layout(k, 32), prefix, pool()));
}

TEST(Psi, OfASyntheticColumnAgreesWithItsOracle) {
  for (const u64 bases : {1, 2, 63, 64, 1000, 70'000}) {
    const Bwt bwt = synthetic_bwt(bases, 17, pool());
    const ColumnRank rank(bwt, pool());
    for (const u32 length : {7u, 12u, 20u}) {
      const Queries queries = sample_queries(testing::codes(testing::random_letters(5000, 1)),
                                             {.count = 500, .bases = length, .seed = 2}, pool());
      const auto checked = checked_queries(500);
      const auto expected = search_column(bwt, queries, checked, pool());
      for (const u32 k : {1u, 2u, 5u, 8u})
        for (const u32 line : kLines) {
          const Index index = build_index(bwt, rank, psi_layout(k, line), 2, pool());
          const PsiWalker walker(index);
          for (const u32 q : checked) {
            const auto found = walker.search(queries.packed.data() + u64{queries.begin[q]} * 4, length);
            ASSERT_TRUE(found.l == expected[q].l && found.h == expected[q].h)
                << bases << " k=" << k << " line=" << line << ' ' << queries.letters(q);
          }
        }
    }
  }
}

TEST(Psi, OfManyPiecesIsTheSameAsTheOtherLayouts) {
  const Bwt bwt = [] {
    Bwt made = synthetic_bwt(3'000'000, 5, pool());  // three pieces of rows
    derive_columns(made, 2, pool());
    return made;
  }();
  const ColumnRank rank(bwt, pool());
  const Index other = build_index(bwt, rank, {.k = 2, .d = 64}, 0, pool());
  const Walker expected(other);
  const Queries queries = walk_queries(rank, {.count = 400, .bases = 32, .seed = 2}, pool());
  for (const u32 line : {0u, 32u}) {
    const Index index = build_index(bwt, rank, psi_layout(10, line), 4, pool());
    const PsiWalker walker(index);
    for (std::size_t q = 0; q < queries.begin.size(); ++q) {
      const u32* packed = queries.packed.data() + u64{queries.begin[q]} * 4;
      const auto a = expected.search(packed, 32), b = walker.search(packed, 32);
      ASSERT_TRUE(a.l == b.l && a.h == b.h) << queries.letters(static_cast<u32>(q));
      ASSERT_GT(b.h, b.l);
    }
  }
}

TEST(Psi, HasTheBytesThatItSays) {
  const Bwt bwt = testing::bwt_of_letters(testing::random_letters(1000, 2), pool(), 1);
  const auto bytes = [&](u32 k, u32 line) {
    return build_index(bwt, psi_layout(k, line), 0, 1).entries.size();
  };
  EXPECT_EQ(bytes(4, 0), 257 * 4 + 124 + 1001 * 4 + kPsiSpareBytes);
  EXPECT_EQ(entries_bytes(psi_layout(4, 0), 1001), bytes(4, 0));
  EXPECT_EQ(bytes(8, 32), 65536u * 32);  // of 1000 bases no word has eight entries
  EXPECT_EQ(entries_bytes(psi_layout(8, 32), 1001), bytes(8, 32));
  EXPECT_GT(bytes(4, 16), 256u * 16);
  for (u32 k = 1; k <= 8; ++k)
    for (const u32 line : {16u, 32u, 64u, 128u})
      EXPECT_LE(bytes(k, line), psi_bytes_at_most(psi_layout(k, line), 1001)) << k << ' ' << line;
  EXPECT_EQ(prefix_bytes(psi_layout(8, 32), 0), 8u);
}

TEST(Psi, RefusesALayoutThatCannotBeBuiltAndSaysWhy) {
  const auto why = [](Layout layout) { return why_invalid(layout); };
  expect_text(why(psi_layout(17, 0)));
  expect_text(why(psi_layout(8, 48)));
  expect_text(why({.kind = LayoutKind::psi, .k = 8, .wide = true}));
  EXPECT_EQ(why(psi_layout(16, 32)), "");
  const auto refused = [](u32 k, u64 rows) -> std::string {
    try {
      require_psi(psi_layout(k, 0), rows);
    } catch (const ResourceError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused(10, 20'001), "");
  expect_text(refused(11, 20'001));
  EXPECT_EQ(refused(16, (u64{1} << 32) - 1), "");
  expect_text(refused(16, u64{1} << 32));
}

TEST(Psi, NarrowingFindsThePlaceOfEveryValue) {
  Random random(4);
  for (const u32 count : {0u, 1u, 7u, 8u, 9u, 100u, 1000u}) {
    for (const bool skewed : {false, true}) {
      std::set<u32> values;
      while (values.size() < count)
        values.insert(
            static_cast<u32>(skewed && random.below(4) > 0 ? random.below(2000) : random.below(100'000)));
      const std::vector<u32> entries(values.begin(), values.end());
      const auto entry = [&](u32 at) { return entries.at(at); };
      for (u32 value = 0; value <= 100'000; value += 1 + static_cast<u32>(random.below(300))) {
        const auto place = std::ranges::lower_bound(entries, value) - entries.begin();
        for (const u32 few : {1u, 4u, 8u}) {
          u32 end = 0;
          u32 begin = psi_halve(0, count, value, few, entry, end);
          EXPECT_TRUE(begin <= place && place <= end && end - begin <= few) << count << ' ' << value;
          begin = psi_interpolate(0, count, value, 100'000, few, entry, end);
          EXPECT_TRUE(begin <= place && place <= end && end - begin <= few) << count << ' ' << value;
        }
      }
    }
  }
}

class PsiTraffic : public ::testing::Test {
 protected:
  Traffic count(const Layout& layout, u32 prefix_symbols, u64 most_counted = u64{1} << 20) const {
    const Index index = build_index(bwt_, rank_, layout, prefix_symbols, pool());
    return count_psi_traffic(index, queries_, 4000, most_counted);
  }
  Bwt bwt_ = synthetic_bwt(300'000, 3, pool());
  ColumnRank rank_{bwt_, pool()};
  Queries queries_ = walk_queries(rank_, {.count = 4000, .bases = 48, .seed = 5}, pool());
};

TEST_F(PsiTraffic, OfLinesIsOneLineAStepWhereTheyHaveSlotsEnough) {
  const Traffic traffic = count(psi_layout(8, 64), 0);  // 4.6 entries a word
  EXPECT_NEAR(traffic.blocks, 4000 * 6, 4000 * 6 * 0.01);
  EXPECT_EQ(traffic.block_bytes, 64u);
  EXPECT_EQ(traffic.access, "independent");
  std::set<u64> words;
  for (std::size_t q = 0; q < queries_.begin.size(); ++q)
    for (u32 at = 0; at < 48; at += 8)
      words.insert(Walker::symbols(queries_.packed.data() + u64{queries_.begin[q]} * 4, at, 8));
  EXPECT_NEAR(static_cast<double>(traffic.classes.back().footprint_bytes),
              64.0 * static_cast<double>(words.size()), 64.0 * 0.01 * static_cast<double>(words.size()));
}

TEST_F(PsiTraffic, OfLinesHasTheBlocksOfWhatHasNoSlot) {
  // 18.3 entries a word, 3 slots: most steps go on to others.
  EXPECT_GT(count(psi_layout(7, 16), 0).blocks, 1.7 * 4000 * 7);
}

TEST_F(PsiTraffic, OfATableIsStartsAndEntries) {
  const Traffic traffic = count(psi_layout(8, 0), 0);
  EXPECT_EQ(traffic.block_bytes, 32u);
  // A pair of starts is in two sectors in one of eight cases; the first of six steps has l = 0 and h behind
  // all.
  EXPECT_GT(traffic.blocks, 4000 * 6 * (1.125 + 1.0));
  EXPECT_LT(traffic.blocks, 4000 * 6 * (1.125 + 1.6));
}

TEST_F(PsiTraffic, IsCountedOfAShareOfTheWordsToo) {
  const Traffic all = count(psi_layout(8, 0), 0), share = count(psi_layout(8, 0), 0, 6000);
  EXPECT_NEAR(share.blocks, all.blocks, 1e-6 * all.blocks);
  const auto largest = [](const Traffic& traffic) {
    return static_cast<double>(traffic.classes.back().footprint_bytes);
  };
  EXPECT_NEAR(largest(share) / largest(all), 1, 0.1);
}

TEST_F(PsiTraffic, HasOneMoreBlockPerQueryWithAPrefixTable) {
  const Traffic without = count(psi_layout(8, 64), 0), with = count(psi_layout(8, 64), 8);
  EXPECT_NEAR(with.blocks - without.blocks, 0, 100);  // the first step became a look-up
  EXPECT_TRUE(std::ranges::any_of(with.classes, [](const TrafficClass& at) {
    return at.blocks >= 4000 && at.footprint_bytes <= 4000 * 32;
  }));
}

TEST_F(PsiTraffic, OfAQueryWhoseFirstWordDoesNotOccurIsThatWordsLine) {
  const Index index = build_index(bwt_, rank_, psi_layout(10, 64), 0, pool());  // 3.5 words for each row
  const PsiWalker walker(index);
  const Queries random =
      walk_queries(rank_, {.count = 4000, .bases = 50, .occurring_percent = 0, .seed = 5}, pool());
  double blocks = 0;
  u32 absent = 0;
  for (const u32 begin : random.begin) {
    const u32 word = static_cast<u32>(Walker::symbols(random.packed.data() + u64{begin} * 4, 40, 10));
    absent += walker.occurs(word) ? 0 : 1;
    blocks += walker.occurs(word) ? 5 : 1;
    if (!walker.occurs(word)) {
      const auto found = walker.search(random.packed.data() + u64{begin} * 4, 50);
      EXPECT_EQ(found.l, walker.start(word));
      EXPECT_EQ(found.h, walker.start(word));
    }
  }
  EXPECT_NEAR(absent, 4000 * 0.75, 200);
  const Traffic traffic = count_psi_traffic(index, random, 4000);
  EXPECT_NEAR(traffic.blocks, blocks, 0.02 * blocks);
  EXPECT_NEAR(static_cast<double>(traffic.classes.back().footprint_bytes), 64 * blocks, 64 * 0.02 * blocks);
}

}  // namespace
}  // namespace gpuseq::fm_index
