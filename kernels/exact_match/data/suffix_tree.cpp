#include "kernels/exact_match/data/suffix_tree.hpp"

#include <algorithm>
#include <utility>

#include "kernels/exact_match/data/suffix_sort.hpp"
#include "runtime/system/host_memory.hpp"

namespace gpuseq::exact_match {
namespace {

constexpr u64 kBytesPerLetter = 52;  // memory for building a tree of DNA
constexpr u64 kPartsToLink = 512;    // approximate parts of a tree
constexpr u32 kPieceDepth = 6;       // most letters that suffixes on both sides of a piece's end share

struct Interval {
  u32 first, count, depth;
};

/// Finds intervals from left to right with a stack of open intervals; each is closed after those within it.
class IntervalStack {
 public:
  /// @param depth  only deeper intervals are found
  IntervalStack(u32 first, u32 depth) : open_{{first, 0, depth}} {}

  /// Passes a border between suffixes that have `depth` letters in common, or fewer than the least depth.
  /// @param before  start of an interval that ends at the border and is not open yet
  void pass(u32 before, u32 border, u32 depth) {
    u32 first = before;
    while (open_.back().depth > depth) {
      Interval interval = open_.back();
      open_.pop_back();
      first = interval.first;
      interval.count = border - first;
      closed_.push_back(interval);
    }
    if (open_.back().depth < depth) open_.push_back({first, 0, depth});
  }
  std::vector<Interval>& closed() { return closed_; }

 private:
  std::vector<Interval> open_, closed_;
};

/// A piece of the suffixes, with its intervals deeper than kPieceDepth.
struct SuffixPiece {
  u32 begin = 0, end = 0;
  std::vector<Interval> closed;
  std::vector<u32> shallow;  // borders that no such interval spans, including the borders of the piece
};

void find_intervals(SuffixPiece& piece, const HugeArray<u32>& leaves, const std::vector<u32>& prefixes) {
  IntervalStack stack(piece.begin, kPieceDepth);
  for (u32 i = piece.begin + 1; i <= piece.end; ++i) {
    const u32 depth = i == piece.end ? 0 : prefixes[leaves[i]];
    if (depth <= kPieceDepth) piece.shallow.push_back(i);
    stack.pass(i - 1, i, std::max(depth, kPieceDepth));
  }
  piece.closed = std::move(stack.closed());
}

/// The intervals that are at most kPieceDepth deep, the last closed first.
std::vector<Interval> shallow_intervals(const std::vector<SuffixPiece>& pieces, const HugeArray<u32>& leaves,
                                        const std::vector<u32>& prefixes) {
  const u32 count = static_cast<u32>(leaves.size());
  IntervalStack stack(0, 0);
  u32 before = 0;
  for (const SuffixPiece& piece : pieces)
    for (const u32 border : piece.shallow) {
      stack.pass(before, border, border == count ? 0 : prefixes[leaves[border]]);
      before = border;
    }
  stack.closed().push_back({0, count, 0});
  std::reverse(stack.closed().begin(), stack.closed().end());
  return std::move(stack.closed());
}

/// The inner nodes, parents before descendants and rightmost children first: an inner node is an interval of
/// suffixes with a longer common prefix than every larger interval. Deep intervals are within pieces, which
/// end where adjacent suffixes share few letters, and are found per piece.
std::vector<Interval> inner_nodes(const HugeArray<u32>& leaves, const std::vector<u32>& prefixes,
                                  ThreadPool& pool, u64 leaves_of_a_piece) {
  const u32 count = static_cast<u32>(leaves.size());
  const u64 wanted = pool.size() == 1 ? 1 : count / leaves_of_a_piece + 1;
  std::vector<SuffixPiece> pieces;
  for (u64 i = 0; i < wanted; ++i) {
    const u32 begin = pieces.empty() ? 0 : pieces.back().end;
    u32 end = static_cast<u32>(std::max<u64>(begin, count * (i + 1) / wanted));
    while (end < count && end > 0 && prefixes[leaves[end]] > kPieceDepth) ++end;
    if (end > begin) pieces.push_back({.begin = begin, .end = end, .closed = {}, .shallow = {}});
  }
  pool.parallel_for(pieces.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) find_intervals(pieces[i], leaves, prefixes);
  });
  const std::vector<Interval> shallow = shallow_intervals(pieces, leaves, prefixes);
  u64 nodes = shallow.size();
  for (const SuffixPiece& piece : pieces) nodes += piece.closed.size();
  std::vector<Interval> all;
  all.reserve(nodes);
  auto next = shallow.begin();
  const auto end_of = [](const Interval& interval) { return interval.first + interval.count; };
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece)
    for (auto deep = piece->closed.rbegin(); deep != piece->closed.rend(); ++deep) {
      while (next != shallow.end() && end_of(*next) >= end_of(*deep)) all.push_back(*next++);
      all.push_back(*deep);
    }
  all.insert(all.end(), next, shallow.end());
  return all;
}

