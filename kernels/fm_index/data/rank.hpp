#pragma once

#include <array>

#include "kernels/fm_index/data/index.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::fm_index {

/// LF by one symbol over column 1, at any position, with one 64-byte line read: columns,
/// counters, prefix tables and synthetic queries are made with it. 4 bits per row.
class ColumnRank {
 public:
  /// Needs bwt.columns[0] and bwt.first.
  ColumnRank(const Bwt& bwt, ThreadPool& pool);

  /// Rows smaller than symbol + X, where X is a string that `position` rows are smaller than.
  u64 lf(u32 symbol, u64 position) const {
    const Line& line = lines()[position / kRows];
    const u32 rest = position % kRows;
    u64 result =
        line.lf[symbol] + popcount64(match_column(line.low[0], line.high[0], symbol) & first_rows(rest));
    if (rest > 64)
      result += popcount64(match_column(line.low[1], line.high[1], symbol) & first_rows(rest - 64));
    return result -
           (symbol == 0 && dollar_row_ < position && dollar_row_ / kRows == position / kRows ? 1 : 0);
  }
  /// The symbol of column 1 at a row; `$` reads as A.
  u32 symbol(u64 row) const {
    const Line& line = lines()[row / kRows];
    const u32 word = row % kRows / 64, bit = row % 64;
    return static_cast<u32>((line.low[word] >> bit & 1) | (line.high[word] >> bit & 1) << 1);
  }
  u64 dollar_row() const { return dollar_row_; }
  u64 rows() const { return rows_; }
  void prefetch(u64 position) const { __builtin_prefetch(&lines()[position / kRows]); }

 private:
  static constexpr u64 kRows = 128;
  struct alignas(64) Line {
    u64 lf[4];  // at the line's first row, `$` not counted as A
    u64 low[2], high[2];
  };
  const Line* lines() const { return reinterpret_cast<const Line*>(buffer_.data()); }

  HugeBuffer buffer_;
  u64 rows_ = 0;
  u64 dollar_row_ = 0;
};

}  // namespace gpuseq::fm_index
