#pragma once

#include "kernels/fm_index/data/psi.cuh"

// The layout of `verify`, and its arithmetic for host and device alike: no FM-index, but the text with its
// suffix array, and for each word of k bases where the rows begin that start with it.
//
//   starts   u32[4^k + 1]   of each word the rows that are smaller, as of psi layouts (psi.cuh)
//   padding  to 128 bytes
//   rows     [rows] of row_bytes
//              4: u32 the length of the row's suffix, n - SA[row]
//              8: the length, and u32 its 16 bases behind the first k, the first in the highest bits, As for
//                 missing ones; all bits set where it has fewer than k
//   padding  to 128 bytes
//   text     2 bits per base from its last base to its first, as queries are packed, behind 64 As; and
//            kTextSpareBytes that may be read
//
// Packed so, a suffix of L bases is the lowest L symbols of the text, and of two strings that align at their
// highest symbol the smaller one is the smaller number: queries are compared with the text 64 bases at a
// time.
//
// A query of more than k bases is among the rows between the starts of its first k bases and of the next
// word. It is searched there in halves; where no row is left or only one, one comparison or none tells l and
// h, whether it occurs or not, as the place of a string among sorted suffixes is told by comparing with them.
// Rows of suffixes shorter than k may be behind the last row of a word: they
// are larger than its queries, which comparing finds as of any other row.
//
// Source: Manber and Myers 1990 (search in a suffix array, buckets of the first symbols).

namespace gpuseq::fm_index {

inline constexpr u32 kTextSpareBytes = 32;
inline constexpr u32 kKeyBases = 16;  // of rows of 8 bytes

/// Where the rows begin, and the text.
GPUSEQ_HD constexpr u64 verify_rows_offset(u32 k) {
  return psi_entries_offset(k);
}
GPUSEQ_HD constexpr u64 verify_text_offset(u32 k, u32 row_bytes, u64 rows) {
  return verify_rows_offset(k) + (rows * row_bytes + 127) / 128 * 128;
}
/// 16-byte pieces of the text; symbol 0 of it is the first of piece 1.
GPUSEQ_HD constexpr u64 text_pieces(u64 bases) {
  return 1 + (bases + 63) / 64;
}

/// 64 symbols, the first in the lowest bits.
struct Bases64 {
  u64 low, high;
};

/// Symbols [first, first + count) of a packed query, at most 16, the first in the lowest bits.
/// @param word  (number) -> 16 symbols; none that holds no symbol that is asked for
template <class Word>
GPUSEQ_HD u32 query_symbols(u32 first, u32 count, const Word& word) {
  const u32 at = first / 16, last = (first + count - 1) / 16;
  u64 bits = word(at);
  if (last != at) bits |= u64{word(last)} << 32;
  return static_cast<u32>(bits >> (2 * (first % 16))) & (~u32{0} >> (32 - 2 * count));
}

/// The order of the suffix of `length` bases to a query of `bases` > 0: below 0, it is smaller; 0, it begins
/// with the query; above 0, it is larger.
/// @param query, text  (number) -> Bases64 of the query, or of the text with the 64 As before it
template <class Query, class Text>
GPUSEQ_HD i32 compare_suffix(u32 bases, u32 length, const Query& query, const Text& text) {
  const u32 least = length < bases ? bases - length : 0;  // the query's symbols below it meet none
  u32 number = (bases - 1) / 64;
  const u32 in_last = bases - number * 64;  // 1 ... 64
  // Symbol 0 of the query meets symbol length - bases of the text; negative symbols are not read.
  const u64 at = u64{64} + length - bases + u64{64} * number;
  const u32 shift = 2 * static_cast<u32>(at % 64);
  u64 piece = at / 64;
  Bases64 above{0, 0};
  if (at % 64 + in_last > 64) above = text(piece + 1);
  u64 low_mask = in_last >= 32 ? ~u64{0} : (u64{1} << (2 * in_last)) - 1;
  u64 high_mask = in_last <= 32 ? 0 : ~u64{0} >> (2 * (64 - in_last));
  while (true) {
    const Bases64 here = text(piece);
    const Bases64 asked = query(number);
    if (number == least / 64 && least % 64 != 0) {
      const u32 none = least % 64;
      low_mask = none >= 32 ? 0 : low_mask & ~u64{0} << (2 * none);
      if (none > 32) high_mask &= ~u64{0} << (2 * (none - 32));
    }
    const u64 first = shift < 64 ? here.low : here.high, second = shift < 64 ? here.high : above.low,
              third = shift < 64 ? above.low : above.high;
    const u32 bits = shift % 64;
    const u64 low = (first >> bits | (second << 1) << (63 - bits)) & low_mask;
    const u64 high = (second >> bits | (third << 1) << (63 - bits)) & high_mask;
    if (high != (asked.high & high_mask)) return high < (asked.high & high_mask) ? -1 : 1;
    if (low != (asked.low & low_mask)) return low < (asked.low & low_mask) ? -1 : 1;
    if (number == least / 64) return least == 0 ? 0 : -1;  // the end is smaller than any base
    --number;
    --piece;
    above = here;
    low_mask = high_mask = ~u64{0};
  }
}

/// Which rows of a word begin with a query, by comparing it with few of them.
class RowSearch {
 public:
  RowSearch() = default;
  GPUSEQ_HD RowSearch(u32 begin, u32 end) : low_(begin), high_(end) {}

