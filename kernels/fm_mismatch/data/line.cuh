#pragma once

#include "runtime/cuda/device/warp.cuh"

// What a bidirectional search reads, and its arithmetic for host and device: the transforms of a text and of
// its reverse, in lines of which one tells LF of a row by every symbol.
//
// Text R of n bases over {A,C,G,T} = {0,1,2,3} and `$` smallest; rows 0...n of its suffix array, or of that
// of R reversed. A line has 64 bytes and 192 rows:
//   u32 LF of its first row by A, C, G, T     (by A: `$` counted as an A, and taken off when it is read)
//   3 x (u64 low, u64 high)                   bits of the symbols of 64 rows, `$` stored as A
//
// Source: Lam et al. 2009 (bidirectional search); LF as in kernels/fm_index.

namespace gpuseq::fm_mismatch {

inline constexpr u32 kLineBytes = 64;
inline constexpr u32 kChunkRows = 64;
inline constexpr u32 kLineRows = 192;

/// One of the two transforms; the pointer is to host or device memory, owned by someone else.
struct SideView {
  const u8* lines;  // aligned to 64 bytes
  u32 dollar_row;
};

struct IndexView {
  SideView forward, reverse;  // of the text, and of its reverse
  u32 rows;                   // n + 1, of both
};

/// A value for each of A, C, G and T.
struct OfSymbols {
  u32 a, c, g, t;
};

GPUSEQ_HD const u8* line_of(const SideView& side, u32 row) {
  return side.lines + u64{row / kLineRows} * kLineBytes;
}

/// A line in registers.
class Line {
 public:
  template <bool in_l1>
  GPUSEQ_HD static Line load(const SideView& side, u32 row) {
    Line line;
    const u8* at = line_of(side, row);
    for (u32 i = 0; i < 4; ++i) line.piece_[i] = load_piece<in_l1>(at + u64{16} * i);
    return line;
  }

  /// LF of a row of this line by each symbol: the rows smaller than symbol + X, where X is a string that
  /// `row` rows are smaller than.
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

 private:
  GPUSEQ_HD u64 bits(u32 chunk, u32 word) const {
    return piece_[1 + chunk].word[word] | u64{piece_[1 + chunk].word[word + 1]} << 32;
  }
  /// The lowest bits of 64 that are those of rows before `offset`, of a chunk that begins at `first`.
  GPUSEQ_HD static u64 rows_before(u32 offset, u32 first) {
    if (offset <= first) return 0;
    return offset - first >= kChunkRows ? ~u64{0} : (u64{1} << (offset - first)) - 1;
  }

  Piece piece_[4];
};

}  // namespace gpuseq::fm_mismatch
