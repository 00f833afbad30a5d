#include "kernels/common/block_heat.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/system/random.hpp"

namespace gpuseq {
namespace {

/// Visits at random places, of which the first `hot` blocks get `share`, the others the rest.
std::vector<u32> visits_of(u32 blocks, u32 hot, double share, u32 visits) {
  std::vector<u32> counted(blocks);
  Random random(1);
  for (u32 i = 0; i < visits; ++i)
    ++counted[i < visits * share ? random.below(hot) : hot + random.below(blocks - hot)];
  return counted;
}

/// With visits spread evenly over as many blocks as a layer has, a cache
/// of m blocks misses no more than with these, of which `hot` get `share`.
void expect_no_more_missed(const std::vector<HeatLayer>& layers, double blocks, double hot, double share) {
  double outside = 1;
  for (const HeatLayer& layer : layers) {
    for (double held = 0; held < std::min(0.9 * layer.blocks, blocks); held += blocks / 100) {
      const double missed =
          held < hot ? 1 - share * held / hot : (1 - share) * (blocks - held) / (blocks - hot);
      EXPECT_LE(outside * (1 - held / layer.blocks), missed + 0.02) << layer.blocks << " " << held;
    }
    outside -= layer.share;
  }
  EXPECT_NEAR(outside, 0, 1e-9);
}

TEST(BlockHeat, OfEvenVisitsIsOneLayerHoweverFewTheyAre) {
  for (const u32 blocks : {1000u, 5000u, 100'000u})
    for (const u32 times : {4u, 16u, 64u}) {
      const std::vector<HeatLayer> layers = heat_layers(visits_of(blocks, blocks / 2, 0.5, blocks * times));
      ASSERT_EQ(layers.size(), 1u) << blocks << " " << times;
      EXPECT_EQ(layers[0].share, 1);
      EXPECT_NEAR(layers[0].blocks, blocks, 0.02 * blocks) << times;
    }
}

TEST(BlockHeat, IsWhatHotBlocksAreVisitedMore) {
  constexpr u32 kBlocks = 40'000;
  for (const u32 times : {6u, 16u, 100u})
    for (const double share : {0.6, 0.8, 0.95}) {
      const std::vector<HeatLayer> layers =
          heat_layers(visits_of(kBlocks, kBlocks / 4, share, kBlocks * times));
      EXPECT_LE(layers.size(), 5u);
      EXPECT_GT(layers.size(), 1u);
      EXPECT_TRUE(std::ranges::is_sorted(layers, {}, &HeatLayer::blocks));
      if (times == 6) continue;  // which tells less heat than there is
      // The visits of all blocks are as many as those of the cold ones.
      EXPECT_NEAR(layers.back().share, (1 - share) / 0.75, 0.04) << times << " " << share;
      expect_no_more_missed(layers, kBlocks, kBlocks / 4, share);
    }
}

TEST(BlockHeat, OfNoVisitsIsNone) {
  EXPECT_TRUE(heat_layers(std::vector<u32>(10)).empty());
}

}  // namespace
}  // namespace gpuseq
