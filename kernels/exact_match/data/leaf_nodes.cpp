#include "kernels/exact_match/data/leaf_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/exact_match/data/node_order.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::exact_match {
namespace {

constexpr u64 kSlotsATime = u64{1} << 18;

template <typename T>
HugeArray<T> borrowed(const HugeArray<T>& array) {
  return HugeArray<T>::borrowed(array.data(), array.size());
}

/// Numbers of leaves as nodes, after the inner nodes.
struct LeafNumbers {
  std::vector<u32> of;  // by position; kNoNode: none
  u64 nodes;            // number of inner nodes and leaves

  explicit LeafNumbers(const SuffixTree& tree)
      : of(tree.view().text_letters, kNoNode), nodes(tree.nodes.size()) {
    u64 leaves = 0;
    for (const TreeNode& node : tree.nodes)
      leaves += static_cast<u64>(std::ranges::count_if(node.child, is_leaf));
    if (nodes + leaves > kLeafBit)
      throw DoesNotFit(fmt::format("a suffix tree of {} letters has {} nodes, leaves counted; allowed: {}",
                                   of.size(), nodes + leaves, kLeafBit));
    for (const TreeNode& node : tree.nodes)
      for (const u32 child : node.child)
        if (is_leaf(child)) of[leaf_position(child)] = static_cast<u32>(nodes++);
  }
};

void add_inner_nodes(const SuffixTree& tree, const LeafNumbers& leaves, LeafNodes& to) {
  for (u32 v = 0; v < tree.nodes.size(); ++v) {
    TreeNode node = tree.nodes[v];
    for (u32& child : node.child)
      if (is_leaf(child)) child = leaves.of[leaf_position(child)];
    to.tree.nodes[v] = node;
    to.tree.ranges[v] = tree.ranges[v];
    to.places[v] = v;
  }
}

void add_leaves(const SuffixTree& tree, const LeafNumbers& leaves, LeafNodes& to) {
  u32 letters = 0;  // letters of the suffix
  for (u32 at = tree.view().text_letters; at-- > 0;) {
    letters = tree.text[at] < 4 ? letters + 1 : 0;
    const u32 number = leaves.of[at];
    if (number == kNoNode) continue;
    // A leaf that is not a node ends at its parent, at a separator at the root.
    const u32 next = leaves.of[at + 1] != kNoNode ? leaves.of[at + 1] : tree.leaf_parent[at + 1];
    to.tree.nodes[number] = {at, letters, next, tree.leaf_parent[at], {kNoNode, kNoNode, kNoNode, kNoNode}};
    to.places[number] = kLeafBit | at;
  }
  for (u32 rank = 0; rank < tree.leaves.size(); ++rank)
    if (const u32 number = leaves.of[tree.leaves[rank]]; number != kNoNode)
      to.tree.ranges[number] = {rank, 1};
}

}  // namespace

LeafNodes with_leaf_nodes(const SuffixTree& tree) {
  const LeafNumbers leaves(tree);
  LeafNodes all;
  all.tree.text = borrowed(tree.text);
  all.tree.leaf_depth = borrowed(tree.leaf_depth);
  all.tree.leaves = borrowed(tree.leaves);
  all.tree.nodes = HugeArray<TreeNode>(leaves.nodes);
  all.tree.ranges = HugeArray<LeafRange>(leaves.nodes);
  all.places = HugeArray<u32>(leaves.nodes);
  add_inner_nodes(tree, leaves, all);
  add_leaves(tree, leaves, all);
  const std::vector<u32> sequence = node_sequence(all.tree, tree.order);
  renumber_as(all.tree, sequence);
  HugeArray<u32> places(leaves.nodes);
  for (u32 i = 0; i < sequence.size(); ++i) places[i] = all.places[sequence[i]];
  all.places = std::move(places);
  return all;
}

std::shared_ptr<const LeafNodes> leaf_nodes_of(const SuffixTree& tree) {
  if (tree.leaf_nodes == nullptr) tree.leaf_nodes = std::make_shared<const LeafNodes>(with_leaf_nodes(tree));
  return std::static_pointer_cast<const LeafNodes>(tree.leaf_nodes);
}

void to_places(std::span<Slot> slots, std::span<const u32> places, ThreadPool& pool) {
  pool.parallel_for(slots.size(), kSlotsATime, [&](std::size_t begin, std::size_t end) {
    for (Slot& slot : slots.subspan(begin, end - begin)) slot.node = places[slot.node];
  });
}

}  // namespace gpuseq::exact_match
