#include "kernels/exact_match/data/node_order.hpp"

#include <algorithm>
#include <array>

namespace gpuseq::exact_match {
namespace {

/// A node and 4, 16 and 64 descendants.
constexpr u32 kMostNodesOfAPiece = 1 + 4 + 16 + 64;

template <typename Visit>
void for_inner_children(const SuffixTree& tree, u32 node, const Visit& visit) {
  for (const u32 child : tree.nodes[node].child)
    if (child != kNoNode && !is_leaf(child)) visit(child);
}

std::vector<u32> breadth_first(const SuffixTree& tree) {
  std::vector<u32> sequence{kRoot};
  sequence.reserve(tree.nodes.size());
  for (u64 i = 0; i < sequence.size(); ++i)
    for_inner_children(tree, sequence[i], [&](u32 child) { sequence.push_back(child); });
  return sequence;
}

std::vector<u32> depth_first(const SuffixTree& tree) {
  std::vector<u32> sequence, waiting{kRoot};
  sequence.reserve(tree.nodes.size());
  while (!waiting.empty()) {
    const u32 node = waiting.back();
    waiting.pop_back();
    sequence.push_back(node);
    const std::size_t at = waiting.size();
    for_inner_children(tree, node, [&](u32 child) { waiting.push_back(child); });
    std::reverse(waiting.begin() + static_cast<std::ptrdiff_t>(at), waiting.end());
  }
  return sequence;
}

/// A node with three generations below it, in level order, and the roots of the pieces below them.
struct OrderPiece {
  std::vector<u32> nodes, below;

  void gather(const SuffixTree& tree, u32 root) {
    nodes.assign(1, root);
    below.clear();
    std::size_t begin = 0;
    for (u32 generation = 1; generation < kGenerations; ++generation) {
      const std::size_t end = nodes.size();
      for (; begin < end; ++begin)
        for_inner_children(tree, nodes[begin], [&](u32 child) { nodes.push_back(child); });
    }
    for (; begin < nodes.size(); ++begin)
      for_inner_children(tree, nodes[begin], [&](u32 child) { below.push_back(child); });
  }
};

/// Pieces to be placed. The next one is the last that was pushed, or the last of a size.
class Waiting {
 public:
  explicit Waiting(u64 node_count) : taken_(node_count) {}

  void push(u32 root, u32 size) {
    last_.push_back({root, size});
    by_size_[size].push_back(root);
  }
  /// Takes the next piece if it has at most `room` nodes, else the largest that has; `cut` if there is none.
  /// @returns whether there is any piece
  bool take(u32 room, u32& root, bool& cut) {
    while (!last_.empty() && taken_[last_.back().root]) last_.pop_back();
    if (last_.empty()) return false;
    root = last_.back().root;
    cut = last_.back().size > room;
    for (u32 size = std::min(room, kMostNodesOfAPiece); cut && size > 0; --size) {
      std::vector<u32>& same = by_size_[size];
      while (!same.empty() && taken_[same.back()]) same.pop_back();
      if (same.empty()) continue;
      root = same.back();
      cut = false;
    }
    taken_[root] = true;
    return true;
  }

 private:
  struct Entry {
    u32 root, size;
  };
  std::vector<Entry> last_;
  std::array<std::vector<u32>, kMostNodesOfAPiece + 1> by_size_;
  std::vector<bool> taken_;
};

/// The nodes of the wide levels in level order; `frontier` receives the children of the last ones.
std::vector<u32> wide_nodes(const SuffixTree& tree, u32 wide_levels, std::vector<u32>& frontier) {
  std::vector<u32> sequence{kRoot};
  sequence.reserve(tree.nodes.size());
  u64 level_end = 1, done = 0;
  for (u32 level = 0; done < sequence.size(); ++done) {
    if (done == level_end) {
      ++level;
      level_end = sequence.size();
    }
    if (level >= wide_levels && done % kBlockNodes == 0) break;
    for_inner_children(tree, sequence[done], [&](u32 child) { sequence.push_back(child); });
  }
  frontier.assign(sequence.begin() + static_cast<std::ptrdiff_t>(done), sequence.end());
  sequence.resize(done);
  return sequence;
}

}  // namespace

HybridOrder hybrid_order(const SuffixTree& tree, u32 wide_levels) {
  HybridOrder order;
  OrderPiece piece, deeper;
  std::vector<u32> frontier;
  order.sequence = wide_nodes(tree, wide_levels, frontier);
  order.wide_nodes = static_cast<u32>(order.sequence.size());
  Waiting waiting(tree.nodes.size());
  const auto push_all = [&](const std::vector<u32>& roots) {
    for (auto root = roots.rbegin(); root != roots.rend(); ++root) {
      deeper.gather(tree, *root);
      waiting.push(*root, static_cast<u32>(deeper.nodes.size()));
    }
  };
  push_all(frontier);
  u32 root;
  for (bool cut; waiting.take(kBlockNodes - static_cast<u32>(order.sequence.size() % kBlockNodes), root, cut);
       push_all(piece.below)) {
    piece.gather(tree, root);
    order.sequence.insert(order.sequence.end(), piece.nodes.begin(), piece.nodes.end());
    order.roots.push_back(root);
    if (cut) order.cut_roots.push_back(root);
  }
  return order;
}

std::vector<u32> node_sequence(const SuffixTree& tree, NodeOrder order) {
  return order == NodeOrder::depth_first     ? depth_first(tree)
         : order == NodeOrder::breadth_first ? breadth_first(tree)
                                             : hybrid_order(tree).sequence;
}

void renumber_as(SuffixTree& tree, std::span<const u32> sequence) {
  std::vector<u32> new_number(tree.nodes.size());
  for (u32 i = 0; i < sequence.size(); ++i) new_number[sequence[i]] = i;
  renumber(tree, new_number);
}

void order_nodes(SuffixTree& tree, NodeOrder order) {
  renumber_as(tree, node_sequence(tree, order));
  tree.order = order;
}

}  // namespace gpuseq::exact_match
