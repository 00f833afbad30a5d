#pragma once

#include "runtime/cuda/device/warp.cuh"

// The index that finds positions, and its arithmetic for host and device: the transform of a text in lines,
// each sufficient for LF of its rows, and a sampled suffix array.
//
// Text R of n bases over {A,C,G,T} = {0,1,2,3} and `$` smallest; rows 0...n of its suffix array SA. LF of a
// row is the row of the suffix that is one base longer, so that SA[row] = SA[LF(row)] + 1. A walk goes from
// row to row until one has a sample; the position of the first row is the sample plus the number of steps.
//
// A line has 64 bytes, four pieces of 16:
//   marked, 128 rows:    u32 samples of the rows before it; u32 LF of its first row, if it had C, G, T
//                        2 x (u64 low, u64 high): bits of the symbols of 64 rows, `$` stored as A
//                        2 x u64: a bit for each row that has a sample
//   unmarked, 192 rows:  u32 LF of its first row, if it had A, C, G, T
//                        3 x (u64 low, u64 high)
// In both, LF of an A counts `$` as an A, which is then subtracted. Marked lines compute it from the others.
//
// Samples, u32:
//   in order of the text (marked):  the suffixes that begin at a multiple of the rate, by their rows
//   in order of rows (unmarked):    rows 0, rate, 2 rate, ...; the row that has `$` needs no sample, as it is
//                                   the suffix from 0
// At a rate of 1 both are the suffix array, and the lines are unmarked.
//
// Source: Ferragina and Manzini 2000 (samples in order of the text); LF as in kernels/fm_index.

namespace gpuseq::fm_locate {

inline constexpr u32 kLineBytes = 64;
inline constexpr u32 kChunkRows = 64;

GPUSEQ_HD constexpr u32 chunks_of_line(bool marked) {
  return marked ? 2 : 3;
}
GPUSEQ_HD constexpr u32 rows_of_line(bool marked) {
  return kChunkRows * chunks_of_line(marked);
}

/// The data that walks read. Non-owning pointers to host or device memory.
struct IndexView {
  const u8* lines;  // aligned to 64 bytes
  const u32* samples;
  u32 rows;        // n + 1
  u32 dollar_row;  // the row of the suffix from 0
  u32 a_base;      // marked lines: LF of the first row as A, plus its LF as C, G and T
  u32 rate_bits;   // the rate is 2^rate_bits
};

/// The rows to locate: for each query that occurs, the first rows of its interval. The places of their
/// positions are consecutive, in the order of queries and rows.
struct OccurrenceView {
  const u32* first_row;  // [queries]
  const u32* begin;      // [queries + 1] place of each query's first position; the last entry is the total
  u32 queries;
};

/// Bit i: row i of the 64 rows of a chunk has this symbol.
GPUSEQ_HD u64 rows_with(u64 low, u64 high, u32 symbol) {
  const u64 flip_low = (symbol & 1) ? 0 : ~u64{0}, flip_high = (symbol & 2) ? 0 : ~u64{0};
  return (low ^ flip_low) & (high ^ flip_high);
}

/// Bits of the rows before `offset` in a chunk that begins at `first`.
GPUSEQ_HD u64 rows_before(u32 offset, u32 first) {
  if (offset <= first) return 0;
  return offset - first >= kChunkRows ? ~u64{0} : (u64{1} << (offset - first)) - 1;
}

/// A line in registers.
template <bool marked>
class Line {
  static constexpr u32 chunks = chunks_of_line(marked);

 public:
  static constexpr u32 rows = rows_of_line(marked);

  template <bool in_l1>
  GPUSEQ_HD static Line load(const IndexView& index, u32 row) {
    Line line;
    const u8* at = index.lines + u64{row / rows} * kLineBytes;
    for (u32 i = 0; i < 4; ++i) line.piece_[i] = load_piece<in_l1>(at + u64{16} * i);
    return line;
  }

  /// Whether a row of this line has a sample. For marked lines.
  GPUSEQ_HD bool has_sample(u32 row) const {
    const u32 offset = row % rows;
    return (marks(offset / kChunkRows) >> (offset % kChunkRows) & 1) != 0;
  }
  /// The number of that sample.
  GPUSEQ_HD u32 sample(u32 row) const {
    const u32 offset = row % rows;
    return piece_[0].word[0] + popcount64(marks(0) & rows_before(offset, 0)) +
           popcount64(marks(1) & rows_before(offset, kChunkRows));
  }

  /// LF of a row of this line, except the row of `$`.
  GPUSEQ_HD u32 lf(const IndexView& index, u32 row) const {
    const u32 offset = row % rows;
    const u32 of = symbol(offset);
    u32 result = counter(of);
    for (u32 chunk = 0; chunk < chunks; ++chunk)
      result += popcount64(rows_with(low(chunk), high(chunk), of) & rows_before(offset, chunk * kChunkRows));
    if (of == 0) {
      if constexpr (marked)
        result = result - piece_[0].word[0] + index.a_base + (row - offset) - piece_[0].word[1] -
                 piece_[0].word[2] - piece_[0].word[3];
      result -= index.dollar_row < row ? 1 : 0;
    }
    return result;
  }

 private:
  // The chosen piece must be known at compile time; otherwise lines go to local memory.
  GPUSEQ_HD static u64 joined(u32 first, u32 second) { return first | u64{second} << 32; }
  GPUSEQ_HD u64 low(u32 chunk) const { return joined(piece_[1 + chunk].word[0], piece_[1 + chunk].word[1]); }
  GPUSEQ_HD u64 high(u32 chunk) const { return joined(piece_[1 + chunk].word[2], piece_[1 + chunk].word[3]); }
  GPUSEQ_HD u64 marks(u32 chunk) const {
    return chunk == 0 ? joined(piece_[3].word[0], piece_[3].word[1])
                      : joined(piece_[3].word[2], piece_[3].word[3]);
  }
  GPUSEQ_HD u32 symbol(u32 offset) const {
    u64 lows = low(0), highs = high(0);
    for (u32 chunk = 1; chunk < chunks; ++chunk) {
      const bool here = offset / kChunkRows == chunk;
      lows = here ? low(chunk) : lows;
      highs = here ? high(chunk) : highs;
    }
    const u32 bit = offset % kChunkRows;
    return static_cast<u32>((lows >> bit & 1) | (highs >> bit & 1) << 1);
  }
  GPUSEQ_HD u32 counter(u32 of) const {
    const u32 even = of & 2 ? piece_[0].word[2] : piece_[0].word[0];
    const u32 odd = of & 2 ? piece_[0].word[3] : piece_[0].word[1];
    return of & 1 ? odd : even;
  }

  Piece piece_[4];
};

}  // namespace gpuseq::fm_locate
