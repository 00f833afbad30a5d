#include "kernels/exact_match/data/tree_check.hpp"

#include <algorithm>
#include <atomic>

namespace gpuseq::exact_match {
namespace {

constexpr u64 kNodesAhead = 12;

class TreeCheck {
 public:
  TreeCheck(const SuffixTree& tree, ThreadPool& pool, u64 items)
      : tree_(tree.view()), pool_(pool), items_(items), rank_(tree_.text_letters) {}

  bool passes() {
    for_all(tree_.leaf_count, [&](u32 rank, u64&) { return take_leaf(rank); });
    for_all(tree_.text_letters, [&](u32 position, u64&) { return place_is_sound(position); });
    for_all(tree_.node_count, [&](u32 node, u64& inner_children) {
      if (node + kNodesAhead < tree_.node_count)
        prefetch(tree_.nodes[node + kNodesAhead], node + kNodesAhead);
      return node_is_sound(node, inner_children);
    });
    return sound_ && inner_children_ == u64{tree_.node_count} - 1;
  }

 private:
  /// @param is_sound  checks an item and adds the inner nodes among its children to its second argument, a
  /// counter of the task: threads that share a counter would wait for each other at every node
  template <typename IsSound>
  void for_all(u64 count, const IsSound& is_sound) {
    if (!sound_) return;  // the next checks rely on it
    pool_.parallel_for(count, items_, [&](std::size_t begin, std::size_t end) {
      u64 inner_children = 0;
      for (u64 i = begin; i < end && sound_.load(std::memory_order_relaxed); ++i)
        if (!is_sound(static_cast<u32>(i), inner_children)) sound_ = false;
      inner_children_.fetch_add(inner_children, std::memory_order_relaxed);
    });
  }

  /// First letters ascend, so that leaves between two with the same first letter have that letter too.
  bool take_leaf(u32 rank) {
    const u32 position = tree_.leaves[rank];
    if (position >= tree_.text_letters || tree_.text[position] > 3) return false;
    const u32 before = rank == 0 ? position : tree_.leaves[rank - 1];
    if (before >= tree_.text_letters || tree_.text[before] > tree_.text[position]) return false;
    std::atomic_ref(rank_[position]).store(rank + 1, std::memory_order_relaxed);
    return true;
  }

  /// Every base has a rank. There are as many leaves as bases, so that the ranks are distinct.
  bool place_is_sound(u32 position) const {
    if (tree_.text[position] > 3)
      return tree_.leaf_parent[position] == kRoot && tree_.leaf_depth[position] == 0;
    return rank_[position] != 0;
  }

  /// Prefetches the data for checking a later node, as far as the addresses are known.
  void prefetch(const TreeNode& node, u64 number) const {
    if (node.suffix_link < tree_.node_count) {
      __builtin_prefetch(&tree_.nodes[node.suffix_link]);
      __builtin_prefetch(&tree_.ranges[node.suffix_link]);
    }
    const LeafRange range = tree_.ranges[number];
    const u64 last = u64{range.first} + range.count;
    if (range.count == 0 || last > tree_.leaf_count) return;
    for (const u32 position : {tree_.leaves[range.first], tree_.leaves[last - 1]}) {
      if (position >= tree_.text_letters) continue;
      __builtin_prefetch(&rank_[position] + 1);
      __builtin_prefetch(&tree_.leaf_parent[position]);
      __builtin_prefetch(&tree_.leaf_depth[position]);
      __builtin_prefetch(&tree_.text[position]);
    }
  }

  bool node_is_sound(u32 number, u64& inner_children) const {
    const TreeNode& node = tree_.nodes[number];
    const LeafRange range = tree_.ranges[number];
    const u64 end = u64{range.first} + range.count;
    if (end > tree_.leaf_count || node.suffix_link >= tree_.node_count) return false;
    if (number == kRoot) {
      if (node.depth != 0 || node.parent != kRoot || node.suffix_link != kRoot) return false;
      if (range.count != tree_.leaf_count) return false;
      if (range.count == 0) return node.position == 0 && std::ranges::count(node.child, kNoNode) == 4;
    } else if (range.count < 2 || tree_.nodes[node.suffix_link].depth + 1 != node.depth) {
      return false;
    }
    return node.position == tree_.leaves[range.first] &&
           branches_are_sound(number, range.first, end, inner_children);
  }

  bool branches_are_sound(u32 number, u64 at, u64 end, u64& inner_children) const {
    const TreeNode& node = tree_.nodes[number];
    const u64 first = at;
    u32 branches = 0;
    for (u32 letter = 0; letter < 4; ++letter) {
      const u32 child = node.child[letter];
      if (child == kNoNode) continue;
      if (at >= end || letter_behind(node, at) != letter || !begins_like(node, at)) return false;
      if (is_leaf(child)) {
        if (leaf_position(child) != tree_.leaves[at] || !is_leaf_of(number, at)) return false;
        ++at;
      } else {
        if (!is_child(child, number, at)) return false;
        at += tree_.ranges[child].count;
        if (number == kRoot && (at > end || tree_.text[tree_.leaves[at - 1]] != letter)) return false;
        ++inner_children;
      }
      ++branches;
    }
    for (; at < end; ++at, ++branches)  // branches that a separator ends
      if (letter_behind(node, at) < 4 || !begins_like(node, at) || !is_leaf_of(number, at)) return false;
    return at == end && (branches > 1 || (number == kRoot && at > first));
  }

  /// The letter of a leaf at a node's depth; past the text's end, a letter that no branch has.
  u32 letter_behind(const TreeNode& node, u64 rank) const {
    constexpr u32 kNone = 4;
    const u64 place = u64{tree_.leaves[rank]} + node.depth;
    return place < tree_.text_letters ? tree_.text[place] : kNone;
  }
  /// Whether a leaf has the letters of the node: the first, which is implied below a child of the root, and
  /// the others at its suffix link.
  bool begins_like(const TreeNode& node, u64 rank) const {
    if (node.depth < 2) return true;
    const u32 next = rank_[tree_.leaves[rank] + 1];  // the text's last letter is a separator
    const LeafRange linked = tree_.ranges[node.suffix_link];
    return next > linked.first && next - 1 - linked.first < linked.count;
  }
  bool is_leaf_of(u32 number, u64 rank) const {
    const u32 position = tree_.leaves[rank];
    return tree_.leaf_parent[position] == number &&
           tree_.leaf_depth[position] == std::min<u32>(tree_.nodes[number].depth, 255);
  }
  bool is_child(u32 child, u32 number, u64 rank) const {
    return child > number && child < tree_.node_count && tree_.nodes[child].parent == number &&
           tree_.nodes[child].depth > tree_.nodes[number].depth && tree_.ranges[child].first == rank &&
           tree_.ranges[child].count > 0;
  }

  const TreeView tree_;
  ThreadPool& pool_;
  u64 items_;
  HugeArray<u32> rank_;  // [text_letters] rank of each suffix in the leaves, from 1; 0 at separators
  std::atomic<bool> sound_{true};
  std::atomic<u64> inner_children_{0};
};

}  // namespace

bool is_suffix_tree(const SuffixTree& tree, ThreadPool& pool, u64 items) {
  return TreeCheck(tree, pool, items).passes();
}

}  // namespace gpuseq::exact_match
