#include "kernels/fm_index/data/sorted_check.hpp"

#include <algorithm>
#include <array>
#include <atomic>

namespace gpuseq::fm_index {
namespace {

/// The suffixes of consecutive rows.
template <typename Position>
class Rows {
 public:
  /// False where they cannot be read.
  bool read(const SuffixPieces<Position>& suffixes, u64 text_bases, u64 begin, u64 end) {
    const u64 skipped = begin == 0 ? 1 : 0;  // row 0 is not in the array
    begin_ = begin + skipped;
    text_bases_ = text_bases;
    if (end <= begin_) return true;
    values_ = suffixes(begin_ - 1, end - begin_, room_);
    return values_.size() == end - begin_;
  }
  u64 operator[](u64 row) const { return row == 0 ? text_bases_ : static_cast<u64>(values_[row - begin_]); }

 private:
  u64 begin_ = 0, text_bases_ = 0;
  std::vector<Position> room_;
  std::span<const Position> values_;
};

template <typename Position>
bool piece_is_sorted(std::span<const u8> text, const Bwt& bwt, const SuffixPieces<Position>& suffixes,
                     u64 begin, u64 end, std::array<u64, 4> next, const std::array<u64, 4>& ends) {
  const BwtColumn& column = bwt.columns[0];
  Rows<Position> rows;
  std::array<Rows<Position>, 4> mapped;
  if (!rows.read(suffixes, text.size(), begin, end)) return false;
  for (u32 s = 0; s < 4; ++s)
    if (!mapped[s].read(suffixes, text.size(), next[s], ends[s])) return false;
  for (u64 row = begin; row < end; ++row) {
    const u64 at = rows[row];
    if ((at == 0) != (row == column.dollar_row) || at > text.size()) return false;
    if (at == 0) continue;
    const u32 symbol = column.symbol(row);
    if (text[at - 1] != symbol || mapped[symbol][next[symbol]++] != at - 1) return false;
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
               ThreadPool& pool) {
  const auto starts = piece_starts(bwt, pool);
  std::atomic<bool> sorted{true};
  pool.parallel_for((bwt.rows + kRowsPerPiece - 1) / kRowsPerPiece, 1,
                    [&](std::size_t first, std::size_t last) {
                      for (u64 piece = first; piece < last && sorted; ++piece)
                        if (!piece_is_sorted(text, bwt, suffixes, piece * kRowsPerPiece,
                                             std::min(bwt.rows, (piece + 1) * kRowsPerPiece), starts[piece],
                                             starts[piece + 1]))
                          sorted = false;
                    });
  return sorted;
}

template bool is_sorted(std::span<const u8>, const Bwt&, const SuffixPieces<u32>&, ThreadPool&);
template bool is_sorted(std::span<const u8>, const Bwt&, const SuffixPieces<std::int64_t>&, ThreadPool&);

}  // namespace gpuseq::fm_index
