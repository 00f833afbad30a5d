#pragma once

#include "kernels/exact_match/cuda/match_memory.cuh"

// For consecutive positions of a strand, the longest string from there on that occurs in the text, as a place
// in its suffix tree: the traversal of cpu_tree.cpp for one thread. A place is a slot: the highest node at or
// below it, and its length. The traversal goes on letter by letter while the strand goes on in the tree; from
// a position to the next it takes the suffix link of the deepest node at or above the place, which it knows
// from the way there, and descends from it by comparing depths. Along a piece that occurs once it follows the
// text and looks at no node; where leaves are nodes it does not, as the paper does not.
//
// With tables of words: the first letters of a descent are looked up, and where no match can begin, because a
// word that it would hold does not occur, positions are passed over and the next descent begins at the root.
//
// Source: Schatz, Trapnell, Delcher and Varshney 2007; suffix links: Chang and Lawler 1994.

namespace gpuseq::exact_match {

/// Two bits of each of four letters, the first lowest.
GPUSEQ_HD u32 pack_four(u32 codes) {
  return (codes & 0x03030303) * 0x01041040 >> 24;
}

/// The same number, of which the compiler knows nothing: ways that end before it stay together, and so do the
/// threads of a warp.
GPUSEQ_HD u32 met(u32 number) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(number));
#endif
  return number;
}

/// @tparam Memory  DeviceMemory, or one that counts
/// @tparam Output  takes slot(position, slot) of positions with a slot of at least min_length, and
///   none(position) of the others, all ascending. Where the slot is the next leaf along the text, slot() is
///   called only if wants(depth), depth being TreeView::leaf_depth: the letter to the left is the strand's.
template <class Memory, class Output>
class Traversal {
 public:
  /// @param letters  of the strand, with others around that match nothing
  GPUSEQ_HD Traversal(Memory& memory, Output& output, const u8* letters, u32 min_length)
      : memory_(memory), output_(output), letters_(letters), min_length_(min_length) {}

  /// All positions of [first, end).
  GPUSEQ_HD void run(u32 first, u32 end) {
    position_ = first;
    end_ = end;
    for (bool fresh = true; position_ < end_;) {
      u32 known = 0;        // letters that are known to match
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

  /// Whether it is a leaf that is no node.
  GPUSEQ_HD static bool leaf(u32 node) { return !Memory::leaf_nodes && is_leaf(node); }
  GPUSEQ_HD static u32 max_of(u32 a, u32 b) { return a < b ? b : a; }

  GPUSEQ_HD const u8* here() const { return letters_ + position_; }
  GPUSEQ_HD bool passes_over() const {
    if constexpr (Memory::words) return memory_.filter_letters() > 0;
    return false;
  }

  /// To the root, at the next position at which a match may begin; false if there is none. A table of words
  /// may know a place further on: `at_node` is false then.
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

  /// From a node down the tree. The first `known` letters match: on the way there only depths are compared,
  /// and if they end within an edge, so does the place: one letter follows there, the same as for the
  /// position before, and that was not the strand's. Further on it goes letter by letter.
  ///
  /// Threads of a warp are to go down together, whether their letters are known or not, and to follow leaves
  /// together. So there is one loop with one way in and one end, at which they meet; what can only come last
  /// is behind it.
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

  /// Whether nothing is to be compared on the edge that was taken last: known letters end on it.
  GPUSEQ_HD bool ends_known(u32 known) const { return !memory_.compared_ends() && above_depth_ < known; }

  /// Reports the place, and those after it for as long as they follow the text: what is matched occurs once,
  /// so it ends where it did.
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

  /// To the suffix link of the deepest node at or above the place, for the next position. Returns how many
  /// letters match from there on: all of the place but the first.
  GPUSEQ_HD u32 link() {
    if (!Memory::leaf_nodes && above_depth_ == kUnknown) find_above();
    const u32 known = place_.length - 1;
    place_ = {above_link_, above_depth_ == 0 ? 0 : above_depth_ - 1};  // it is one letter shorter
    above_link_ = memory_.suffix_link(place_.node);
    above_depth_ = place_.length;
    return known;
  }

  /// The deepest node at or above the place.
  GPUSEQ_HD void find_above() {
    const bool leaf = is_leaf(place_.node);
    NodeLinks node = memory_.links(leaf ? memory_.leaf_parent(leaf_position(place_.node)) : place_.node);
    if (!leaf && node.depth > place_.length) node = memory_.links(node.parent);
    above_link_ = node.suffix_link;
    above_depth_ = node.depth;
  }

  /// The number of a word of up to 16 letters; false if one is no base.
  GPUSEQ_HD bool word_at(const u8* at, u32 letters, u32& word) {
    auto stream = memory_.letters(at);
    word = 0;
    for (u32 done = 0; done < letters; done += 4) {
      const u32 codes = stream.next();
      u32 others = codes & 0x04040404;
      if (letters - done < 4) others &= (1u << (8 * (letters - done))) - 1;
      if (others != 0) return false;  // a strand's end, or before: no letter behind it is asked for
      word |= pack_four(codes) << (2 * done);
    }
    word &= mask_of(letters);
    return true;
  }
  GPUSEQ_HD static u32 mask_of(u32 letters) { return ~0u >> (32 - 2 * letters); }

  /// The first position from here on at which a match may begin, or the end: every word of it that is looked
  /// at occurs. Words are looked at from right to left: one that does not occur rules out all positions up to
  /// its first letter.
  GPUSEQ_HD u32 next_candidate() {
    const u32 letters = memory_.filter_letters();
    for (u32 begin = position_, known = begin; begin < end_;) {  // words from begin to known occur
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
  u32 above_link_ = kRoot, above_depth_ = 0;  // of the deepest node at or above the place, or kUnknown
};

}  // namespace gpuseq::exact_match
