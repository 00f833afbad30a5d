#pragma once

#include "kernels/fm_mismatch/data/line.cuh"

// Nodes of a search (the matched string), their extension by one base, and their entries in a prefix table.

namespace gpuseq::fm_mismatch {

/// Most bases of a prefix table's k-mers: their number and each of them fit in 32 bits.
inline constexpr u32 kMostPrefixSymbols = 14;

struct alignas(16) Node {
  u32 row, reverse_row;  // the first in the text and in its reverse
  u32 rows;
  u32 state;  // bases matched | mismatches << 28 | mismatches in the current part << 30
};

/// A node's children by each symbol.
struct Children {
  OfSymbols first;   // their first row on the extended side
  OfSymbols before;  // rows of the node on the other side that precede the child's
  OfSymbols rows;
};

/// @param rows  of the node
/// @param from, to  on the extended side: LF of the node's first row, and of the row behind its last
GPUSEQ_HD Children children_of(u32 rows, const OfSymbols& from, const OfSymbols& to) {
  const OfSymbols each{to.a - from.a, to.c - from.c, to.g - from.g, to.t - from.t};
  // One of the rows may be preceded, or followed, by the text's end, which is smaller than all symbols.
  const u32 before_a = rows - each.a - each.c - each.g - each.t;
  const u32 before_c = before_a + each.a, before_g = before_c + each.c;
  return {from, {before_a, before_c, before_g, before_g + each.g}, each};
}

/// The k-mer of `symbols` bases (1 to kMostPrefixSymbols) in a strand of a query from base `at`, 2 bits per
/// base, the first base in the highest bits: k-mers are ordered as their strings are.
/// @param packed  bases of the query, as in QueriesView
GPUSEQ_HD u32 word_of(const u32* packed, u32 bases, bool reverse_complement, u32 at, u32 symbols) {
  const u32 place = reverse_complement ? at : bases - at - symbols;
  const auto load = [&](u32 i) { return load_word<true>(reinterpret_cast<const u8*>(packed + i)); };
  const u64 both = load(place / 16) | u64{load((place + symbols - 1) / 16)} << 32;
  const u32 all = (1u << (2 * symbols)) - 1;
  u32 word = static_cast<u32>(both >> (2 * (place % 16))) & all;
  if (!reverse_complement) return word;
  // Bases are stored from last to first; the reverse complement needs the opposite order.
  word = (word & 0x33333333) << 2 | (word >> 2 & 0x33333333);
  word = (word & 0x0f0f0f0f) << 4 | (word >> 4 & 0x0f0f0f0f);
  word = word << 24 | (word << 8 & 0xff0000) | (word >> 8 & 0xff00) | word >> 24;
  return ~(word >> (32 - 2 * symbols)) & all;
}

/// The entry of a k-mer in IndexView::prefix.
GPUSEQ_HD const u8* entry_of(const IndexView& index, u32 word) {
  return index.prefix + u64{word} * sizeof(Node);
}
/// @param entry  of a prefix table
GPUSEQ_HD Node load_entry(const u8* entry) {
  const Piece piece = load_piece<false>(entry);
  return {piece.word[0], piece.word[1], piece.word[2], piece.word[3]};
}

}  // namespace gpuseq::fm_mismatch
