#include "probes/cuda/access.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace gpuseq::probes {
namespace {

TEST(AddressGenerator, StaysInRangeForAnyNumberOfBlocks) {
  for (const u64 blocks :
       {u64{1}, u64{2}, u64{3}, u64{2048}, u64{1000003}, u64{1} << 32, (u64{140} << 30) / 32}) {
    u64 state = first_state(1, 0);
    for (int i = 0; i < 10000; ++i, state = next_state(state)) ASSERT_LT(block_of(state, blocks), blocks);
  }
}

/// Chi-square statistic of visits to `cells`, in standard deviations from its mean.
double deviation(const std::vector<int>& cells, double expected) {
  double chi = 0;
  for (int n : cells) chi += (n - expected) * (n - expected) / expected;
  const double freedom = static_cast<double>(cells.size()) - 1;
  return (chi - freedom) / std::sqrt(2 * freedom);
}

TEST(AddressGenerator, OneStreamHitsAllBlocksAlike) {
  std::vector<int> visits(1000);
  u64 state = first_state(7, 3);
  for (int i = 0; i < 1000000; ++i, state = next_state(state)) ++visits[block_of(state, visits.size())];
  EXPECT_LT(std::abs(deviation(visits, 1000)), 5);
}

TEST(AddressGenerator, TheSameStepOfManyStreamsHitsAllBlocksAlike) {
  for (int step : {0, 1, 5}) {
    std::vector<int> visits(1000);
    for (u64 generator = 0; generator < 200000; ++generator) {
      u64 state = first_state(7, generator);
      for (int i = 0; i < step; ++i) state = next_state(state);
      ++visits[block_of(state, visits.size())];
    }
    EXPECT_LT(std::abs(deviation(visits, 200)), 5) << "step " << step;
  }
}

TEST(AddressGenerator, DependentStreamsHitAllBlocksAlike) {
  constexpr u64 kGranulesPerBlock = 4;
  std::vector<int> visits(1000);
  for (u64 generator = 0; generator < 100; ++generator) {
    u64 state = first_state(7, generator);
    for (int i = 0; i < 10000; ++i) {
      const u64 block = block_of(state, visits.size());
      ++visits[block];
      state = next_state(state + tag_of(block * kGranulesPerBlock));
    }
  }
  EXPECT_LT(std::abs(deviation(visits, 1000)), 5);
}

TEST(AddressGenerator, ReachesTheEndsOfFootprintsBeyond32Bits) {
  const u64 blocks = (u64{140} << 30) / 32;
  u64 least = blocks, most = 0;
  u64 state = first_state(1, 0);
  for (int i = 0; i < 100000; ++i, state = next_state(state)) {
    least = std::min(least, block_of(state, blocks));
    most = std::max(most, block_of(state, blocks));
  }
  EXPECT_LT(least, blocks / 1000);
  EXPECT_GT(most, blocks - blocks / 1000);
}

TEST(Content, AllGranulesOfAKibibyteShareATagAndDifferOtherwise) {
  for (u64 i = 0; i < 64; ++i) EXPECT_EQ(granule_at(i).tag, granule_at(0).tag);
  EXPECT_NE(granule_at(64).tag, granule_at(0).tag);
  EXPECT_NE(folded(granule_at(1)), folded(granule_at(2)));
}

class ChaseOrder : public testing::TestWithParam<u64> {};
INSTANTIATE_TEST_SUITE_P(Nodes, ChaseOrder, testing::Values(2, 3, 32, 33, 512, 1000, 1025, 65536, 100000));

TEST_P(ChaseOrder, VisitsEveryNodeOnce) {
  const u64 nodes = GetParam();
  for (u64 seed : {1, 2}) {
    std::vector<int> visits(nodes);
    for (u64 i = 0; i < nodes; ++i) {
      const u64 node = node_at(i, nodes, bits_below(nodes), seed);
      ASSERT_LT(node, nodes);
      ++visits[node];
    }
    for (u64 i = 0; i < nodes; ++i) ASSERT_EQ(visits[i], 1) << "node " << i;
  }
}

TEST(ChaseOrder, StepsHaveNoCommonDistance) {
  constexpr u64 kNodes = 100000;
  const u32 bits = bits_below(kNodes);
  std::vector<int> distances(1000);
  for (u64 i = 0; i + 1 < kNodes; ++i) {
    const u64 a = node_at(i, kNodes, bits, 1), b = node_at(i + 1, kNodes, bits, 1);
    ++distances[(b + kNodes - a) % kNodes * distances.size() / kNodes];
  }
  // Distances of a random cycle are spread evenly; a prefetcher has nothing to learn.
  for (int n : distances) EXPECT_LT(n, 1000);
  EXPECT_GT(std::count_if(distances.begin(), distances.end(), [](int n) { return n > 0; }), 900);
}

TEST(BitsBelow, IsTheLeastThatHoldsAllValues) {
  EXPECT_EQ(bits_below(2), 1u);
  EXPECT_EQ(bits_below(3), 2u);
  EXPECT_EQ(bits_below(4), 2u);
  EXPECT_EQ(bits_below(5), 3u);
  EXPECT_EQ(bits_below((u64{1} << 32) + 1), 33u);
}

}  // namespace
}  // namespace gpuseq::probes
