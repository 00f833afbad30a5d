#pragma once

#include "kernels/exact_match/data/suffix_tree.hpp"

namespace gpuseq::exact_match {

/// A suffix tree whose leaves are nodes: its children and links are numbers of nodes all. A leaf's string is
/// its suffix, its link the node of the suffix without its first letter; it has no child. Leaves whose string
/// ends where an inner node's does are nobody's child, and no nodes.
/// Source: Schatz et al. 2007, "GPU memory layout"; `places` is of the table that stays in the host's memory.
struct LeafNodes {
  SuffixTree tree;        // without leaf_parent; text, leaf_depth and leaves are the other tree's
  HugeArray<u32> places;  // [tree.nodes] what each is in the other tree: a node or a leaf
};
/// @param tree  must outlive the result, whose nodes are in the same order (SuffixTree::order), leaves among
/// them
/// @throws DoesNotFit where there are more nodes than numbers
LeafNodes with_leaf_nodes(const SuffixTree& tree);
/// The same, made when first asked for and kept with the tree.
std::shared_ptr<const LeafNodes> leaf_nodes_of(const SuffixTree& tree);

/// Slots of a traversal of LeafNodes::tree become those of the other tree.
void to_places(std::span<Slot> slots, std::span<const u32> places, ThreadPool& pool);

}  // namespace gpuseq::exact_match