/// Makes nodes with their positions, parents and inner children.
void make_nodes(SuffixTree& tree, const std::vector<Interval>& intervals) {
  tree.nodes = HugeArray<TreeNode>(intervals.size());
  tree.ranges = HugeArray<LeafRange>(intervals.size());
  u32 parent = kRoot;
  for (u32 v = 0; v < intervals.size(); ++v) {
    const Interval& interval = intervals[v];
    const u32 position = interval.count == 0 ? 0 : tree.leaves[interval.first];
    tree.ranges[v] = {interval.first, interval.count};
    // Children come from right to left: an ancestor whose range begins later is complete.
    while (v != kRoot && tree.ranges[parent].first > interval.first) parent = tree.nodes[parent].parent;
    tree.nodes[v] = {.position = position,
                     .depth = interval.depth,
                     .suffix_link = kRoot,
                     .parent = parent,
                     .child = {kNoNode, kNoNode, kNoNode, kNoNode}};
    if (v != kRoot) {
      TreeNode& above = tree.nodes[parent];
      above.child[tree.text[position + above.depth]] = v;
    }
    parent = v;
  }
}

/// Attaches the leaves whose parent is the node: its children by a letter, then those that a separator ends.
void attach_leaves(SuffixTree& tree, u32 v) {
  TreeNode& node = tree.nodes[v];
  u32 at = tree.ranges[v].first;
  const u32 end = at + tree.ranges[v].count;
  const auto attach = [&] {
    const u32 position = tree.leaves[at++];
    tree.leaf_parent[position] = v;
    tree.leaf_depth[position] = static_cast<u8>(std::min<u32>(node.depth, 255));
    return position;
  };
  for (u32 letter = 0; letter < 4; ++letter) {
    if (node.child[letter] != kNoNode)
      at += tree.ranges[node.child[letter]].count;
    else if (at < end && tree.text[tree.leaves[at] + node.depth] == letter)
      node.child[letter] = kLeafBit | attach();
  }
  while (at < end) attach();
}

/// The link of a node is at or below the link of its parent, on the path of the node's own
/// letters. Each place of the tree is passed at most once for each first letter, so that all links
/// together take linear time.
void link_suffix(SuffixTree& tree, u32 v) {
  TreeNode& node = tree.nodes[v];
  u32 link = tree.nodes[node.parent].suffix_link;
  while (tree.nodes[link].depth + 1 < node.depth) {
    const TreeNode& above = tree.nodes[link];
    link = above.child[tree.text[node.position + 1 + above.depth]];
  }
  node.suffix_link = link;
}

