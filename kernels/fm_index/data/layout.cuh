#pragma once

#include "runtime/cuda/device/host_device.cuh"

// The memory layouts of the FM-index and the arithmetic of one LF step, for host and device alike.
//
// Text R of n bases over {A,C,G,T} = {0,1,2,3} and `$` smallest; rows 0...n of its suffix array. Column j
// (j = 1...k) of the k-step BWT holds R'[SA[i] - j]. A k-word w collects the columns of a row with column 1
// in its lowest two bits: w = sum of column_j << 2 (j - 1). Column 1 is the first symbol that a backward
// search meets, so the next k symbols of a query, packed in the order of processing with the first in the
// lowest bits, are its next word.
//
// Intervals are half-open over rows: (l, h) = (rows smaller than the query, that plus its occurrences), also
// where it does not occur (l == h == its insertion point).
//
// Sampled layout (Ferragina and Manzini 2000; k steps and alternate counters: Chacon et al. 2013, section 2):
//   entry e covers rows [e d, (e + 1) d):
//     counters u32[4^k]      C_k[w] + stored words equal to w in rows [0, e d)      (counters full)
//           or u32[4^k / 2]  even entries: words < 4^k / 2, odd entries: the others (counters alternate)
//     chunks   u64[d / 64][k][2]  per 64 rows and column: low bits, then high bits of the symbols
//     padding to a multiple of 32 bytes
//   There is one entry past the last row, so that alternate counters always find a next one.
//   A `$` is stored as A; the k rows whose word holds it are listed and taken off when counting.
//
// One-hot layout ('split bit-vectors'; one block per step of k bases):
//   block (w, b) covers rows [b d, (b + 1) d) of word w, at index w * blocks_per_word + b:
//     counter u32            C_k[w] + rows equal to w in [0, b d)
//     bits    u32[d / 32]    one bit per row, first row in the lowest bit; rows that hold `$` have none
//   d = 224 fills 32 bytes, d = 480 fills 64.
//
// Elias-Fano layout, the one-hot bits compressed: see elias_fano.cuh. psi layouts, which hold the inverse of
// LF: see psi.cuh. The text with its suffix array: verify.cuh.
//
// Wide (texts of 2^32 - 1 bases and more): positions are 64-bit; counters count from the start of their
// superblock of `superblock_rows` rows, whose bases (C_k[w] included) are in superblocks[s * 4^k + w].

namespace gpuseq::fm_index {

inline constexpr u32 kMaxK = 4;
inline constexpr u32 kMaxPsiK = 16;  // of psi layouts

/// A backward search in progress or its result: half-open rows.
template <typename Position>
struct Interval {
  Position l;
  Position h;
};

enum class LayoutKind : u32 {
  full,       // sampled, with the counters of all words in an entry
  alternate,  // sampled, with the counters of half of the words
  one_hot,
  psi,  // starts and entries apart
  psi_lines,
  elias_fano,
  verify  // no FM-index, but the text with its suffix array
};

/// Determines the bytes of an index; everything else derives from it. A member that the kind lacks is 0.
struct Layout {
  LayoutKind kind = LayoutKind::full;
  u32 k = 1;           // verify: bases that are looked up; the others are compared
  u32 d = 0;           // full, alternate, one_hot: rows of an entry or block; elias_fano: of a line, at most
  bool wide = false;   // full, alternate, one_hot
  u32 line_bytes = 0;  // psi_lines, elias_fano
  u32 row_bytes = 0;   // verify

