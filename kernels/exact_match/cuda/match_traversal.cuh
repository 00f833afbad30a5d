#pragma once

#include "kernels/exact_match/cuda/match_memory.cuh"

// For consecutive positions of a strand, the longest string from there that occurs in the text, as a place in
// its suffix tree: the traversal of cpu/tree.cpp for one thread. A place is a slot: the highest node at or
// below it, and its length. The traversal advances letter by letter while the strand continues in the tree.
// From a position to the next it takes the suffix link of the deepest node at or above the place, which it
// remembers, and descends from the linked node by comparing depths. Along a piece that occurs once it follows
// the text and reads no node, except if leaves are nodes, as in the paper.
//
// With k-mer tables, the first letters of a descent are looked up. Positions are skipped if a k-mer of every
// match there does not occur in the text; the next descent then begins at the root.
//
// Source: Schatz, Trapnell, Delcher and Varshney 2007; suffix links: Chang and Lawler 1994.

namespace gpuseq::exact_match {

/// Two bits of each of four letters, the first letter lowest.
GPUSEQ_HD u32 pack_four(u32 codes) {
  return (codes & 0x03030303) * 0x01041040 >> 24;
}

/// The same number, opaque to the compiler: paths that end before it stay together, and so do the
/// threads of a warp.
GPUSEQ_HD u32 met(u32 number) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(number));
#endif
  return number;
}

/// @tparam Memory  DeviceMemory, or a memory that counts
/// @tparam Output  has slot(position, slot) for positions with a slot of at least min_length, and
///   none(position) for the others, all ascending. If the slot is the next leaf along the text, slot() is
///   called only if wants(depth), depth being TreeView::leaf_depth: the letter to the left is the strand's.
template <class Memory, class Output>
class Traversal {
 public:
  /// @param letters  of the strand, surrounded by letters that match nothing
  GPUSEQ_HD Traversal(Memory& memory, Output& output, const u8* letters, u32 min_length)
      : memory_(memory), output_(output), letters_(letters), min_length_(min_length) {}

  /// Searches all positions of [first, end).
  GPUSEQ_HD void run(u32 first, u32 end) {
    position_ = first;
    end_ = end;
    for (bool fresh = true; position_ < end_;) {
      u32 known = 0;        // number of letters known to match
      bool at_node = true;  // the place is known to be a node
      if (!fresh)
        known = link();
      else if (!start(at_node))
        return;
      go_on(at_node, known);
      if (place_.length >= min_length_)
        report();
      else
        output_.none(position_);
      ++position_;
      fresh = place_.length == 0 || (passes_over() && place_.length <= min_length_);
    }
  }

 private:
  static constexpr u32 kUnknown = ~0u;  // more than any depth

  /// Whether it is a leaf that is not a node.
  GPUSEQ_HD static bool leaf(u32 node) { return !Memory::leaf_nodes && is_leaf(node); }
  GPUSEQ_HD static u32 max_of(u32 a, u32 b) { return a < b ? b : a; }

  GPUSEQ_HD const u8* here() const { return letters_ + position_; }
  GPUSEQ_HD bool passes_over() const {
    if constexpr (Memory::words) return memory_.filter_letters() > 0;
    return false;
  }

  /// Goes to the root, at the next position at which a match may begin; false if there is none. A prefix
  /// table may give a place further down: `at_node` is then false.
  GPUSEQ_HD bool start([[maybe_unused]] bool& at_node) {
    place_ = {kRoot, 0};
    above_link_ = kRoot;
    above_depth_ = 0;
    if constexpr (Memory::words) {
      if (passes_over()) {
        const u32 next = next_candidate();
        for (; position_ < next; ++position_) output_.none(position_);
        if (position_ >= end_) return false;
      }
      u32 word;
      if (memory_.prefix_letters() > 0 && word_at(here(), memory_.prefix_letters(), word)) {
        at_node = false;
        place_ = memory_.prefix(word);
        above_depth_ = kUnknown;
      }
    }
    return true;
  }

