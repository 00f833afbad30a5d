#include "kernels/fm_index/traffic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "kernels/fm_index/data/rank.hpp"
#include "kernels/fm_index/walk.hpp"
#include "runtime/system/random.hpp"
#include "tests/kernels/fm_index/brute_force.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::fm_index {
namespace {

class TrafficOfASearch : public ::testing::Test {
 protected:
  Traffic count(const std::vector<std::string>& reads, const Layout& layout, u32 prefix_symbols = 0,
                RowsRead rows_read = RowsRead::all_of_entry) {
    std::string fasta;
    for (const std::string& read : reads) fasta += ">q\n" + read + "\n";
    const Queries queries = read_queries(folder_.write("q.fa", fasta), 0);
    return count_traffic(build_index(bwt_, rank_, layout, prefix_symbols, pool_), queries, rows_read);
  }

  TemporaryFolder folder_;
  ThreadPool pool_{1};
  Bwt bwt_ = testing::bwt_of_letters(testing::random_letters(10'000, 1), pool_);
  ColumnRank rank_{bwt_, pool_};
};

TEST_F(TrafficOfASearch, IsTwoBlocksForTheFirstStep) {
  const Traffic traffic = count({"A", "C", "G"}, {.k = 1, .d = 64});
  EXPECT_EQ(traffic.blocks, 6);
  EXPECT_EQ(traffic.block_bytes, 32u);
  EXPECT_EQ(traffic.footprint_bytes, (10'001u / 64 + 2) * 32);
  EXPECT_EQ(traffic.access, "dependent");
}

TEST_F(TrafficOfASearch, IsOneBlockOnceLAndHAreInTheSameEntry) {
  const std::string query = testing::random_letters(10'000, 1).substr(500, 100);
  const double first = count({query.substr(80)}, {.k = 1, .d = 64}).blocks;  // 20 bases: one occurrence
  EXPECT_EQ(count({query}, {.k = 1, .d = 64}).blocks - first, 80);
  EXPECT_EQ(count({query}, {.k = 2, .d = 64}).blocks - count({query.substr(80)}, {.k = 2, .d = 64}).blocks,
            40);
  EXPECT_EQ(count({query}, {.kind = LayoutKind::one_hot, .k = 4, .d = 224}).block_bytes, 32u);
}

TEST_F(TrafficOfASearch, IsOneBlockWhereLAndHAreInOneLine) {
  // Rows of words that begin with AAAAA, a thousandth, follow each other: some end in the entry behind.
  const Layout layout{.k = 1, .d = 64};
  const Index index = build_index(bwt_, rank_, layout, 0, pool_);
  const Walker walker(index);
  u32 of_one_line = 0, of_two = 0;
  for (u32 word = 0; word < 1024; ++word) {
    std::string query;
    for (u32 i = 0; i < 5; ++i) query += "ACGT"[word >> (2 * i) & 3];
    double blocks = 0;
    walker.search(testing::packed(query + "A").data(), 6, [&](u32 at, u64 l, u64 h) {
      const u64 of_l = walker.touched(at, l).rows_at / 32, of_h = walker.touched(at, h).rows_at / 32;
      const bool is_one_line = of_l / 4 == of_h / 4;
      blocks += is_one_line ? 1 : 2;
      if (of_l != of_h) ++(is_one_line ? of_one_line : of_two);
    });
    const Traffic traffic = count({query + "A"}, layout);
    ASSERT_EQ(traffic.blocks, blocks) << query;
    EXPECT_EQ(traffic.block_bytes, 32u);
  }
  EXPECT_GT(of_one_line, 50u);
  EXPECT_GT(of_two, 50u);
}

TEST_F(TrafficOfASearch, IsTwoBlocksPerEntryWhereCountersLieFarFromTheRows) {
  const Traffic traffic = count({"AAAA"}, {.k = 4, .d = 64});
  EXPECT_EQ(traffic.blocks, 4);
  EXPECT_EQ(traffic.block_bytes, 48u);  // the mean of 32 for the counter and 64 for the rows
}

TEST_F(TrafficOfASearch, IsOfTheSectorsThatHoldWhatAStepCounts) {
  // An entry of k = 1 and d = 448 is 16 bytes of counters and 112 of rows, 64 rows each 16 bytes. l = 0
  // counts no row, h = 10 001 the first 145 of its entry, which end in byte 64.
  const Layout layout{.k = 1, .d = 448};
  const Traffic whole = count({"A"}, layout), counted = count({"A"}, layout, 0, RowsRead::counted);
  EXPECT_EQ(whole.blocks, 2);
  EXPECT_EQ(whole.block_bytes, 128u);
  EXPECT_EQ(counted.blocks, 2);
  EXPECT_EQ(counted.block_bytes, (32u + 64u) / 2);
  // All rows begin next to the counter: its sector is one of theirs.
  EXPECT_EQ(count({"A"}, layout, 0, RowsRead::all_rows).block_bytes, 128u);
  // The first sector of one-hot entries has the counter and 224 rows.
  const Layout one_hot{.kind = LayoutKind::one_hot, .k = 2, .d = 480};
  const std::string query = testing::random_letters(10'000, 1).substr(500, 100);
  EXPECT_EQ(count({query}, one_hot).block_bytes, 64u);
  EXPECT_NEAR(static_cast<double>(count({query}, one_hot, 0, RowsRead::counted).block_bytes), 49, 4);
}

TEST_F(TrafficOfASearch, IsOfAllRowsAndOneCounterWhereEntriesAreReadWhole) {
  // k = 2: 16 counters of 64 bytes, then 32 bytes of rows for each 64. The word AA has the first counter; the
  // sector between it and the rows is not read.
  const Layout layout{.k = 2, .d = 64};
  EXPECT_EQ(count({"AA"}, layout, 0, RowsRead::all_of_entry).block_bytes, 96u);
  const Traffic all_rows = count({"AA"}, layout, 0, RowsRead::all_rows);
  EXPECT_EQ(all_rows.blocks, 2);
  EXPECT_EQ(all_rows.block_bytes, 64u);
  EXPECT_LT(count({"AA"}, layout, 0, RowsRead::counted).block_bytes, 64u);  // l = 0 counts no row
  // Where counter and rows lie apart, the rows are a block that is read even when none count.
  const Layout apart{.k = 4, .d = 64};
  EXPECT_EQ(count({"CCCC"}, apart, 0, RowsRead::all_rows).blocks, 4);
  EXPECT_EQ(count({"CCCC"}, apart, 0, RowsRead::counted).blocks, 3);
}

TEST_F(TrafficOfASearch, IsALineAStepOfEliasFano) {
  const std::string query = testing::random_letters(10'000, 1).substr(500, 100);
  for (const u32 line_bytes : {64u, 128u}) {
    const Layout layout{
        .kind = LayoutKind::elias_fano, .k = 4, .d = 22528, .line_bytes = line_bytes};  // of 88 buckets
    const Traffic traffic = count({query}, layout);
    EXPECT_EQ(traffic.blocks, 25);  // l and h share a line, as all rows do
    EXPECT_EQ(traffic.block_bytes, line_bytes);
    EXPECT_EQ(count({query}, layout, 0, RowsRead::counted).block_bytes, line_bytes);
    EXPECT_GE(traffic.footprint_bytes, 256u * line_bytes);
  }
}

TEST_F(TrafficOfASearch, HasOneMoreBlockPerQueryWithAPrefixTable) {
  EXPECT_EQ(count({"ACGT", "GG"}, {.k = 1, .d = 64}, 4).blocks, 2);
  EXPECT_EQ(count({"ACGTA", "GG"}, {.k = 1, .d = 64}, 4).blocks - 2,
            count({"ACGTA"}, {.k = 1, .d = 64}, 4).blocks - 1);
}

TEST_F(TrafficOfASearch, IsScaledFromASubsetToAllBases) {
  std::vector<std::string> reads(100, "ACGTACGTACGT");
  const double all = count(reads, {.k = 2, .d = 64}).blocks;
  EXPECT_DOUBLE_EQ(all, 100 * count({reads[0]}, {.k = 2, .d = 64}).blocks);
  std::string fasta;
  for (const std::string& read : reads) fasta += ">q\n" + read + "\n";
  const Queries queries = read_queries(folder_.write("q.fa", fasta), 0);
  EXPECT_DOUBLE_EQ(
      count_traffic(build_index(bwt_, rank_, {.k = 2, .d = 64}, 0, pool_), queries, RowsRead::all_of_entry, 7)
          .blocks,
      all);
}

class TrafficClassesOfASearch : public ::testing::Test {
 protected:
  /// Distinct sectors that the steps of words of at least `depth` symbols read, and how often, walked query
  /// by query.
  struct Read {
    std::set<u64> sectors;
    double blocks = 0;
  };
  /// Those of the counter and the rows, and between them.
  static std::set<u64> sectors_at(const Walker::Touched& touched) {
    std::set<u64> sectors;
    const u64 end = std::max<u64>(touched.counter_at + 4, touched.rows_at + touched.rows_bytes);
    for (u64 at = std::min<u64>(touched.counter_at, touched.rows_at) / 32; at * 32 < end; ++at)
      sectors.insert(at);
    return sectors;
  }
  static bool are_of_one_line(const std::set<u64>& a, const std::set<u64>& b) {
    return std::min(*a.begin(), *b.begin()) / 4 == std::max(*a.rbegin(), *b.rbegin()) / 4;
  }
  static Traffic count_without_heat(const Index& index, const Queries& queries) {
    return count_traffic(index, queries, RowsRead::all_of_entry, 5000, {}, {.most_visits = 0});
  }
  Read read_from(const Index& index, u32 depth) const {
    Read read;
    const Walker walker(index);
    for (u32 query = 0; query < queries_.begin.size(); ++query) {
      u32 at = prefix_length(queries_.bases[query], index.view.prefix_symbols, index.layout.k);
      walker.search(queries_.packed.data() + u64{queries_.begin[query]} * 4, queries_.bases[query],
                    [&](u32 word, u64 l, u64 h) {
                      if (at >= depth) {
                        const std::set<u64> of_l = sectors_at(walker.touched(word, l)),
                                            of_h = sectors_at(walker.touched(word, h));
                        read.sectors.insert(of_l.begin(), of_l.end());
                        read.sectors.insert(of_h.begin(), of_h.end());
                        read.blocks += of_l == of_h || are_of_one_line(of_l, of_h) ? 1 : 2;
                      }
                      at += index.layout.k;
                    });
    }
    return read;
  }

  TemporaryFolder folder_;
  ThreadPool pool_{1};
  std::string text_ = testing::random_letters(300'000, 1);
  Bwt bwt_ = testing::bwt_of_letters(text_, pool_);
  ColumnRank rank_{bwt_, pool_};
  Queries queries_ = [this] {
    std::string fasta;
    Random random(3);
    for (int i = 0; i < 5000; ++i) fasta += ">q\n" + text_.substr(random.below(text_.size() - 60), 60) + "\n";
    return read_queries(folder_.write("q.fa", fasta), 0);
  }();
};

TEST_F(TrafficClassesOfASearch, AreThePlacesThatTheStepsComeToAndHaveAllBlocks) {
  for (const Layout& layout : {Layout{.k = 1, .d = 64}, Layout{.k = 2, .d = 64},
                               Layout{.kind = LayoutKind::one_hot, .k = 1, .d = 224}}) {
    const Index index = build_index(bwt_, rank_, layout, 0, pool_);
    const Traffic traffic = count_without_heat(index, queries_);
    double sum = 0, outside = traffic.blocks;
    u32 depth = 0, checked = 0;
    for (const TrafficClass& at : traffic.classes) {
      // The first steps have a class each.
      const Read read = read_from(index, depth);
      EXPECT_NEAR(outside / read.blocks, 1, 0.01) << layout.k << " " << depth;
      const bool last = &at == &traffic.classes.back();
      const double own = static_cast<double>(read.sectors.size() * 32);
      if (last) {
        EXPECT_NEAR(static_cast<double>(at.footprint_bytes) / own, 1, 0.15) << layout.k;
      }
      EXPECT_LT(static_cast<double>(at.footprint_bytes), 1.15 * own) << layout.k << " " << depth;
      sum += at.blocks;
      outside -= at.blocks;
      depth += layout.k;
      ++checked;
    }
    EXPECT_NEAR(sum, traffic.blocks, 1e-6 * sum);
    EXPECT_GE(checked, 3u);
  }
}

TEST_F(TrafficClassesOfASearch, AreOfRowsAndOfCountersWhereTheseLieApart) {
  const Layout layout{.k = 4, .d = 64};
  const Index index = build_index(bwt_, rank_, layout, 0, pool_);
  const Traffic traffic = count_without_heat(index, queries_);
  std::set<u64> counters, rows;
  double of_counters = 0, of_rows = 0;
  const Walker walker(index);
  for (u32 query = 0; query < queries_.begin.size(); ++query) {
    u32 at = 0;
    walker.search(queries_.packed.data() + u64{queries_.begin[query]} * 4, queries_.bases[query],
                  [&](u32 word, u64 l, u64 h) {
                    const Walker::Touched of_l = walker.touched(word, l), of_h = walker.touched(word, h);
                    if (at >= 8) {  // there are more intervals than entries
                      for (const Walker::Touched& one : {of_l, of_h}) {
                        counters.insert(one.counter_at / 32);
                        for (u64 sector = one.rows_at / 32; sector * 32 < one.rows_at + one.rows_bytes;
                             ++sector)
                          rows.insert(sector);
                      }
                      of_counters += of_l.counter_at / 32 == of_h.counter_at / 32 ? 1 : 2;
                      of_rows += of_l.rows_at == of_h.rows_at ? 1 : 2;
                    }
                    at += layout.k;
                  });
  }
  ASSERT_GE(traffic.classes.size(), 2u);
  const TrafficClass& largest = traffic.classes.back();
  EXPECT_NEAR(static_cast<double>(largest.footprint_bytes) / static_cast<double>(counters.size() * 32), 1,
              0.1);
  EXPECT_NEAR(largest.blocks / of_counters, 1, 0.01);
  // A sixteenth of the words have their counter next to the rows: one block of the whole entry.
  const TrafficClass& of_the_rows = *std::next(traffic.classes.rbegin());
  EXPECT_NEAR(of_the_rows.blocks / of_rows, 15.0 / 16, 0.01);
  EXPECT_NEAR(static_cast<double>(of_the_rows.footprint_bytes) / static_cast<double>(rows.size() * 32), 1,
              0.01);
}

TEST_F(TrafficClassesOfASearch, WithAPrefixTableHaveItsBytesAndNoFirstSteps) {
  const Index index = build_index(bwt_, rank_, {.k = 1, .d = 64}, 6, pool_);
  const Traffic traffic = count_traffic(index, queries_, RowsRead::all_of_entry, 5000);
  // 4096 intervals of 8 bytes; 5000 queries come to about 0.99 of their sectors.
  EXPECT_NEAR(static_cast<double>(traffic.classes.front().footprint_bytes), 4096 * 8, 0.02 * 4096 * 8);
  EXPECT_DOUBLE_EQ(traffic.classes.front().blocks, 5000);
  EXPECT_GT(traffic.classes[1].footprint_bytes, 4096u * 32 / 2);
}

TEST_F(TrafficOfASearch, IsNoneWithoutBases) {
  EXPECT_EQ(count({"", "N"}, {.k = 1, .d = 64}).blocks, 0);
}

}  // namespace
}  // namespace gpuseq::fm_index
