#include "kernels/fm_index/data/sorted_check.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "kernels/common/packed_letters.hpp"

namespace gpuseq::fm_index {
namespace {

/// @param next, ends  where LF maps the rows of each symbol; none to row 0, which begins with `$`
template <typename Position>
bool piece_is_sorted(const PackedLetters& text, u64 text_bases, const Bwt& bwt,
                     const SuffixPieces<Position>& suffixes, u64 begin, u64 end,
                     const std::array<u64, 4>& next, const std::array<u64, 4>& ends) {
  const BwtColumn& column = bwt.columns[0];
  std::array<std::vector<Position>, 5> rooms;
  std::array<const Position*, 4> before;  // of each symbol, where the next of its suffixes is to begin
  // The array has no row 0.
  const u64 skipped = begin == 0 ? 1 : 0;
  const auto rows = suffixes(begin + skipped - 1, end - begin - skipped, rooms[4]);
  if (rows.size() != end - begin - skipped) return false;
  for (u32 s = 0; s < 4; ++s) {
    const auto mapped = suffixes(next[s] - 1, ends[s] - next[s], rooms[s]);
    if (mapped.size() != ends[s] - next[s]) return false;
    before[s] = mapped.data();
  }
  for (u64 row = begin; row < end; ++row) {
    const u64 at = row == 0 ? text_bases : static_cast<u64>(rows[row - begin - skipped]);
    if ((at == 0) != (row == column.dollar_row) || at > text_bases) return false;
    if (at == 0) continue;
    const u32 symbol = column.symbol(row);
    if (text.letter_at(at - 1) != symbol || static_cast<u64>(*before[symbol]++) != at - 1) return false;
  }
  return true;
}

}  // namespace

bool is_column(const Bwt& bwt) {
  const BwtColumn& column = bwt.columns[0];
  const u64 behind = ~first_rows(static_cast<u32>((bwt.rows - 1) % 64 + 1));
  const std::size_t last = column.planes.size() - 2;
  return column.dollar_row < bwt.rows && column.symbol(column.dollar_row) == 0 &&
         ((column.planes[last] | column.planes[last + 1]) & behind) == 0;
}

template <typename Position>
bool is_sorted(std::span<const u8> text, const Bwt& bwt, const SuffixPieces<Position>& suffixes,
               ThreadPool& pool, u64 rows_per_piece) {
  const auto starts = piece_starts(bwt, pool, rows_per_piece);
  // Read in the order of the suffixes: a quarter of the text stays in caches that it does not fit.
  const PackedLetters letters(text, SuffixEnds::text, pool);
  std::atomic<bool> sorted{true};
  pool.parallel_for((bwt.rows + rows_per_piece - 1) / rows_per_piece, 1,
                    [&](std::size_t first, std::size_t last) {
                      for (u64 piece = first; piece < last && sorted; ++piece)
                        if (!piece_is_sorted(letters, text.size(), bwt, suffixes, piece * rows_per_piece,
                                             std::min(bwt.rows, (piece + 1) * rows_per_piece), starts[piece],
                                             starts[piece + 1]))
                          sorted = false;
                    });
  return sorted;
}

template bool is_sorted(std::span<const u8>, const Bwt&, const SuffixPieces<u32>&, ThreadPool&, u64);
template bool is_sorted(std::span<const u8>, const Bwt&, const SuffixPieces<std::int64_t>&, ThreadPool&, u64);

}  // namespace gpuseq::fm_index
