#pragma once

#include "kernels/fm_index/data/layout.cuh"

// The psi layouts and their arithmetic, for host and device alike.
//
// psi(r), the inverse of LF, is the row of the suffix without its first symbol; psi^k(r) the row of the
// suffix k symbols further on. The rows whose suffix begins with a word w are consecutive, and psi^k
// increases along them, so that a step of k bases is a search for predecessors among them:
//
//   LF(w, p) = start[w] + (rows r of w with psi^k(r) < p)
//
// where start[w] is the number of rows smaller than w. The entry of a row is psi^k(r); the k rows at most
// whose suffix has fewer than k symbols belong to no word. They are before the start
// of the word that they would be with As for their missing symbols, and behind all
// rows of the word before it: their entry is kNoRow, which no position exceeds.
//
// Table (line_bytes = 0):
//   starts   u32[4^k + 1]   the last is the number of rows
//   padding  to 128 bytes
//   entries  u32[rows]      and kPsiSpareBytes that may be read
//
// Lines (line_bytes = 16, 32, 64 or 128): line w, at w * line_bytes, is all that a step of word w reads, and
// its address depends on nothing else:
//   start    u32
//   slots    u32[line_bytes / 4 - 1]   the entries of w, ascending; kNoRow behind them
// Where a word has more entries than slots, the line has the smallest of them in all slots but the last, of
// these the last two exchanged (which tells such a line), and in the last slot the place of the others, in
// units of 32 bytes from the first line:
//   count    u32
//   entries  u32[count]     ascending; padding to 32 bytes
//
// Source: Grossi and Vitter 2000 (psi); a search in psi^k: IP-BWT and LISA, Ho et al. 2019, 2020.

namespace gpuseq::fm_index {

inline constexpr u32 kNoRow = ~0u;
inline constexpr u32 kPsiSpareBytes = 128;
inline constexpr u32 kPsiUnit = 32;

/// How the entries of a word are searched.
enum class PsiSearch : u32 {
  linear,        // from the first
  binary,        // in halves, until few are left
  interpolation  // outwards from where they would stand if they were evenly spread
};

GPUSEQ_HD constexpr u64 psi_words(u32 k) {
  return u64{1} << (2 * k);
}

/// Table: where the entries begin.
GPUSEQ_HD constexpr u64 psi_entries_offset(u32 k) {
  return ((psi_words(k) + 1) * 4 + 127) / 128 * 128;
}

/// Lines: slots of a line.
GPUSEQ_HD constexpr u32 psi_slots(u32 line_bytes) {
  return line_bytes / 4 - 1;
}

/// Rows directly before the start of a word, although they belong to no word, and have at least so
/// many symbols.
GPUSEQ_HD u32 short_rows_before(const ShortRows& rows, u64 word, u32 least_symbols) {
  u32 found = 0;
  for (u32 i = least_symbols; i < rows.count; ++i) found += rows.word[i] == word ? 1 : 0;
  return found;
}

/// The interval of a word of `symbols` <= k symbols.
/// @param start  (a word of k symbols) -> its start; of 4^k the number of rows
template <class Start>
GPUSEQ_HD Interval<u32> psi_interval(const ShortRows& rows, u32 k, u32 symbols, u64 word,
                                     const Start& start) {
  const u64 first = word << (2 * (k - symbols)), next = (word + 1) << (2 * (k - symbols));
  return {start(first) - short_rows_before(rows, first, symbols),
          start(next) - (next == psi_words(k) ? 0 : short_rows_before(rows, next, 0))};
}

/// Narrows entries[low, high), which ascend, to at most `most_left` of them: the
/// first that is at least `value` is one of these or is behind them. In halves.
/// @param entry  (place) -> entry
/// @returns their begin; `end` is their end
template <class Entry>
GPUSEQ_HD u32 psi_halve(u32 low, u32 high, u32 value, u32 most_left, const Entry& entry, u32& end) {
  while (high - low > most_left) {
    const u32 middle = low + (high - low) / 2;
    if (entry(middle) < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  end = high;
  return low;
}

/// The same from where it would be if the entries were evenly spread
/// over `rows`: outwards in strides that double, then in halves.
template <class Entry>
GPUSEQ_HD u32 psi_interpolate(u32 low, u32 high, u32 value, u32 rows, u32 most_left, const Entry& entry,
                              u32& end) {
  if (high - low > most_left) {
    const u32 guess = low + static_cast<u32>(u64{high - low} * value / rows);
    const u32 from = guess - low > most_left / 2 ? guess - most_left / 2 : low;
    u32 stride = most_left;
    const bool behind = entry(from) < value;
    if (behind) {
      low = from + 1;
    } else {
      high = from;
    }
    while (high - low > most_left && high - low > stride) {
      const u32 at = behind ? low + stride : high - stride;
      const bool smaller = entry(at) < value;
      if (smaller) {
        low = at + 1;
      } else {
        high = at;
      }
      if (smaller != behind) break;
      stride *= 2;
    }
  }
  return psi_halve(low, high, value, most_left, entry, end);
}

}  // namespace gpuseq::fm_index
