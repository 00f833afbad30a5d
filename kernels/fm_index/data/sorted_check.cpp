#include "kernels/fm_index/data/sorted_check.hpp"

#include <algorithm>
#include <array>
#include <atomic>

namespace gpuseq::fm_index {
namespace {

constexpr u64 kBasesPerWord = 32;

/// The text with two bits a base: the check reads it in the order of the suffixes, and a quarter of it stays
/// in caches that the text does not fit.
std::vector<u64> packed(std::span<const u8> text, ThreadPool& pool) {
  constexpr std::size_t kWordsPerTask = 1 << 12;
  std::vector<u64> words(text.size() / kBasesPerWord + 1);
  pool.parallel_for(words.size(), kWordsPerTask, [&](std::size_t begin, std::size_t end) {
    for (u64 w = begin; w < end; ++w) {
      const u64 first = w * kBasesPerWord, count = std::min(kBasesPerWord, text.size() - first);
      for (u64 i = 0; i < count; ++i) words[w] |= u64{text[first + i]} << (2 * i);
    }
  });
  return words;
}

u32 base_at(std::span<const u64> words, u64 at) {
  return static_cast<u32>(words[at / kBasesPerWord] >> (2 * (at % kBasesPerWord))) & 3;
}

/// @param next, ends  where LF maps the rows of each symbol; none to row 0, which begins with `$`
template <typename Position>
bool piece_is_sorted(std::span<const u64> text, u64 text_bases, const Bwt& bwt,
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
    if (base_at(text, at - 1) != symbol || static_cast<u64>(*before[symbol]++) != at - 1) return false;
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
  const std::vector<u64> words = packed(text, pool);
  std::atomic<bool> sorted{true};
  pool.parallel_for((bwt.rows + kRowsPerPiece - 1) / kRowsPerPiece, 1,
                    [&](std::size_t first, std::size_t last) {
                      for (u64 piece = first; piece < last && sorted; ++piece)
                        if (!piece_is_sorted(words, text.size(), bwt, suffixes, piece * kRowsPerPiece,
                                             std::min(bwt.rows, (piece + 1) * kRowsPerPiece), starts[piece],
                                             starts[piece + 1]))
                          sorted = false;
                    });
  return sorted;
}

template bool is_sorted(std::span<const u8>, const Bwt&, const SuffixPieces<u32>&, ThreadPool&);
template bool is_sorted(std::span<const u8>, const Bwt&, const SuffixPieces<std::int64_t>&, ThreadPool&);

}  // namespace gpuseq::fm_index
