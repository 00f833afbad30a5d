#pragma once

#include "kernels/fm_index/cuda/search_device.cuh"

// The arithmetic of an LF step on the sampled layout, on 32-bit words, shared by all schemes that read
// it.

namespace gpuseq::fm_index {

/// Rows of a chunk that match, one bit each: rows 0...31 and 32...63.
struct Match {
  u32 low;
  u32 high;
};

/// Rows whose column, given as one 16-byte piece (64 low bits, then 64 high bits), is `symbol`.
GPUSEQ_HD Match match_piece(const Piece& piece, u32 symbol) {
  const u32 flip_low = (symbol & 1) - 1;  // all bits when the bit is 0
  const u32 flip_high = ((symbol >> 1) & 1) - 1;
  return {(piece.word[0] ^ flip_low) & (piece.word[2] ^ flip_high),
          (piece.word[1] ^ flip_low) & (piece.word[3] ^ flip_high)};
}

/// Where one LF step reads.
struct SampledAccess {
  u32 entry;    // whose bitmap is counted
  u32 offset;   // row in the entry
  u32 forward;  // ~0: add the rows before `offset` to the entry's counter;
                // 0: take the rows from `offset` on off the next entry's (Chacon et al. 2013, algorithm 3)
  GPUSEQ_HD u32 counter_entry() const { return entry + 1 + forward; }
};

/// Counts those of 32 rows, the first of which is row `first` of the entry, that an access needs.
GPUSEQ_HD u32 count_rows(u32 match, u32 first, const SampledAccess& at) {
  return popcount32(match & (bits_from(static_cast<i32>(at.offset) - static_cast<i32>(first)) ^ at.forward));
}

template <class Tuned>
struct Sampled {
  static constexpr u32 k = Tuned::value.k;
  static constexpr u32 d = Tuned::value.d;
  static constexpr bool alternate = Tuned::value.alternate;
  static constexpr bool wide = Tuned::value.wide;
  static constexpr bool in_l1 = Tuned::value.entries_in_l1;
  static constexpr u32 words = Tuned::value.layout().words();
  static constexpr u32 counters = Tuned::value.layout().counters();
  static constexpr u32 chunks = Tuned::value.layout().chunks();
  static constexpr u32 chunk_bytes = Tuned::value.layout().chunk_bytes();
  static constexpr u32 bitmap_offset = Tuned::value.layout().bitmap_offset();
  static constexpr u32 entry_bytes = Tuned::value.layout().entry_bytes();
  using Position = typename PositionType<wide>::type;

  GPUSEQ_HD static SampledAccess locate(u32 word, Position position) {
    SampledAccess at;
    at.entry = static_cast<u32>(position >> 6) / chunks;
    at.offset = static_cast<u32>(position) - at.entry * d;
    at.forward = ~0u;
    if constexpr (alternate) at.forward = ((word < words / 2) == (at.entry % 2 == 0)) ? ~0u : 0u;
    return at;
  }

  GPUSEQ_HD static const u8* entry_address(const IndexView& index, u32 entry) {
    return index.entries + u64{entry} * entry_bytes;
  }
  /// Which counter of its entry belongs to `word`.
  GPUSEQ_HD static u32 counter_slot(u32 word) { return alternate ? word & (counters - 1) : word; }

  GPUSEQ_HD static u32 load_counter(const IndexView& index, const SampledAccess& at, u32 word) {
    return load_word<in_l1>(entry_address(index, at.counter_entry()) + 4 * counter_slot(word));
  }

  /// The start of a counter: 0, or its superblock's base if wide.
  GPUSEQ_HD static Position counter_base(const SearchArguments& arguments, const SampledAccess& at,
                                         u32 word) {
    if constexpr (!wide) return 0;
    const u64 superblock = quotient(at.counter_entry(), arguments.superblock_reciprocal);
    return static_cast<Position>(arguments.index.superblocks[superblock * words + word]);
  }

  /// Whether rows of a chunk count, for an access whose rows end (forward) or begin (backward) at `limit`.
  GPUSEQ_HD static bool needs_chunk(u32 chunk, u32 limit, u32 forward) {
    if constexpr (chunks == 1 || Tuned::value.whole_entries) return true;
    if constexpr (!alternate) return chunk * 64 < limit;
    return forward ? chunk * 64 < limit : chunk * 64 + 64 > limit;
  }
  /// The limit that covers both accesses of an interval within one entry.
  GPUSEQ_HD static u32 joint_limit(const SampledAccess& l, const SampledAccess& h) {
    return l.forward ? h.offset : l.offset;
  }

  /// Rows of a chunk, given as its k pieces, whose word is `word`.
  GPUSEQ_HD static Match match_chunk(const Piece* pieces, u32 word) {
    Match all = match_piece(pieces[0], word);
#pragma unroll
    for (u32 j = 1; j < k; ++j) {
      const Match column = match_piece(pieces[j], word >> (2 * j));
      all.low &= column.low;
      all.high &= column.high;
    }
    return all;
  }
  GPUSEQ_HD static u32 count_chunk(const Match& match, u32 chunk, const SampledAccess& at) {
    return count_rows(match.low, chunk * 64, at) + count_rows(match.high, chunk * 64 + 32, at);
  }

  /// The row that `position` maps to, given the rows counted for its access.
  GPUSEQ_HD static Position target(const DollarRows& dollar, u32 word, Position position, Position base,
                                   u32 counter, u32 rows, u32 forward) {
    i32 signed_rows = static_cast<i32>(rows);
    if constexpr (alternate) {
      const i32 backward = static_cast<i32>(~forward);
      signed_rows = (signed_rows ^ backward) - backward;
    }
    u32 dollars = 0;
#pragma unroll
    for (u32 j = 0; j < k; ++j)
      dollars += (dollar.word[j] == word && position > static_cast<Position>(dollar.row[j])) ? 1 : 0;
    return base + counter + static_cast<Position>(signed_rows) - dollars;
  }
};

}  // namespace gpuseq::fm_index
