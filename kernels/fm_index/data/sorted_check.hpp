#pragma once

#include <functional>
#include <span>
#include <vector>

#include "kernels/fm_index/data/bwt.hpp"

namespace gpuseq::fm_index {

/// Elements [begin, begin + count) of a suffix array, in `room` or elsewhere; valid as long as `room`. Fewer
/// where they cannot be read. Called by several threads.
template <typename Position>
using SuffixPieces =
    std::function<std::span<const Position>(u64 begin, u64 count, std::vector<Position>& room)>;

template <typename Position>
SuffixPieces<Position> pieces_in(const std::vector<Position>& suffixes) {
  return [&suffixes](u64 begin, u64 count, std::vector<Position>&) {
    return std::span(suffixes).subspan(begin, count);
  };
}

/// Whether planes of any content can be column 1 of a BWT of bwt.rows rows: nothing behind the last row, `$`
/// stored as A. Then LF, which follows from count_symbols(), is a permutation of the rows.
bool is_column(const Bwt& bwt);

/// Whether a column is that of the text and an array of any content its suffix array. Linear, reads the array
/// twice and in order; takes 1 MB a thread (2 from kSort64), and the text once more, packed, which it reads
/// at random.
///
/// Why what is checked is enough: with row 0 at the text's end, the suffix at LF(row) begins one before that
/// of the row, with the column's symbol, and that of the row of `$` is 0. LF being a permutation, its cycle
/// through row 0 counts down from the end to 0, so it has all rows and the array is a permutation. Rows that
/// begin with a symbol are those to which LF maps that symbol, in the order of what follows it; so they are
/// sorted.
/// @param bwt  with column 1 that is_column(), and its symbols counted
/// @param rows_per_piece  that a thread takes at a time, a multiple of 64
template <typename Position>
bool is_sorted(std::span<const u8> text, const Bwt& bwt, const SuffixPieces<Position>& suffixes,
               ThreadPool& pool, u64 rows_per_piece = kRowsPerPiece);

}  // namespace gpuseq::fm_index
