#include "kernels/exact_match/traffic.hpp"

#include <algorithm>

#include "kernels/exact_match/cuda/match_kernel.cuh"
#include "kernels/exact_match/data/enumerate.hpp"
#include "kernels/exact_match/data/strands.hpp"
#include "kernels/exact_match/problem.hpp"
#include "kernels/exact_match/traffic_heat.hpp"

namespace gpuseq::exact_match {
namespace {

constexpr u32 kBlockBytes = 32;

/// The last block of an array that was read.
class LastBlock {
 public:
  /// 1 if the block of an element is another.
  u32 moves_to(u64 element, u64 bytes) {
    const u64 block = element * bytes / kBlockBytes;
    if (block == last_) return 0;
    last_ = block;
    return 1;
  }

 private:
  u64 last_ = ~u64{0};
};

/// What is read how often, by its place.
struct Heat {
  Heat(const TreeView& tree, const SearchWay& way, u32 min_length)
      : nodes(tree),
        prefixes(tree, way.prefix_letters, 8 * sizeof(Slot), kBlockBytes),
        filter(tree, std::min(way.filter_letters, min_length), 1, kBlockBytes) {}

  HotNodes nodes;
  HotWords prefixes, filter;
  double text = 0, parents = 0, depths = 0, leaves = 0;  // blocks
};

/// A traversal's memory (see DeviceMemory) that counts. Tables of words are not made: the tree itself says
/// what they would hold, and that is not counted.
class CountingMemory {
 public:
  static constexpr bool words = true;

  CountingMemory(const TreeView& tree, const SearchWay& way, u32 min_length, AccessCounts& counts, Heat& heat)
      : tree_(tree),
        prefix_letters_(way.prefix_letters),
        filter_letters_(std::min(way.filter_letters, min_length)),
        counts_(counts),
        heat_(heat) {}

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
    add(heat_.text, text_.moves_to(position, 1));
    return tree_.text[position];
  }
  u8 letter(const u8* at) {
    ++counts_.query_letters;
    return *at;
  }
  /// Letters four at a time, as LetterStream has them.
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
  u32 common(u32 position, const u8* letters) {
    u32 length = 0;
    while (text(position + length) == letter(letters + length)) ++length;
    return length;
  }

  u32 leaf_parent(u32 position) {
    ++counts_.leaf_entries;
    add(heat_.parents, parents_.moves_to(position, sizeof(u32)));
    return tree_.leaf_parent[position];
  }
  u32 leaf_depth(u32 position) {
    ++counts_.leaf_entries;
    add(heat_.depths, depths_.moves_to(position, 1));
    return tree_.leaf_depth[position];
  }
  LeafRange range(u32 node) {
    ++counts_.leaf_entries;
    if (ranges_.moves_to(node, sizeof(LeafRange)) > 0) {
      ++counts_.blocks;
      heat_.nodes.read_range(node);
    }
    return tree_.ranges[node];
  }
  u32 leaf(u32 rank) {
    ++counts_.leaf_entries;
    add(heat_.leaves, leaves_.moves_to(rank, sizeof(u32)));
    return tree_.leaves[rank];
  }

  u32 prefix_letters() const { return prefix_letters_; }
  Slot prefix(u32 word) {
    ++counts_.prefixes;
    ++counts_.blocks;
    heat_.prefixes.read(word);
    return place_of(word, prefix_letters_);
  }
  u32 filter_letters() const { return filter_letters_; }
  bool occurs(u32 word) {
    ++counts_.filter_words;
    ++counts_.blocks;
    heat_.filter.read(word);
    return place_of(word, filter_letters_).length == filter_letters_;
  }

 private:
  void add(double& place, u32 blocks) {
    place += blocks;
    counts_.blocks += blocks;
  }
  void visit(u32 node) {
    if (node == node_) return;
    ++counts_.blocks;
    heat_.nodes.read_node(node);
    node_ = node;
  }