  GPUSEQ_HD bool done() const { return low_ == high_; }
  /// The row to compare next, unless done.
  GPUSEQ_HD u32 row() const { return low_ + (high_ - low_) / 2; }
  /// @param order  of the suffix of row(), as compare_suffix() tells it
  GPUSEQ_HD void take(i32 order) {
    const u32 at = row();
    if (order == 0 && sought_ == Sought::any) {
      sought_ = Sought::l;
      after_ = at + 1;
      end_ = high_;
      high_ = at;
    } else if (sought_ == Sought::h ? order <= 0 : order < 0) {
      low_ = at + 1;
    } else {
      high_ = at;
    }
    if (sought_ == Sought::l && low_ == high_) {
      l_ = low_;
      low_ = after_;
      high_ = end_;
      sought_ = Sought::h;
    }
  }
  /// Once done.
  GPUSEQ_HD Interval<u32> interval() const { return {sought_ == Sought::any ? low_ : l_, low_}; }

 private:
  enum class Sought : u32 { any, l, h };
  u32 low_ = 0, high_ = 0;   // the first row that is sought is one of these, or is behind them
  u32 after_ = 0, end_ = 0;  // the same for h, after a row is found
  u32 l_ = 0;                // once h is sought
  Sought sought_ = Sought::any;
};

/// The key of rows of 8 bytes: the query's bases behind its first k.
struct RowKey {
  u32 first;  // the key is at least this
  u32 last;   // and at most this
};

/// The search of a query of more than k bases.
template <class Word>
GPUSEQ_HD RowKey row_key(u32 bases, u32 k, const Word& word) {
  const u32 rest = bases - k;
  if (rest >= kKeyBases) {
    const u32 key = query_symbols(rest - kKeyBases, kKeyBases, word);
    return {key, key};
  }
  const u32 first = query_symbols(0, rest, word) << (2 * (kKeyBases - rest));
  return {first, first | ~u32{0} >> (2 * rest)};
}

/// Narrows the rows [begin, end) of a word to those whose key does not tell their order.
/// @param key_of  (row) -> key
template <class KeyOf>
GPUSEQ_HD Interval<u32> rows_with_key(u32 begin, u32 end, const RowKey& key, const KeyOf& key_of) {
  u32 unused;
  const u32 first = psi_halve(begin, end, key.first, 0, key_of, unused);
  const u32 behind = key.last == ~u32{0} ? end : psi_halve(first, end, key.last + 1, 0, key_of, unused);
  return {first, behind};
}

}  // namespace gpuseq::fm_index
