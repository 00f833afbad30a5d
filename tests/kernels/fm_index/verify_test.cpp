#include "kernels/fm_index/data/verify.hpp"

#include <gtest/gtest.h>

#include "kernels/fm_index/oracle.hpp"
#include "kernels/fm_index/verify_traffic.hpp"
#include "kernels/fm_index/verify_walk.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/fm_index/verify_cases.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::fm_index {
namespace {

using testing::PsiCase;
using testing::SortedText;

/// The pieces of a packed string, or of the text of a layout.
auto pieces_at(const void* address) {
  return [at = static_cast<const u64*>(address)](u64 piece) {
    return Bases64{at[2 * piece], at[2 * piece + 1]};
  };
}

void expect_walks_exact(const std::string& letters, std::initializer_list<u32> ks) {
  const PsiCase given(letters);
  SortedText sorted(letters);
  for (const u32 k : ks)
    for (const u32 row_bytes : {4u, 8u}) {
      const Index index = sorted.index(k, row_bytes);
      const VerifyWalker walker(index);
      for (std::size_t i = 0; i < given.queries.size(); ++i) {
        const auto found = walker.search(given.packed_words.data() + u64{given.begin[i]} * 4, given.bases[i]);
        ASSERT_TRUE(found.l == given.expected[i].l && found.h == given.expected[i].h)
            << "k=" << k << " row_bytes=" << row_bytes << " text " << letters.substr(0, 20) << " query "
            << given.queries[i] << ": found " << found.l << ", " << found.h << " expected "
            << given.expected[i].l << ", " << given.expected[i].h;
      }
    }
}

TEST(Verify, AWalkOfEveryLayoutFindsWhatBruteForceFinds) {
  for (const std::string& text : testing::psi_texts()) expect_walks_exact(text, {1, 3, 8});
  for (const std::string& text : testing::repetitive_texts()) expect_walks_exact(text, {2, 7});
}

TEST(Verify, RowsHoldSuffixesAndTheBasesBehindTheirWord) {
  const std::string letters = testing::random_letters(500, 7);
  SortedText sorted(letters);
  const u32 k = 5;
  const Index index = sorted.index(k, 8);
  const VerifyWalker walker(index);
  std::string last;
  for (u32 row = 0; row <= letters.size(); ++row) {
    const std::string suffix = letters.substr(letters.size() - walker.length(row));
    EXPECT_TRUE(row == 0 || last < suffix) << row;
    last = suffix;
    for (u32 i = 0; i < suffix.size(); ++i)
      ASSERT_EQ("ACGT"[walker.base_of_suffix(walker.length(row), i)], suffix[i]);
    u32 key = suffix.size() < k ? ~u32{0} : 0;
    for (u32 i = 0; i < kKeyBases && suffix.size() >= k; ++i)
      key = key << 2 | (k + i < suffix.size() ? testing::codes(suffix.substr(k + i, 1))[0] : 0u);
    EXPECT_EQ(walker.key(row), key) << row;
  }
}

TEST(Verify, PiecesOf64BasesCompareAsBasesDo) {
  const std::string letters = testing::random_letters(90, 5) + testing::repeated("CA", 300);
  SortedText sorted(letters);
  const Index index = sorted.index(3, 4);
  const VerifyWalker walker(index);
  const auto text = pieces_at(index.view.entries + verify_text_offset(3, 4, index.view.rows));
  u32 orders[3] = {};
  for (u32 from = 0; from < letters.size(); from += 7)
    for (const u32 bases : {1u, 31u, 32u, 33u, 63u, 64u, 65u, 127u, 128u, 129u, 200u, 257u}) {
      if (from + bases > letters.size()) break;
      std::string query = letters.substr(from, bases);
      for (u32 changed = 0; changed <= bases; changed += 1 + bases / 9) {
        if (changed < bases) query[changed] = query[changed] == 'G' ? 'A' : 'G';
        const std::vector<u32> packed = testing::packed(query);
        for (u32 row = 0; row < index.view.rows; row += 11) {
          const i32 order = compare_suffix(bases, walker.length(row), pieces_at(packed.data()), text);
          ASSERT_EQ(order, walker.order(packed.data(), bases, row)) << query << " row " << row;
          ++orders[order + 1];
        }
      }
    }
  for (const u32 count : orders) EXPECT_GT(count, 50u);
}

TEST(Verify, AQueryLongerThanTheTextIsLargerThanTheSuffixThatItBeginsWith) {
  const std::string letters = testing::random_letters(150, 6);
  SortedText sorted(letters);
  const Index index = sorted.index(2, 4);
  const auto text = pieces_at(index.view.entries + verify_text_offset(2, 4, index.view.rows));
  for (const u32 more : {1u, 40u, 64u, 100u, 1000u}) {
    const std::string query = letters + testing::random_letters(more, more);
    const std::vector<u32> packed = testing::packed(query);
    EXPECT_LT(compare_suffix(static_cast<u32>(query.size()), 150, pieces_at(packed.data()), text), 0) << more;
    EXPECT_LT(compare_suffix(static_cast<u32>(query.size()), 0, pieces_at(packed.data()), text), 0) << more;
  }
}

TEST(Verify, ARowSearchFindsEveryRangeOfRows) {
  for (u32 rows = 0; rows <= 9; ++rows)
    for (u32 l = 0; l <= rows; ++l)
      for (u32 h = l; h <= rows; ++h) {
        RowSearch search(100, 100 + rows);
        u32 compared = 0;
        for (; !search.done(); ++compared)
          search.take(search.row() < 100 + l ? -1 : search.row() < 100 + h ? 0 : 1);
        EXPECT_EQ(search.interval().l, 100 + l);
        EXPECT_EQ(search.interval().h, 100 + h);
        EXPECT_LE(compared, rows);
      }
}

std::string refused(u64 rows, bool synthetic, u32 k) {
  try {
    require_verify(testing::verify_layout(k, 4), rows, synthetic);
  } catch (const ResourceError& error) {
    return error.what();
  }
  return "";
}

TEST(Verify, ReferencesWithoutSuchALayoutAreRefusedWithTheReason) {
  EXPECT_EQ(refused(20'001, false, 10), "");
  expect_text(refused(20'001, false, 11));
  expect_text(refused(u64{1} << 32, false, 8));
  expect_text(refused(20'001, true, 8));
}

class VerifyTraffic : public ::testing::Test {
 protected:
  Queries read(const std::vector<std::string>& reads) {
    std::string fasta;
    for (const std::string& one : reads) fasta += ">q\n" + one + "\n";
    return read_queries(folder_.write("q.fa", fasta), 0);
  }

  TemporaryFolder folder_;
  std::string letters_ = testing::random_letters(30'000, 1);
  SortedText sorted_{letters_};
};

TEST_F(VerifyTraffic, OfAQueryWhoseWordOccursOnceIsStartsARowAndText) {
  const Index index = sorted_.index(10, 4);  // 35 words for each base
  const VerifyWalker walker(index);
  double blocks = 0;
  u32 alone = 0;
  for (u32 at = 0; at < 3000; at += 100) {
    const std::string query = letters_.substr(at, 100);
    const std::vector<u32> packed = testing::packed(query);
    const u32 word = walker.word(packed.data(), 100);
    if (walker.start(u64{word} + 1) - walker.start(word) != 1) continue;
    ++alone;
    const Traffic traffic = count_verify_traffic(index, read({query}));
    EXPECT_GE(traffic.blocks, 3);
    EXPECT_LE(traffic.blocks, 5);  // starts, and text, may lie in two lines
    EXPECT_GE(traffic.block_bytes, 32u);
    EXPECT_LE(traffic.block_bytes, 64u);
    EXPECT_EQ(traffic.footprint_bytes, index.entries.size());
    blocks += traffic.blocks;
  }
  ASSERT_GT(alone, 20u);
  EXPECT_LT(blocks / alone, 3.5);
}

TEST_F(VerifyTraffic, OfAQueryWhoseWordDoesNotOccurIsStartsAlone) {
  const Index index = sorted_.index(10, 4);
  const VerifyWalker walker(index);
  u32 seen = 0;
  for (u64 seed = 0; seed < 20; ++seed) {
    const std::string query = testing::random_letters(100, 1000 + seed);
    const u32 word = walker.word(testing::packed(query).data(), 100);
    if (walker.start(u64{word} + 1) != walker.start(word) || word % 32 == 31) continue;
    ++seen;
    EXPECT_EQ(count_verify_traffic(index, read({query})).blocks, 1);
  }
  EXPECT_GT(seen, 10u);
}

TEST_F(VerifyTraffic, KeysSpareTheTextOfOtherRows) {
  std::vector<std::string> reads;
  for (u32 at = 0; at < 20'000; at += 100) reads.push_back(letters_.substr(at, 100));
  const Queries queries = read(reads);
  const Traffic positions = count_verify_traffic(sorted_.index(6, 4), queries);
  const Traffic keys = count_verify_traffic(sorted_.index(6, 8), queries);
  EXPECT_GT(positions.blocks, keys.blocks + 1.5 * 200);  // two peers a query, mostly
}

TEST_F(VerifyTraffic, ClassesAreOfWhatIsTouchedAndSumUp) {
  const Index index = sorted_.index(8, 4);
  std::vector<std::string> reads, same(2000, letters_.substr(500, 100));
  for (u32 at = 0; at < 2000; ++at) reads.push_back(letters_.substr(at * 14, 100));
  const Traffic spread = count_verify_traffic(index, read(reads)),
                hot = count_verify_traffic(index, read(same));
  for (const Traffic& traffic : {spread, hot}) {
    double sum = 0;
    std::size_t last = 0;
    for (const TrafficClass& one : traffic.classes) {
      EXPECT_GT(one.footprint_bytes, last);
      last = one.footprint_bytes;
      sum += one.blocks;
    }
    EXPECT_NEAR(sum, traffic.blocks, 1e-6 * sum);
    EXPECT_LE(last, index.entries.size());
  }
  EXPECT_LT(hot.classes.back().footprint_bytes, 200u);
  EXPECT_GT(spread.classes.back().footprint_bytes, 30'000u);  // of 120 000 bytes of rows, touched 2000 times
}

TEST_F(VerifyTraffic, EstimateIsKnownBeforeTheText) {
  const SearchSizes text{.bases = 30'000, .even = true, .queries = {}};
  const Traffic estimate = estimated_verify_traffic(testing::verify_layout(8, 4), text, false);
  EXPECT_EQ(estimate.footprint_bytes, sorted_.index(8, 4).entries.size());
  EXPECT_EQ(estimate.access, "independent");
  EXPECT_EQ(estimated_verify_traffic(testing::verify_layout(8, 4), {}, false).footprint_bytes, 0u);
  EXPECT_THROW(estimated_verify_traffic(testing::verify_layout(8, 4), text, true), ResourceError);
  EXPECT_THROW(estimated_verify_traffic(testing::verify_layout(12, 4), text, false), ResourceError);
}

}  // namespace
}  // namespace gpuseq::fm_index
