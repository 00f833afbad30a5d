#include "kernels/exact_match/data/texture_layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/exact_match/data/generator.hpp"

namespace gpuseq::exact_match {
namespace {

TEST(TextureLayout, HasTextsFourLettersDownAColumn) {
  ThreadPool pool(2);
  std::vector<u8> text(4 * kTextColumns + 7);
  for (u64 i = 0; i < text.size(); ++i) text[i] = static_cast<u8>(i * 2654435761u >> 11);
  const HugeArray<u8> order = text_in_2d(text, pool);
  ASSERT_EQ(order.size(), 8 * u64{kTextColumns});
  // The first letters are the first column's, the next four the next one's; then the next four rows.
  for (u64 i = 0; i < 4; ++i) {
    EXPECT_EQ(order[i * kTextColumns], text[i]);
    EXPECT_EQ(order[i * kTextColumns + 1], text[4 + i]);
    EXPECT_EQ(order[(i + 1) * kTextColumns - 1], text[4 * kTextColumns - 4 + i]);
    EXPECT_EQ(order[(i + 4) * kTextColumns], text[4 * kTextColumns + i]);
  }
  for (u64 i = 0; i < text.size(); ++i) {
    const Texel at = text_texel(static_cast<u32>(i));
    ASSERT_EQ(order[u64{at.y} * kTextColumns + at.x], text[i]) << i;
  }
  EXPECT_EQ(static_cast<u64>(std::count(order.begin(), order.end(), kSeparator)),
            order.size() - text.size() + static_cast<u64>(std::count(text.begin(), text.end(), kSeparator)));
}

std::vector<TreeNode> numbered_nodes(u32 count) {
  std::vector<TreeNode> nodes(count);
  for (u32 i = 0; i < count; ++i)
    nodes[i] = {.position = i,
                .depth = ~i,
                .suffix_link = 3 * i,
                .parent = 5 * i,
                .child = {i + 1, i + 2, i + 3, i + 4}};
  return nodes;
}

void expect_half(const HalfNode& found, const TreeNode& node, Half half) {
  if (half == Half::node) {
    EXPECT_EQ(found.words[0], node.position);
    EXPECT_EQ(found.words[1], node.depth);
    EXPECT_EQ(found.words[2], node.suffix_link);
    EXPECT_EQ(found.words[3], node.parent);
  } else {
    EXPECT_TRUE(std::equal(found.words, found.words + 4, node.child));
  }
}

TEST(TextureLayout, HasHalvesOfNodesOneAfterTheOtherInLinearMemory) {
  const std::vector<TreeNode> nodes = numbered_nodes(10);
  for (const Half half : {Half::node, Half::children}) {
    std::vector<HalfNode> halves(6, HalfNode{{7, 7, 7, 7}});
    halve_nodes(nodes, half, 5, halves);
    for (u32 i = 0; i < 5; ++i) expect_half(halves[i], nodes[5 + i], half);
    EXPECT_EQ(halves[5].words[1], 0u);
  }
}

TEST(TextureLayout, HasBlocksOf1024NodesInSquares) {
  const u32 count = static_cast<u32>(kNodesOfABand) + 3000;
  const std::vector<TreeNode> nodes = numbered_nodes(count);
  ASSERT_EQ(node_rows(count), 64u);
  for (const Half half : {Half::node, Half::children}) {
    std::vector<HalfNode> rows(node_rows(count) * kNodeTexelsAcross, HalfNode{{7, 7, 7, 7}});
    for (u64 band = 0; band < 2; ++band)
      band_of_nodes(nodes, half, band, std::span(rows).subspan(band * kNodesOfABand, kNodesOfABand));
    for (u32 node = 0; node < count; node += 13) {
      const Texel at = node_texel(node);
      expect_half(rows[at.y * kNodeTexelsAcross + at.x], nodes[node], half);
    }
    // The first block's second row, the second block's first node, the second row of blocks.
    expect_half(rows[kNodeTexelsAcross], nodes[32], half);
    expect_half(rows[32], nodes[1024], half);
    expect_half(rows[32 * kNodeTexelsAcross], nodes[kNodesOfABand], half);
    EXPECT_EQ(rows.back().words[1], 0u);
  }
}

}  // namespace
}  // namespace gpuseq::exact_match
