#pragma once

#include "runtime/cuda/device/warp.cuh"

// The index of bidirectional search, and its arithmetic for host and device: the transforms of a text and of
// its reverse in lines, each sufficient for LF of its rows by every symbol.
//
// Text R of n bases over {A,C,G,T} = {0,1,2,3} and `$` smallest; rows 0...n of its suffix array, or of that
// of R reversed. A line has 64 bytes and 192 rows:
//   u32 LF of its first row by A, C, G, T     (by A: `$` counted as an A, and subtracted on reading)
//   3 x (u64 low, u64 high)                   bits of the symbols of 64 rows, `$` stored as A
//
// Source: Lam et al. 2009 (bidirectional search); LF as in kernels/fm_index.

namespace gpuseq::fm_mismatch {

inline constexpr u32 kLineBytes = 64;
inline constexpr u32 kChunkRows = 64;
inline constexpr u32 kLineRows = 192;

/// One of the two transforms. Non-owning pointer to host or device memory.
struct SideView {
  const u8* lines;  // aligned to 64 bytes
  u32 dollar_row;
};

struct IndexView {
  SideView forward, reverse;  // of the text, and of its reverse
  u32 rows;                   // n + 1, of both
  // Prefix table: a node (node.cuh) for each k-mer of prefix_symbols bases, in text order from left to right;
  // 0: no table.
  u32 prefix_symbols = 0;
  const u8* prefix = nullptr;
};

/// A value for each of A, C, G and T.
struct OfSymbols {
  u32 a, c, g, t;
};

/// The value of a symbol, without a branch: the symbol is unpredictable.
GPUSEQ_HD u32 of_symbol(const OfSymbols& all, u32 symbol) {
  const u32 high = 0 - (symbol >> 1), low = 0 - (symbol & 1);
  const u32 even = all.a ^ ((all.a ^ all.g) & high), odd = all.c ^ ((all.c ^ all.t) & high);
  return even ^ ((even ^ odd) & low);
}

GPUSEQ_HD const u8* line_of(const SideView& side, u32 row) {
  return side.lines + u64{row / kLineRows} * kLineBytes;
}

/// A line in registers.
class Line {
 public:
  /// Whether one symbol has counting code of its own where no other symbol matters. On a GPU this would make
  /// warps diverge.
  static constexpr bool counts_one_symbol = false;

  template <bool in_l1>
  GPUSEQ_HD static Line load(const SideView& side, u32 row) {
    Line line;
    const u8* at = line_of(side, row);
    for (u32 i = 0; i < 4; ++i) line.piece_[i] = load_piece<in_l1>(at + u64{16} * i);
    return line;
  }

  /// Whether two rows are in the same line.
  GPUSEQ_HD bool holds(u32 row, u32 of_it) const { return row / kLineRows == of_it / kLineRows; }

  /// The symbol of a row of this line; A for `$`.
  GPUSEQ_HD u32 symbol(u32 row) const {
    const u32 chunk = row % kLineRows / kChunkRows, bit = row % kChunkRows;
    u64 low = 0, high = 0;
    for (u32 i = 0; i < kLineRows / kChunkRows; ++i) {
      const u64 here = u64{chunk == i ? 1u : 0u} << bit;
      low |= bits(i, 0) & here;
      high |= bits(i, 2) & here;
    }
    return (low != 0 ? 1 : 0) | (high != 0 ? 2 : 0);
  }

  /// LF of a row of this line by each symbol: the number of rows smaller than symbol + X, where X is a string
  /// with `row` smaller rows.
  GPUSEQ_HD OfSymbols lf(const SideView& side, u32 row) const {
    const u32 offset = row % kLineRows;
    u32 low = 0, high = 0, both = 0;  // rows before this one whose symbol has these bits
    for (u32 chunk = 0; chunk < kLineRows / kChunkRows; ++chunk) {
      const u64 before = rows_before(offset, chunk * kChunkRows);
      const u64 lows = bits(chunk, 0) & before, highs = bits(chunk, 2) & before;
      low += popcount64(lows);
      high += popcount64(highs);
      both += popcount64(lows & highs);
    }
    const u32* first = piece_[0].word;
    return {first[0] + offset - low - high + both - (side.dollar_row < row ? 1 : 0), first[1] + low - both,
            first[2] + high - both, first[3] + both};
  }

  /// LF by one symbol.
  GPUSEQ_HD u32 lf(const SideView& side, u32 row, u32 symbol) const {
    const u64 flip_low = u64{symbol & 1} - 1, flip_high = u64{symbol >> 1} - 1;  // no bits, or all
    u32 result =
        of_symbol({piece_[0].word[0], piece_[0].word[1], piece_[0].word[2], piece_[0].word[3]}, symbol);
    for (u32 chunk = 0; chunk < kLineRows / kChunkRows; ++chunk)
      result += popcount64((bits(chunk, 0) ^ flip_low) & (bits(chunk, 2) ^ flip_high) &
                           rows_before(row % kLineRows, chunk * kChunkRows));
    return result - (symbol == 0 && side.dollar_row < row ? 1 : 0);
  }

 private:
  GPUSEQ_HD u64 bits(u32 chunk, u32 word) const {
    return piece_[1 + chunk].word[word] | u64{piece_[1 + chunk].word[word + 1]} << 32;
  }
  /// Bits of the rows before `offset` in a chunk that begins at `first`.
  GPUSEQ_HD static u64 rows_before(u32 offset, u32 first) {
    const u32 rows = offset > first ? offset - first : 0;
    const u64 none_or_all = 0 - u64{rows >= kChunkRows ? 1u : 0u};
    return ((u64{1} << (rows % kChunkRows)) - 1) | none_or_all;
  }

  Piece piece_[4];
};

}  // namespace gpuseq::fm_mismatch
