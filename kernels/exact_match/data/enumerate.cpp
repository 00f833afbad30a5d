#include "kernels/exact_match/data/enumerate.hpp"

#include <algorithm>

namespace gpuseq::exact_match {
namespace {

/// Adds places of the reference as matches of one length at one position of a strand.
struct Places {
  const TreeView& tree;
  const u8* strand;
  u32 position;
  std::vector<Match>& matches;
  OwnRange own;

  void add(u32 place, u32 length) const {
    if (place < own.begin || place >= own.end) return;
    if (tree.text[place - 1] == strand[i64{position} - 1]) return;  // extends to the left
    matches.push_back({place, position, length});
  }
  void add(u32 first, u32 end, u32 length) const {
    for (u32 i = first; i < end; ++i) add(tree.leaves[i], length);
  }
};

}  // namespace

void list_matches(const TreeView& tree, const Search& search, const u8* strand, u32 position, Slot slot,
                  std::vector<Match>& matches, OwnRange own) {
  if (slot.length < search.min_length) return;
  const Places places{tree, strand, position, matches, own};
  const bool leaf = is_leaf(slot.node);
  if (search.mode != Mode::maxmatch) {
    if (leaf) places.add(leaf_position(slot.node), slot.length);
    return;
  }
  const u64 from = matches.size();
  LeafRange done{0, 0};  // leaves below the previous node of the walk up
  u32 above;
  if (leaf) {
    const u32 place = leaf_position(slot.node);
    places.add(place, slot.length);
    if (tree.leaf_depth[place] < std::min<u32>(search.min_length, 255)) return;
    above = tree.leaf_parent[place];
  } else {
    done = tree.ranges[slot.node];
    places.add(done.first, done.first + done.count, slot.length);
    above = tree.nodes[slot.node].parent;
  }
  for (bool at_leaf = leaf; tree.nodes[above].depth >= search.min_length; at_leaf = false) {
    const LeafRange range = tree.ranges[above];
    const u32 length = tree.nodes[above].depth;
    if (at_leaf) {
      for (u32 i = range.first; i < range.first + range.count; ++i)
        if (tree.leaves[i] != leaf_position(slot.node)) places.add(tree.leaves[i], length);
    } else {
      places.add(range.first, done.first, length);
      places.add(done.first + done.count, range.first + range.count, length);
    }
    done = range;
    above = tree.nodes[above].parent;
  }
  std::sort(matches.begin() + static_cast<std::ptrdiff_t>(from), matches.end());
}

StrandCodes::StrandCodes(const Queries& queries, u32 strands)
    : queries_(queries), strands_(strands), reverse_(strands > 1 ? queries.longest + 1 : 0, kNoBase) {}

const u8* StrandCodes::take(u64 strand) {
  const auto codes = queries_.codes(strand / strands_);
  if (strand % strands_ == 0) return codes.data();
  reverse_complement(codes, std::span(reverse_).subspan(1, codes.size()));
  return reverse_.data() + 1;
}

namespace {

struct Listed {
  TreeView tree;
  OwnRange own;
  u32 offset;
};

MatchList list_of(const Listed& listed, const Search& search, const Queries& queries, u64 first, u64 count,
                  std::span<const Slot> slots, std::span<const u64> begins) {
  MatchList list = list_strands(
      search, queries, first, count, [&](u64 strand, const u8* letters, std::vector<Match>& matches) {
        for (u64 slot = begins[strand]; slot < begins[strand + 1]; ++slot)
          list_matches(listed.tree, search, letters, static_cast<u32>(slot - begins[strand]), slots[slot],
                       matches, listed.own);
      });
  for (Match& match : list.matches) match.reference += listed.offset;
  return list;
}

}  // namespace

std::vector<u64> slot_begins(const Queries& queries, const Search& search) {
  std::vector<u64> begins{0};
  begins.reserve(queries.count() * search.strands() + 1);
  for (u64 query = 0; query < queries.count(); ++query)
    for (u32 strand = 0; strand < search.strands(); ++strand)
      begins.push_back(begins.back() + slots_of(queries.length(query), search.min_length));
  return begins;
}

MatchList list_all(const TreePart& part, const Search& search, const Queries& queries, u64 first, u64 count,
                   std::span<const Slot> slots, std::span<const u64> begins) {
  return list_of({part.tree->view(), {part.own_begin, part.own_end}, part.offset}, search, queries, first,
                 count, slots, begins);
}

MatchList list_all(const TreeView& tree, const Search& search, const Queries& queries, u64 first, u64 count,
                   std::span<const Slot> slots, std::span<const u64> begins) {
  return list_of({tree, {}, 0}, search, queries, first, count, slots, begins);
}

}  // namespace gpuseq::exact_match