  /// Descends from a node. The first `known` letters match, so that only depths are compared. If these
  /// letters end within an edge, the place ends there too: the edge's next letter is the same as for the
  /// previous position and did not match the strand's. After that it advances letter by letter.
  ///
  /// Threads of a warp shall descend together, whether their letters are known or not, and follow leaves
  /// together. There is therefore one loop with one entry and one exit, at which they reconverge; steps that
  /// can only come last are after it.
  GPUSEQ_HD void go_on(bool at_node, u32 known) {
    for (;; at_node = false) {
      if (!at_node) {
        if (leaf(place_.node)) break;
        const NodeLinks node = memory_.links(place_.node);
        if (node.depth > place_.length) {
          if (ends_known(known)) break;
          place_.length += memory_.common(node.position + place_.length, here() + place_.length,
                                          node.depth - place_.length);
          if (place_.length < node.depth) break;
        }
        place_.length = node.depth;
        above_link_ = node.suffix_link;
        above_depth_ = node.depth;
      }
      const u32 letter = memory_.letter(here() + place_.length);
      if (letter > 3) break;
      const u32 child = memory_.child(place_.node, letter);
      if (child == kNoNode) break;
      place_ = {child, max_of(place_.length + 1, known)};
    }
    const u32 node = met(place_.node);
    if (!leaf(node) || ends_known(known)) return;
    const u32 position = leaf_position(node) + place_.length;
    place_.length += memory_.common(position, here() + place_.length);
  }

  /// Whether the last edge needs no comparison, because the known letters end on it.
  GPUSEQ_HD bool ends_known(u32 known) const { return !memory_.compared_ends() && above_depth_ < known; }

  /// Reports the place, and the next ones while they follow the text: the match occurs once, so that the
  /// matches of the next positions end at the same letter.
  GPUSEQ_HD void report() {
    for (bool wanted = true;;) {
      if (wanted) output_.slot(position_, place_);
      if (!leaf(place_.node) || position_ + 1 >= end_ || place_.length <= min_length_) return;
      const u32 depth = memory_.leaf_depth(leaf_position(place_.node) + 1);
      if (place_.length - 1 <= depth || depth == 255) return;
      place_ = {place_.node + 1, place_.length - 1};
      above_depth_ = kUnknown;
      ++position_;
      wanted = output_.wants(depth);
    }
  }

  /// Goes to the suffix link of the deepest node at or above the place, for the next position. Returns the
  /// number of letters known to match from there: all of the place except the first.
  GPUSEQ_HD u32 link() {
    if (!Memory::leaf_nodes && above_depth_ == kUnknown) find_above();
    const u32 known = place_.length - 1;
    place_ = {above_link_, above_depth_ == 0 ? 0 : above_depth_ - 1};  // the string is one letter shorter
    above_link_ = memory_.suffix_link(place_.node);
    above_depth_ = place_.length;
    return known;
  }

  /// Finds the deepest node at or above the place.
  GPUSEQ_HD void find_above() {
    const bool leaf = is_leaf(place_.node);
    NodeLinks node = memory_.links(leaf ? memory_.leaf_parent(leaf_position(place_.node)) : place_.node);
    if (!leaf && node.depth > place_.length) node = memory_.links(node.parent);
    above_link_ = node.suffix_link;
    above_depth_ = node.depth;
  }

  /// The number of a k-mer of up to 16 letters; false if one is not a base.
  GPUSEQ_HD bool word_at(const u8* at, u32 letters, u32& word) {
    auto stream = memory_.letters(at);
    word = 0;
    for (u32 done = 0; done < letters; done += 4) {
      const u32 codes = stream.next();
      u32 others = codes & 0x04040404;
      if (letters - done < 4) others &= (1u << (8 * (letters - done))) - 1;
      if (others != 0) return false;  // a strand's end, or earlier; no letter after it is needed
      word |= pack_four(codes) << (2 * done);
    }
    word &= mask_of(letters);
    return true;
  }
  GPUSEQ_HD static u32 mask_of(u32 letters) { return ~0u >> (32 - 2 * letters); }

  /// The first position from here on at which a match may begin, or the end: all its tested k-mers
  /// occur. K-mers are tested from right to left: one that does not occur rules out all positions up
  /// to its first letter.
  GPUSEQ_HD u32 next_candidate() {
    const u32 letters = memory_.filter_letters();
    for (u32 begin = position_, known = begin; begin < end_;) {  // k-mers from begin to known occur
      const u32 furthest = begin + (min_length_ - letters);
      u32 next = furthest + 1;
      u32 word;
      if (word_at(letters_ + furthest, letters, word))
        while (memory_.occurs(word)) {
          if (--next <= known) return begin;
          const u32 letter = memory_.letter(letters_ + (next - 1));
          if (letter > 3) break;
          word = (word << 2 & mask_of(letters)) | letter;
        }
      begin = next;
      known = furthest + 1;
    }
    return end_;
  }

  Memory& memory_;
  Output& output_;
  const u8* letters_;
  const u32 min_length_;
  u32 position_ = 0, end_ = 0;
  Slot place_{kRoot, 0};
  u32 above_link_ = kRoot,
      above_depth_ = 0;  // link and depth of the deepest node at or above the place; kUnknown
};

}  // namespace gpuseq::exact_match
