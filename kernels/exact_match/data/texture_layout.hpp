#pragma once

#include <span>
#include <vector>

#include "kernels/exact_match/cuda/match_policy.cuh"
#include "kernels/exact_match/data/suffix_tree.hpp"

// Layout of a tree's arrays in textures (match_policy.cuh has the texel of each letter and node).

namespace gpuseq::exact_match {

/// Half a node: the content of a texel.
struct alignas(16) HalfNode {
  u32 words[4];
};
enum class Half { node, children };  // position, depth, suffix link, parent; or the four children

/// Texels of a row of nodes, and rows of a row of blocks.
inline constexpr u64 kNodeTexelsAcross = u64{kBlocksAcross} * kBlockSide;
inline constexpr u64 kNodesOfABand = kNodeTexelsAcross * kBlockSide;

/// Rows of a text in 2D order, and of nodes in a 2D texture: whole rows of blocks.
constexpr u64 text_rows(u64 letters) {
  return (letters + u64{4} * kTextColumns - 1) / (u64{4} * kTextColumns) * 4;
}
constexpr u64 node_rows(u64 nodes) {
  return (nodes + kNodesOfABand - 1) / kNodesOfABand * kBlockSide;
}

/// A text in 2D order, row by row, padded with separators.
/// @returns [text_rows(text.size())][kTextColumns]
HugeArray<u8> text_in_2d(std::span<const u8> text, ThreadPool& pool);

/// Halves of the nodes [first, first + to.size()) one after the other; 0 past the last node.
void halve_nodes(std::span<const TreeNode> nodes, Half half, u64 first, std::span<HalfNode> to);

/// Halves of a row of blocks of a 2D texture, row by row.
/// @param to  [kBlockSide][kNodeTexelsAcross]
void band_of_nodes(std::span<const TreeNode> nodes, Half half, u64 band, std::span<HalfNode> to);

}  // namespace gpuseq::exact_match
