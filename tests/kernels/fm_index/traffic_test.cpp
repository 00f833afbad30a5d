#include "kernels/fm_index/traffic.hpp"

#include <gtest/gtest.h>

#include "kernels/fm_index/data/rank.hpp"
#include "tests/kernels/fm_index/brute_force.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::fm_index {
namespace {

class TrafficOfASearch : public ::testing::Test {
 protected:
  Traffic count(const std::vector<std::string>& reads, const Layout& layout, u32 prefix_symbols = 0) {
    std::string fasta;
    for (const std::string& read : reads) fasta += ">q\n" + read + "\n";
    const Queries queries = read_queries(folder_.write("q.fa", fasta), 0);
    return count_traffic(build_index(bwt_, rank_, layout, prefix_symbols, pool_), queries);
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
  EXPECT_EQ(count({query}, {.k = 4, .d = 224, .one_hot = true}).block_bytes, 32u);
}

TEST_F(TrafficOfASearch, IsTwoBlocksPerEntryWhereCountersLieFarFromTheRows) {
  const Traffic traffic = count({"AAAA"}, {.k = 4, .d = 64});
  EXPECT_EQ(traffic.blocks, 4);
  EXPECT_EQ(traffic.block_bytes, 48u);  // the mean of 32 for the counter and 64 for the rows
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
  EXPECT_DOUBLE_EQ(count_traffic(build_index(bwt_, rank_, {.k = 2, .d = 64}, 0, pool_), queries, 7).blocks,
                   all);
}

TEST_F(TrafficOfASearch, IsNoneWithoutBases) {
  EXPECT_EQ(count({"", "N"}, {.k = 1, .d = 64}).blocks, 0);
}

}  // namespace
}  // namespace gpuseq::fm_index
