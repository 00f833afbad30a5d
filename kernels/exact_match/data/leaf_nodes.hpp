#pragma once

#include "kernels/exact_match/data/suffix_tree.hpp"

namespace gpuseq::exact_match {

/// A suffix tree whose leaves are nodes, so that all its children and links are node numbers. A leaf's string
/// is its suffix, its link the node of the suffix without its first letter; it has no child. A leaf whose
/// string ends at an inner node is not a child and not a node. Source: Schatz et al. 2007, "GPU memory
/// layout"; `places` is the table that stays in host memory.
struct LeafNodes {
  SuffixTree tree;        // without leaf_parent; text, leaf_depth and leaves are borrowed
                          // from the original tree
  HugeArray<u32> places;  // [tree.nodes] for each node, the node or leaf of the original tree
};
/// @param tree  must outlive the result, whose nodes are in the same order (SuffixTree::order),
/// with leaves among them
/// @throws DoesNotFit if there are more nodes than node numbers
LeafNodes with_leaf_nodes(const SuffixTree& tree);
/// The tree with leaves as nodes, made on first use and stored with the tree.
std::shared_ptr<const LeafNodes> leaf_nodes_of(const SuffixTree& tree);

/// Converts slots of LeafNodes::tree to slots of the original tree.
void to_places(std::span<Slot> slots, std::span<const u32> places, ThreadPool& pool);

}  // namespace gpuseq::exact_match