  /// Where the longest beginning of a word that occurs ends in the tree.
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
  AccessCounts& counts_;
  Heat& heat_;
  u32 node_ = ~0u;  // the last node that was read
  LastBlock text_, parents_, depths_, ranges_, leaves_;
};

struct NoOutput {
  void slot(u32, Slot) const {}
  void none(u32) const {}
  static constexpr bool wants(u32) { return true; }
};

/// How large a tree is.
struct TreeSize {
  u64 nodes = 0, letters = 0, leaves = 0;
};

u64 footprint(const TreeSize& tree, const SearchWay& way, u32 min_length) {
  u64 bytes = tree.nodes * sizeof(TreeNode) + tree.letters * (1 + 1 + sizeof(u32));
  if (way.listed) bytes += tree.nodes * sizeof(LeafRange) + tree.leaves * sizeof(u32);
  if (way.prefix_letters > 0) bytes += sizeof(Slot) << (2 * way.prefix_letters);
  if (way.filter_letters > 0) bytes += (u64{1} << (2 * std::min(way.filter_letters, min_length))) / 8;
  return bytes;
}

std::string access_of(const SearchWay& way) {
  return way.one_at_a_time ? "dependent" : "independent";
}

/// The memories that heat is told of. @param scale  of the blocks, from what was counted to a launch
std::vector<EvenMemory> memories_of(const TreeView& tree, const Heat& heat, u32 min_length, double scale) {
  const double letters = tree.text_letters;
  std::vector<EvenMemory> memories{
      {letters, heat.text * scale},
      {letters * sizeof(u32), heat.parents * scale},
      {letters, heat.depths * scale},
      {static_cast<double>(leaves_below(tree, min_length)) * sizeof(u32), heat.leaves * scale}};
  heat.nodes.nodes.append_to(memories, sizeof(TreeNode), scale);
  heat.nodes.ranges.append_to(memories, sizeof(LeafRange), scale);
  heat.prefixes.blocks.append_to(memories, kBlockBytes, scale);
  heat.filter.blocks.append_to(memories, kBlockBytes, scale);
  return memories;
}

AccessCounts count(const TreePart& part, const Search& search, const Queries& queries, const SearchWay& way,
                   u32 most, Heat& heat) {
  const TreeView tree = part.tree->view();
  const u64 sample = std::min<u64>(most, queries.count());
  const u32 strands = search.strands();
  AccessCounts counts;
  MatchArguments arguments{};
  arguments.min_length = search.min_length;
  arguments.unique = search.mode != Mode::maxmatch;
  arguments.own_begin = part.own_begin;
  arguments.own_end = part.own_end;
  PaddedStrand buffer(queries.longest);
  for (u64 i = 0; i < sample * strands; ++i) {
    const u64 query = queries.count() * (i / strands) / sample;
    const u64 length = queries.length(query);
    counts.bases += static_cast<double>(length);
    const u32 end = static_cast<u32>(slots_of(length, search.min_length));
    const u8* const letters = buffer.take(queries.codes(query), i % strands == 1);
    CountingMemory memory(tree, way, search.min_length, counts, heat);
    if (way.listed) {
      MatchOutput output(arguments, memory, letters, nullptr, 0);
      Traversal(memory, output, letters, search.min_length).run(0, end);
    } else {
      NoOutput output;
      Traversal(memory, output, letters, search.min_length).run(0, end);
    }
  }
  return counts;
}

}  // namespace

AccessCounts count_accesses(const TreePart& part, const Search& search, const Queries& queries,
                            const SearchWay& way, u32 most) {
  Heat heat(part.tree->view(), way, search.min_length);
  return count(part, search, queries, way, most, heat);
}

Traffic count_traffic(std::span<const TreePart> parts, const Search& search, const Queries& queries,
                      const SearchWay& way, u32 most) {
  const double bases = static_cast<double>(queries.bases()) * search.strands();
  Traffic traffic{.blocks = 0, .block_bytes = kBlockBytes, .footprint_bytes = 0, .access = access_of(way)};
  for (const TreePart& part : parts) {
    const TreeView tree = part.tree->view();
    Heat heat(tree, way, search.min_length);
    const AccessCounts counts = count(part, search, queries, way, most, heat);
    traffic.footprint_bytes = std::max<std::size_t>(
        traffic.footprint_bytes,
        footprint({tree.node_count, tree.text_letters, tree.leaf_count}, way, search.min_length));
    if (!(counts.bases > 0)) continue;
    const double scale = bases / counts.bases;
    traffic.blocks += counts.blocks * scale;
    traffic.classes =
        joined(traffic.classes, classes_of(memories_of(tree, heat, search.min_length, scale), kBlockBytes));
  }
  return traffic;
}

Instructions instructions_of(const Traffic& traffic) {
  return {.operations = {{kLoad, traffic.blocks}}};
}

TrafficNeeds traffic_needs(const SearchWay& way, u64 trees, const StateOutline& state) {
  const u64 asked = static_cast<u64>(state.problem.integer("reference_bases"));
  const u64 letters = state.letters("reference", asked == 0 ? kGeneratedBases : asked, {"random"});
  const u64 of_part = (letters + trees - 1) / trees;
  return {.least_block_bytes = kBlockBytes,
          .most_block_bytes = kBlockBytes,
          .access = access_of(way),
          .footprint_bytes = letters == 0 ? 0
                                          : footprint({of_part, of_part, of_part}, way,
                                                      static_cast<u32>(state.problem.integer("min_length")))};
}

}  // namespace gpuseq::exact_match
