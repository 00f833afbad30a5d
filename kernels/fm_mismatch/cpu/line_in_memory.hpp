#pragma once

#include <array>
#include <cstring>

#include "kernels/fm_mismatch/data/line.cuh"

namespace gpuseq::fm_mismatch {

/// A line in memory; each step loads only the words it needs. Otherwise like Line.
///
/// CPUs have few registers, fast caches and slow shifts by a variable, so the masks of the rows before a row
/// come from a table. The counting functions are always inlined: otherwise GCC calls them in files with much
/// code, which slows searches by a tenth.
class LineInMemory {
 public:
  static constexpr bool counts_one_symbol = true;

  LineInMemory() = default;

  template <bool>
  static LineInMemory load(const SideView& side, u32 row) {
    // row / kLineRows; GCC emits a division in code that it considers cold
    const u32 number = static_cast<u32>(u64{row} * 0xaaaaaaab >> 39);
    static_assert(kLineRows == 3 << 6);
    return {side.lines + u64{number} * kLineBytes, number * kLineRows};
  }
  bool holds(u32 row, u32 /*of_it*/) const { return row - first_row_ < kLineRows; }

  const u8* address() const { return at_; }

  u32 symbol(u32 row) const {
    const u32 offset = row - first_row_, chunk = offset / kChunkRows, bit = offset % kChunkRows;
    return static_cast<u32>((low(chunk) >> bit & 1) | (high(chunk) >> bit & 1) << 1);
  }

  [[gnu::always_inline]] OfSymbols lf(const SideView& side, u32 row) const {
    const u32 offset = row - first_row_;
    u32 lows = 0, highs = 0, both = 0;
    for (u32 chunk = 0; chunk < kChunks; ++chunk) {
      const u64 before = kBefore[offset][chunk];
      const u64 with_low = low(chunk) & before, with_high = high(chunk) & before;
      lows += popcount64(with_low);
      highs += popcount64(with_high);
      both += popcount64(with_low & with_high);
    }
    return {counter(0) + offset - lows - highs + both - (side.dollar_row < row ? 1 : 0),
            counter(1) + lows - both, counter(2) + highs - both, counter(3) + both};
  }

  [[gnu::always_inline]] u32 lf(const SideView& side, u32 row, u32 symbol) const {
    const u64 flip_low = u64{symbol & 1} - 1, flip_high = u64{symbol >> 1} - 1;  // no bits, or all
    const u64* const before = kBefore[row - first_row_].data();
    u32 result = counter(symbol);
    for (u32 chunk = 0; chunk < kChunks; ++chunk)
      result += popcount64((low(chunk) ^ flip_low) & (high(chunk) ^ flip_high) & before[chunk]);
    return result - (symbol == 0 && side.dollar_row < row ? 1 : 0);
  }

  /// Rows before `row` whose symbol is smaller, up to a constant that all lines share. `$` counts as an A,
  /// and no symbol is smaller than A.
  [[gnu::always_inline]] u32 smaller(u32 row, u32 symbol) const {
    const u64 with_low = 0 - u64{symbol & 1}, with_high = 0 - u64{symbol >> 1};
    const u64* const before = kBefore[row - first_row_].data();
    u32 result = 0;
    for (u32 chunk = 0; chunk < kChunks; ++chunk)
      result +=
          popcount64(((~high(chunk) & with_high) | (~(high(chunk) ^ with_high) & ~low(chunk) & with_low)) &
                     before[chunk]);
    for (u32 other = 0; other < 3; ++other) result += other < symbol ? counter(other) : 0;
    return result;
  }

 private:
  static constexpr u32 kChunks = kLineRows / kChunkRows;
  /// [rows from a line's first][chunk]: mask of these rows in a chunk.
  static constexpr std::array<std::array<u64, kChunks>, kLineRows> kBefore = [] {
    std::array<std::array<u64, kChunks>, kLineRows> all{};
    for (u32 row = 0; row < kLineRows; ++row)
      for (u32 before = 0; before < row; ++before)
        all[row][before / kChunkRows] |= u64{1} << before % kChunkRows;
    return all;
  }();

  LineInMemory(const u8* at, u32 first_row) : at_(at), first_row_(first_row) {}

  u32 counter(u32 symbol) const { return load_at<u32>(u64{4} * symbol); }
  u64 low(u32 chunk) const { return load_at<u64>(16 + u64{16} * chunk); }
  u64 high(u32 chunk) const { return load_at<u64>(24 + u64{16} * chunk); }
  template <class T>
  T load_at(u64 offset) const {
    T value;
    std::memcpy(&value, at_ + offset, sizeof value);
    return value;
  }

  const u8* at_ = nullptr;
  u32 first_row_ = 0;
};

}  // namespace gpuseq::fm_mismatch
