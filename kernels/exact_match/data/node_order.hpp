#pragma once

#include <vector>

#include "kernels/exact_match/data/suffix_tree.hpp"

namespace gpuseq::exact_match {

/// Nodes of a block: what a texture holds in 32 x 32 texels (match_policy.cuh). Blocks begin at multiples.
inline constexpr u32 kBlockNodes = 1024;
/// Generations of a tall piece: a node, its children, grandchildren and great-grandchildren.
inline constexpr u32 kGenerations = 4;
/// Levels of the tree that are wide. The paper takes the depth at which queries are no longer likely to meet;
/// eight levels are at most 21 845 nodes of 32 bytes, 700 kB, which every query passes and caches keep; below
/// them even a bacterial genome has more branches than strands are in work.
inline constexpr u32 kWideLevels = 8;

/// The hybrid order of MUMmerGPU.
struct HybridOrder {
  std::vector<u32> sequence;   // the nodes in their new order
  u32 wide_nodes = 0;          // the first so many, in level order
  std::vector<u32> roots;      // the first node of each tall piece, in the order of the pieces
  std::vector<u32> cut_roots;  // of those pieces that lie in two blocks
};

/// Near the root whole blocks in level order: at least `wide_levels` levels, and then so many nodes more that
/// the last block is full. Below, tall pieces of four generations, each consecutive and in one block: the
/// piece that is next in depth-first order, or, where the block has no room for it, the largest of those that
/// wait which it has room for. If none is small enough, the next one is cut: a rare case, as most pieces of a
/// tree are near its leaves and have few nodes. Blocks have no holes.
/// Source: Schatz et al. 2007, "GPU memory layout" and figure 2.
HybridOrder hybrid_order(const SuffixTree& tree, u32 wide_levels = kWideLevels);

/// The nodes of a tree in an order.
std::vector<u32> node_sequence(const SuffixTree& tree, NodeOrder order);
/// The same tree with its nodes in a sequence. @param sequence  of all of them, the root first
void renumber_as(SuffixTree& tree, std::span<const u32> sequence);

}  // namespace gpuseq::exact_match