/// A link needs the parent's link, so nodes with many leaves come first. The nodes between them, in node
/// order, form whole trees that need only those links.
void link_suffixes(SuffixTree& tree, ThreadPool& pool, u32 leaves_of_a_part) {
  const u32 many = static_cast<u32>(tree.leaves.size() / kPartsToLink) + leaves_of_a_part;
  std::vector<std::pair<u32, u32>> below{{1, 1}};
  for (u32 v = 1; v < tree.nodes.size(); ++v) {
    if (tree.ranges[v].count > many) {
      link_suffix(tree, v);
      below.emplace_back(v + 1, v + 1);
    } else {
      below.back().second = v + 1;
    }
  }
  pool.parallel_for(below.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      for (u32 v = below[i].first; v < below[i].second; ++v) link_suffix(tree, v);
  });
}

}  // namespace

HugeArray<u8> padded_text(std::span<const u8> text) {
  HugeArray<u8> padded(text.size() + kTextPadding);
  std::fill(std::copy(text.begin(), text.end(), padded.begin()), padded.end(), kSeparator);
  return padded;
}

TreeView SuffixTree::view() const {
  return {.text = text.data(),
          .nodes = nodes.data(),
          .leaf_parent = leaf_parent.data(),
          .leaf_depth = leaf_depth.data(),
          .ranges = ranges.data(),
          .leaves = leaves.data(),
          .text_letters = static_cast<u32>(text.size() - kTextPadding),
          .node_count = static_cast<u32>(nodes.size()),
          .leaf_count = static_cast<u32>(leaves.size())};
}

u64 SuffixTree::bytes() const {
  return text.size() + nodes.size() * (sizeof(TreeNode) + sizeof(LeafRange)) + leaf_parent.size() * 4 +
         leaf_depth.size() + leaves.size() * 4;
}

SuffixTree build_tree(std::span<const u8> text, ThreadPool& pool, const TreeTasks& tasks) {
  require_host_memory(text.size() * kBytesPerLetter, "building the suffix tree");
  SuffixTree tree;
  tree.text = padded_text(text);
  {
    SortedSuffixes sorted = sort_suffixes(text, pool, tasks);
    tree.leaves = std::move(sorted.leaves);
    make_nodes(tree, inner_nodes(tree.leaves, sorted.prefixes, pool, tasks.leaves_of_a_piece));
  }
  tree.leaf_parent = HugeArray<u32>(text.size());
  tree.leaf_depth = HugeArray<u8>(text.size());
  pool.parallel_for(tree.nodes.size(), tasks.items, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) attach_leaves(tree, static_cast<u32>(v));
  });
  link_suffixes(tree, pool, tasks.leaves_of_a_part);
  return tree;
}

void renumber(SuffixTree& tree, std::span<const u32> new_number, u64 items) {
  const auto renamed = [&](u32 node) { return is_leaf(node) ? node : new_number[node]; };
  HugeArray<TreeNode> nodes(tree.nodes.size());
  HugeArray<LeafRange> ranges(tree.nodes.size());
  const auto move_nodes = [&](std::size_t begin, std::size_t end) {
    for (u64 v = begin; v < end; ++v) {
      TreeNode node = tree.nodes[v];
      node.suffix_link = renamed(node.suffix_link);
      node.parent = renamed(node.parent);
      for (u32& child : node.child) child = renamed(child);
      nodes[new_number[v]] = node;
      ranges[new_number[v]] = tree.ranges[v];
    }
  };
  const auto rename_parents = [&](std::size_t begin, std::size_t end) {
    for (u64 at = begin; at < end; ++at) tree.leaf_parent[at] = renamed(tree.leaf_parent[at]);
  };
  if (tree.nodes.size() <= items) {  // starting threads would take longer
    move_nodes(0, tree.nodes.size());
    rename_parents(0, tree.leaf_parent.size());
  } else {
    ThreadPool pool(0, false);
    pool.parallel_for(tree.nodes.size(), items, move_nodes);
    pool.parallel_for(tree.leaf_parent.size(), items, rename_parents);
  }
  tree.nodes = std::move(nodes);
  tree.ranges = std::move(ranges);
  tree.device_copy.reset();  // it has the old numbers
  tree.leaf_nodes.reset();
}

}  // namespace gpuseq::exact_match