  GPUSEQ_HD constexpr bool alternate() const { return kind == LayoutKind::alternate; }
  GPUSEQ_HD constexpr bool one_hot() const { return kind == LayoutKind::one_hot; }
  GPUSEQ_HD constexpr bool psi() const { return kind == LayoutKind::psi || kind == LayoutKind::psi_lines; }
  GPUSEQ_HD constexpr bool elias_fano() const { return kind == LayoutKind::elias_fano; }
  GPUSEQ_HD constexpr bool verify() const { return kind == LayoutKind::verify; }
  /// Made from psi, and so from column 1 alone.
  GPUSEQ_HD constexpr bool by_psi() const { return psi() || elias_fano(); }
  GPUSEQ_HD constexpr bool may_be_wide() const { return !by_psi() && !verify(); }
  GPUSEQ_HD constexpr u32 words() const { return 1u << (2 * k); }
  // Sampled layouts:
  GPUSEQ_HD constexpr u32 counters() const { return alternate() ? words() / 2 : words(); }
  GPUSEQ_HD constexpr u32 counter_bytes() const { return 4 * counters(); }
  GPUSEQ_HD constexpr u32 chunks() const { return d / 64; }
  GPUSEQ_HD constexpr u32 chunk_bytes() const { return 16 * k; }
  /// Offset of the first chunk in an entry: counters rounded up to 16 bytes, so that 16-byte loads align.
  GPUSEQ_HD constexpr u32 bitmap_offset() const { return (counter_bytes() + 15) / 16 * 16; }
  /// Bytes of an entry, block, line or row.
  GPUSEQ_HD constexpr u32 entry_bytes() const {
    switch (kind) {
      case LayoutKind::full:
      case LayoutKind::alternate:
        return (bitmap_offset() + chunks() * chunk_bytes() + 31) / 32 * 32;
      case LayoutKind::one_hot:
        return 4 + d / 8;
      case LayoutKind::psi:
        return 4;
      case LayoutKind::psi_lines:
      case LayoutKind::elias_fano:
        return line_bytes;
      case LayoutKind::verify:
        break;
    }
    return row_bytes;
  }
};

/// The rows whose k-word holds `$`: row[j - 1] has it in column j. `word` is the word stored there.
struct DollarRows {
  u64 row[kMaxK];
  u32 word[kMaxK];
};

/// The rows whose suffix ends before its k-th symbol, fewest symbols first: its symbols with As behind them,
/// as a word.
struct ShortRows {
  u32 count;
  u32 word[kMaxPsiK];
};

/// The data that a search reads; pointers are to host or device memory, owned by the caller.
struct IndexView {
  const u8* entries;       // sampled: entries; one-hot: blocks; others: see their files. Aligned to 128 bytes
  const u64* superblocks;  // wide only
  const void* prefix;      // Interval<Position>[]: all words of 0...prefix_symbols symbols, see prefix_slot()
  u64 rows;                // n + 1
  u64 blocks_per_word;     // one-hot only
  u64 superblock_rows;     // wide only; a multiple of d
  u32 prefix_symbols;
  DollarRows dollar;     // sampled only
  ShortRows short_rows;  // psi and verify only
};

/// Where the interval of a word of `symbols` symbols is in IndexView::prefix.
GPUSEQ_HD constexpr u64 prefix_slot(u32 symbols, u64 word) {
  return ((u64{1} << (2 * symbols)) - 1) / 3 + word;
}

/// Symbols to take from the prefix table so that whole k-steps remain: the most that is allowed. The table
/// always holds lengths 0 ... k - 1, so a search never has a partial step.
GPUSEQ_HD constexpr u32 prefix_length(u32 query_bases, u32 prefix_symbols, u32 k) {
  if (query_bases <= prefix_symbols) return query_bases;
  u32 rest = (query_bases - prefix_symbols) % k;
  u32 shorter = rest == 0 ? 0 : k - rest;
  return shorter <= prefix_symbols ? prefix_symbols - shorter : query_bases % k;
}

/// Queries, 2 bits per base, packed in the order in which a backward search meets them
/// (last base first, in the lowest bits), each starting at a multiple of 16 bytes.
struct QueryView {
  const u32* packed;
  const u32* begin;  // [count] in units of 16 bytes
  const u32* bases;  // [count]; queries with letters other than ACGT are not here
  u32 count;
};

/// Rows of a 64-row chunk whose column equals `symbol`, as bits.
GPUSEQ_HD u64 match_column(u64 low, u64 high, u32 symbol) {
  u64 flip_low = (symbol & 1) ? 0 : ~u64{0};
  u64 flip_high = (symbol & 2) ? 0 : ~u64{0};
  return (low ^ flip_low) & (high ^ flip_high);
}

/// The lowest `rows` bits (0...64) set.
GPUSEQ_HD u64 first_rows(u32 rows) {
  return rows >= 64 ? ~u64{0} : (u64{1} << rows) - 1;
}

/// How many of the rows before `position` are counted as `word` although they hold `$`.
template <u32 k>
GPUSEQ_HD u32 dollar_correction(const DollarRows& dollar, u32 word, u64 position) {
  u32 correction = 0;
  for (u32 j = 0; j < k; ++j) correction += (dollar.word[j] == word && position > dollar.row[j]) ? 1 : 0;
  return correction;
}

}  // namespace gpuseq::fm_index
