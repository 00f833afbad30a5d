#pragma once

#include <algorithm>

#include "kernels/exact_match/cuda/match_memory.cuh"
#include "kernels/exact_match/traffic.hpp"
#include "kernels/exact_match/traffic_heat.hpp"

namespace gpuseq::exact_match {

/// The block of an array that was read last.
class LastBlock {
 public:
  /// 1 if an element is in another block than the last element.
  u32 moves_to(u64 element, u64 bytes) {
    const u64 block = element * bytes / kBlockBytes;
    if (block == last_) return 0;
    last_ = block;
    return 1;
  }

 private:
  u64 last_ = ~u64{0};
};

/// Access counts by location.
struct Heat {
  Heat(const TreeView& tree, const SearchWay& way, u32 min_length)
      : nodes(tree),
        prefixes(tree, way.prefix_letters, 8 * sizeof(Slot), kBlockBytes),
        filter(tree, std::min(way.filter_letters, min_length), 1, kBlockBytes) {}

  HotNodes nodes;
  HotWords prefixes, filter;
  double text = 0, parents = 0, depths = 0, leaves = 0;  // blocks
};

/// A traversal's memory (see DeviceMemory) that counts accesses and records them in a Heat object if there is
/// one. K-mer tables are not built: their entries are derived from the tree, without counting these reads.
class CountingMemory {
 public:
  static constexpr bool words = true;
  static constexpr bool leaf_nodes = false;  // also right for a tree whose leaves are nodes

  CountingMemory(const TreeView& tree, const SearchWay& way, u32 min_length, AccessCounts& counts,
                 Heat* heat = nullptr)
      : tree_(tree),
        prefix_letters_(way.prefix_letters),
        filter_letters_(std::min(way.filter_letters, min_length)),
        compared_ends_(way.compared_ends),
        counts_(counts),
        heat_(heat) {}

  bool compared_ends() const { return compared_ends_; }
  NodeLinks links(u32 node) {
    ++counts_.nodes;
    visit(node);
    const TreeNode& at = tree_.nodes[node];
    return {at.position, at.depth, at.suffix_link, at.parent};
  }
  u32 suffix_link(u32 node) { return links(node).suffix_link; }
  u32 child(u32 node, u32 letter) {
    ++counts_.children;
    visit(node);
    return tree_.nodes[node].child[letter];
  }
  u8 text(u32 position) {
    ++counts_.text_letters;
    add(&Heat::text, text_.moves_to(position, 1));
    return tree_.text[position];
  }
  u8 letter(const u8* at) {
    ++counts_.query_letters;
    return *at;
  }
  /// Letters four at a time, like LetterStream.
  class Letters {
   public:
    Letters(CountingMemory& memory, const u8* at) : memory_(memory), at_(at) {}
    u32 next() {
      u32 codes = 0;
      for (u32 i = 0; i < 4; ++i) codes |= u32{memory_.letter(at_++)} << (8 * i);
      return codes;
    }

   private:
    CountingMemory& memory_;
    const u8* at_;
  };
  Letters letters(const u8* at) { return {*this, at}; }
  u32 common(u32 position, const u8* letters, u32 most = kAnyNumber) {
    u32 length = 0;
    while (text(position + length) == letter(letters + length) && ++length < most) {
    }
    return length;
  }

  u32 leaf_parent(u32 position) {
    ++counts_.leaf_entries;
    add(&Heat::parents, parents_.moves_to(position, sizeof(u32)));
    return tree_.leaf_parent[position];
  }
  u32 leaf_depth(u32 position) {
    ++counts_.leaf_entries;
    add(&Heat::depths, depths_.moves_to(position, 1));
    return tree_.leaf_depth[position];
  }
  LeafRange range(u32 node) {
    ++counts_.leaf_entries;
    if (ranges_.moves_to(node, sizeof(LeafRange)) > 0) {
      ++counts_.blocks;
      if (heat_ != nullptr) heat_->nodes.read_range(node);
    }
    return tree_.ranges[node];
  }
  u32 leaf(u32 rank) {
    ++counts_.leaf_entries;
    add(&Heat::leaves, leaves_.moves_to(rank, sizeof(u32)));
    return tree_.leaves[rank];
  }

  u32 prefix_letters() const { return prefix_letters_; }
  Slot prefix(u32 word) {
    ++counts_.prefixes;
    ++counts_.blocks;
    if (heat_ != nullptr) heat_->prefixes.read(word);
    return place_of(word, prefix_letters_);
  }
  u32 filter_letters() const { return filter_letters_; }
  bool occurs(u32 word) {
    ++counts_.filter_words;
    ++counts_.blocks;
    if (heat_ != nullptr) heat_->filter.read(word);
    return place_of(word, filter_letters_).length == filter_letters_;
  }

 private:
  void add(double Heat::*place, u32 blocks) {
    if (heat_ != nullptr) heat_->*place += blocks;
    counts_.blocks += blocks;
  }
  void visit(u32 node) {
    if (node == node_) return;
    ++counts_.blocks;
    if (heat_ != nullptr) heat_->nodes.read_node(node);
    node_ = node;
  }

  /// Where the longest occurring prefix of a k-mer ends in the tree.
  Slot place_of(u32 word, u32 letters) const {
    Slot at{kRoot, 0};
    for (; at.length < letters; ++at.length) {
      const u32 letter = word >> (2 * at.length) & 3;
      if (is_leaf(at.node) || tree_.nodes[at.node].depth > at.length) {
        const u32 place = is_leaf(at.node) ? leaf_position(at.node) : tree_.nodes[at.node].position;
        if (tree_.text[place + at.length] != letter) return at;
      } else {
        const u32 child = tree_.nodes[at.node].child[letter];
        if (child == kNoNode) return at;
        at.node = child;
      }
    }
    return at;
  }

  const TreeView tree_;
  const u32 prefix_letters_, filter_letters_;
  const bool compared_ends_;
  AccessCounts& counts_;
  Heat* heat_;      // may be null
  u32 node_ = ~0u;  // the node that was read last
  LastBlock text_, parents_, depths_, ranges_, leaves_;
};

/// The part of a search that MatchOutput needs.
inline MatchArguments arguments_of(const TreePart& part, const Search& search) {
  MatchArguments arguments{};
  arguments.min_length = search.min_length;
  arguments.unique = search.mode != Mode::maxmatch;
  arguments.own_begin = part.own_begin;
  arguments.own_end = part.own_end;
  return arguments;
}

/// Discards slots.
struct NoOutput {
  void slot(u32, Slot) const {}
  void none(u32) const {}
  static constexpr bool wants(u32) { return true; }
};

}  // namespace gpuseq::exact_match
