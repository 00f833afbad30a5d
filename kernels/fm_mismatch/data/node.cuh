#pragma once

#include "kernels/fm_mismatch/data/line.cuh"

// What a search has matched, what becomes of it by a base more, and where a table has what the first bases of
// a search come to.

namespace gpuseq::fm_mismatch {

/// Words of a prefix table have so many bases at most: their number, and each of them, has 32 bits.
inline constexpr u32 kMostPrefixSymbols = 14;

struct alignas(16) Node {
  u32 row, reverse_row;  // the first in each
  u32 rows;
  u32 state;  // bases matched, mismatches << 28, of them in the current part << 30
};

/// A node's children by each symbol.
struct Children {
  OfSymbols first;   // their first row on the side that is extended
  OfSymbols before;  // rows of the node on the other side that come before theirs
  OfSymbols rows;
};

/// @param rows  of the node
/// @param from, to  LF of its first row, and of that behind its last, on the side that is extended
GPUSEQ_HD Children children_of(u32 rows, const OfSymbols& from, const OfSymbols& to) {
  const OfSymbols each{to.a - from.a, to.c - from.c, to.g - from.g, to.t - from.t};
  // Of the rows one may be preceded, or followed, by the text's end: it is the smallest.
  const u32 before_a = rows - each.a - each.c - each.g - each.t;
  const u32 before_c = before_a + each.a, before_g = before_c + each.c;
  return {from, {before_a, before_c, before_g, before_g + each.g}, each};
}

/// The word of `symbols` bases, 1 to kMostPrefixSymbols, of a strand of a query from its base `at` on, 2 bits
/// each, the first in the highest: words ascend as strings do.
/// @param packed  of the query, as QueriesView has it
GPUSEQ_HD u32 word_of(const u32* packed, u32 bases, bool reverse_complement, u32 at, u32 symbols) {
  const u32 place = reverse_complement ? at : bases - at - symbols;
  const auto load = [&](u32 i) { return load_word<true>(reinterpret_cast<const u8*>(packed + i)); };
  const u64 both = load(place / 16) | u64{load((place + symbols - 1) / 16)} << 32;
  const u32 all = (1u << (2 * symbols)) - 1;
  u32 word = static_cast<u32>(both >> (2 * (place % 16))) & all;
  if (!reverse_complement) return word;
  // They lie from the last base to the first: of the other strand the other way round.
  word = (word & 0x33333333) << 2 | (word >> 2 & 0x33333333);
  word = (word & 0x0f0f0f0f) << 4 | (word >> 4 & 0x0f0f0f0f);
  word = word << 24 | (word << 8 & 0xff0000) | (word >> 8 & 0xff00) | word >> 24;
  return ~(word >> (32 - 2 * symbols)) & all;
}

/// What IndexView::prefix has of a word.
GPUSEQ_HD const u8* entry_of(const IndexView& index, u32 word) {
  return index.prefix + u64{word} * sizeof(Node);
}
/// @param entry  of a prefix table
GPUSEQ_HD Node load_entry(const u8* entry) {
  const Piece piece = load_piece<false>(entry);
  return {piece.word[0], piece.word[1], piece.word[2], piece.word[3]};
}

}  // namespace gpuseq::fm_mismatch
