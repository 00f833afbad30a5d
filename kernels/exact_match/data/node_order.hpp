#pragma once

#include <vector>

#include "kernels/exact_match/data/suffix_tree.hpp"

namespace gpuseq::exact_match {

/// Nodes of a block: 32 x 32 texels of a texture (match_policy.cuh). Blocks begin at multiples.
inline constexpr u32 kBlockNodes = 1024;
/// Generations of a tall piece: a node, its children, grandchildren and great-grandchildren.
inline constexpr u32 kGenerations = 4;
/// Wide levels of the tree. The paper uses the depth at which queries no longer share nodes. Eight levels are
/// at most 21 845 nodes of 32 bytes, 700 kB, which every query visits and caches keep; below them even a
/// bacterial genome has more branches than there are concurrent strands.
inline constexpr u32 kWideLevels = 8;

/// The hybrid order of MUMmerGPU.
struct HybridOrder {
  std::vector<u32> sequence;   // the nodes in their new order
  u32 wide_nodes = 0;          // number of leading nodes in level order
  std::vector<u32> roots;      // the first node of each tall piece, in the order of the pieces
  std::vector<u32> cut_roots;  // first nodes of the pieces that span two blocks
};

/// Near the root whole blocks in level order: at least `wide_levels` levels, and further nodes until the last
/// block is full. Below, tall pieces of four generations, each consecutive and in one block: the next piece
/// in depth-first order or, if it does not fit the block, the largest waiting piece that fits. If none fits,
/// the next piece is cut, which is rare: most pieces are near the leaves and have few nodes. Blocks have no
/// holes. Source: Schatz et al. 2007, "GPU memory layout" and figure 2.
HybridOrder hybrid_order(const SuffixTree& tree, u32 wide_levels = kWideLevels);

/// The nodes of a tree in an order.
std::vector<u32> node_sequence(const SuffixTree& tree, NodeOrder order);
/// Renumbers a tree's nodes in the order of a sequence. @param sequence  all nodes, the root first
void renumber_as(SuffixTree& tree, std::span<const u32> sequence);

}  // namespace gpuseq::exact_match
