#pragma once

#include <algorithm>
#include <cstring>

#include "kernels/fm_locate/cpu/walks.hpp"

namespace gpuseq::fm_locate {

/// The next row of a walk, in scalar arithmetic on the line in memory. Source: line.cuh.
template <bool marked>
class Step {
 public:
  explicit Step(const IndexView& index) : index_(index) {}

  void prefetch(u32 row) const { __builtin_prefetch(line(row)); }

  /// Whether a row of a marked line has a sample, which ends a walk. For unmarked lines: ends_by_number().
  bool is_marked(u32 row) const {
    const u32 offset = row % kRows;
    return (word(line(row), kMarks + offset / kChunkRows) >> (offset % kChunkRows) & 1) != 0;
  }
  bool ends_by_number(u32 row) const { return (row & ((1u << index_.rate_bits) - 1)) == 0; }

  /// The number of the row's sample.
  u32 sample(u32 row) const {
    if constexpr (!marked) return row >> index_.rate_bits;
    const u32 offset = row % kRows;
    const u8* at = line(row);
    const u64 first = word(at, kMarks), second = word(at, kMarks + 1);
    const bool behind = offset >= kChunkRows;
    const u64 before = (u64{1} << (offset % kChunkRows)) - 1;
    return counter(at, 0) + popcount64(first & (behind ? ~u64{0} : before)) +
           popcount64(second & (behind ? before : 0));
  }

  u32 lf(u32 row) const {
    const u32 offset = row % kRows, chunk = offset / kChunkRows, bit = offset % kChunkRows;
    const u8* at = line(row);
    const u64 low = word(at, kSymbols + 2 * chunk), high = word(at, kSymbols + 1 + 2 * chunk);
    const u32 symbol = static_cast<u32>((low >> bit & 1) | (high >> bit & 1) << 1);
    u32 result = popcount64(rows_with(low, high, symbol) & ((u64{1} << bit) - 1));
    for (u32 before = 0; before + 1 < chunks_of_line(marked); ++before) {
      const u32 rows =
          popcount64(rows_with(word(at, kSymbols + 2 * before), word(at, kSymbols + 1 + 2 * before), symbol));
      result += before < chunk ? rows : 0;
    }
    u32 base = counter(at, symbol);
    if constexpr (marked) {
      const u32 of_a = index_.a_base + (row - offset) - counter(at, 1) - counter(at, 2) - counter(at, 3);
      base = symbol == 0 ? of_a : base;
    }
    return result + base - (symbol == 0 && index_.dollar_row < row ? 1 : 0);
  }

 private:
  static constexpr u32 kRows = rows_of_line(marked);
  static constexpr u32 kSymbols = 2, kMarks = 6;  // in words of 8 bytes

  const u8* line(u32 row) const { return index_.lines + u64{row / kRows} * kLineBytes; }
  static u64 word(const u8* at, u32 number) {
    u64 value;
    std::memcpy(&value, at + u64{8} * number, sizeof value);
    return value;
  }
  static u32 counter(const u8* at, u32 number) {
    u32 value;
    std::memcpy(&value, at + u64{4} * number, sizeof value);
    return value;
  }

  const IndexView& index_;
};

/// Iterates over the rows of a job and the places of their positions, in order.
class RowStream {
 public:
  explicit RowStream(const WalkJob& job) : job_(job), place_(job.begin) {
    const OccurrenceView& all = job.occurrences;
    query_ = static_cast<u32>(std::upper_bound(all.begin, all.begin + all.queries, place_) - all.begin) - 1;
  }
  /// @returns false at the end of the job
  bool next(u32& row, u32& place) {
    if (place_ == job_.end) return false;
    const OccurrenceView& all = job_.occurrences;
    if (place_ == all.begin[query_ + 1]) ++query_;
    row = all.first_row[query_] + (place_ - all.begin[query_]);
    place = place_++;
    return true;
  }

 private:
  const WalkJob& job_;
  u32 place_, query_;
};

}  // namespace gpuseq::fm_locate
