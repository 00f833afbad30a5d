#pragma once

#include "kernels/fm_index/data/layout.cuh"

// The Elias-Fano layout and its arithmetic, for host and device alike: the one-hot layout with its bits
// compressed. A word of k bases is in one of 4^k rows, so few of the one-hot bits of
// a word are set: their places are stored. A line holds the rows of one word among
// `256 buckets` rows of the index, an entry each, which is all that a step reads.
//
//   words    EliasFanoWord[4^k]     where the lines of a word begin, and how many buckets of 256 rows one has
//   padding  to 128 bytes
//   lines    of all words, line_bytes (64 or 128) each:
//     counter  u32      C_k[w] + rows equal to w before the line's first
//     buckets  bits from 32 on: whether the line goes on elsewhere; then for each bucket as many ones as it
//              has entries, and a zero
//     lows     the last `slots` bytes, backwards: entry i's row in its bucket at byte line_bytes - 1 - i
//   lists    of lines with more entries than slots, which hold only the first slots - 4 of them, and in the
//            first four of the bytes of lows the place of the others, in units of 4 bytes from the first
//            word:
//     count    u16
//     entries  u16[count]   rows from the line's first, ascending; padding to 4 bytes
//
// A bucket and its zero cost a bit each in addition to the 8 bits of a low; a one-hot layout spends 4^k bits
// per entry. Frequent words have fewer buckets per line, so that lines are filled alike: d / 256, or as many
// as have d / 4^k entries on average. Rows that hold `$` have no entry, so nothing is to be taken off.
//
// Source: Elias 1974 and Fano 1971; Okanohara and Sadakane 2007 (sparse bit-vectors, 'sdarray'), cut into
// lines here so that rank reads one.

namespace gpuseq::fm_index {

inline constexpr u32 kBucketRows = 256;
inline constexpr u32 kEliasFanoPointer = 4;  // bytes of lows that a line which goes on gives up

struct EliasFanoWord {
  u32 first_line;
  u32 reciprocal;  // of `buckets`: see elias_fano_place()
  u32 buckets;     // of a line, at least 2
  u32 padding;
};

/// Entries that a line has room for, besides the ones and zeros of its buckets; a multiple of 4.
GPUSEQ_HD constexpr u32 elias_fano_slots(u32 line_bytes, u32 d) {
  return (8 * line_bytes - 33 - d / kBucketRows) / 9 / 4 * 4;
}

/// Where the lines begin.
GPUSEQ_HD constexpr u64 elias_fano_lines_offset(u32 k) {
  return ((u64{sizeof(EliasFanoWord)} << (2 * k)) + 127) / 128 * 128;
}

GPUSEQ_HD constexpr u32 elias_fano_reciprocal(u32 buckets) {
  return static_cast<u32>((u64{1} << 32) / buckets) + 1;
}

/// Where a position falls among the lines of a word.
struct EliasFanoPlace {
  u32 line;
  u32 bucket;  // in the line
  u32 low;     // row in the bucket
  /// Rows of the line before it.
  GPUSEQ_HD u32 row() const { return bucket * kBucketRows + low; }
};

/// The quotient is exact: a bucket's number is below 2^24, a line has less than 2^8 of them.
GPUSEQ_HD EliasFanoPlace elias_fano_place(const EliasFanoWord& word, u32 position) {
  const u32 bucket = position / kBucketRows;
  const u32 line = static_cast<u32>(u64{bucket} * word.reciprocal >> 32);
  return {word.first_line + line, bucket - line * word.buckets, position % kBucketRows};
}

/// How many of the entries [0, count) of a list that goes on are below `row`: in halves.
/// @param entry  (number) -> entry
template <class Entry>
GPUSEQ_HD u32 elias_fano_below(u32 count, u32 row, const Entry& entry) {
  u32 low = 0, high = count;
  while (low < high) {
    const u32 middle = low + (high - low) / 2;
    if (entry(middle) < row) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace gpuseq::fm_index
