// The LF step of the sampled layout in scalar arithmetic, compiled once per Highway target (for POPCNT and
// BMI2 where the processor has them).
#if defined(GPUSEQ_FM_INDEX_CPU_SCALAR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUSEQ_FM_INDEX_CPU_SCALAR_INL
#undef GPUSEQ_FM_INDEX_CPU_SCALAR_INL
#else
#define GPUSEQ_FM_INDEX_CPU_SCALAR_INL
#endif

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>
#if defined(__BMI2__)
#include <immintrin.h>
#endif

#include "hwy/highway.h"
#include "kernels/fm_index/cpu/entry_lines.hpp"
#include "kernels/fm_index/cpu/kernel_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuseq::fm_index::HWY_NAMESPACE {

/// The lowest `rows` (0...64) of `bits`.
HWY_INLINE u64 keep_first(u64 bits, u32 rows) {
#if defined(__BMI2__)
  return _bzhi_u64(bits, rows);
#else
  return bits & first_rows(rows);
#endif
}

template <typename T>
HWY_INLINE T load(const u8* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// x / divisor by one multiplication; exact while x * divisor < 2^64.
class Reciprocal {
 public:
  explicit Reciprocal(u64 divisor) : magic_(divisor <= 1 ? 0 : ~u64{0} / divisor + 1) {}
  HWY_INLINE u64 divide(u64 x) const {
    return magic_ == 0 ? x : static_cast<u64>((static_cast<unsigned __int128>(x) * magic_) >> 64);
  }

 private:
  u64 magic_;
};

/// LF over a sampled index. Both ends of an interval usually lie in one entry, which is then read once.
template <KernelShape shape>
class SampledStep {
 public:
  static constexpr u32 k = shape.k;
  using Position = std::conditional_t<shape.wide, u64, u32>;

  explicit SampledStep(const SearchJob& job)
      : index_(job.index),
        layout_(job.layout),
        chunks_(shape.one_chunk ? 1 : job.layout.chunks()),
        entry_bytes_(job.layout.entry_bytes()),
        lines_(job.layout),
        by_chunks_(chunks_),
        by_superblock_(shape.wide ? job.index.superblock_rows / job.layout.d : 1) {
    first_dollar_.fill(~u64{0});
    for (u32 j = 0; j < shape.k; ++j) {
      u64& first = first_dollar_[job.index.dollar.word[j]];
      if (first != ~u64{0}) repeated_dollar_word_ = true;
      first = std::min<u64>(first, job.index.dollar.row[j]);
    }
  }

  /// (l, h) of a suffix of a query -> (l, h) of `word` and that suffix.
  HWY_INLINE void step(u64& l, u64& h, u32 word) const {
    const u64 entry = entry_of(l);
    const u64 first = entry * rows_per_entry();
    u64 new_l, new_h;
    if (h - first <= rows_per_entry()) [[likely]] {
      lf(entry, static_cast<u32>(l - first), static_cast<u32>(h - first), word, new_l, new_h);
    } else {
      lf_one(l, word, new_l);
      lf_one(h, word, new_h);
    }
    l = new_l - dollars(word, l);
    h = new_h - dollars(word, h);
  }

  /// Prefetches the entry that step(l, h, word) will read.
  template <int locality>
  HWY_INLINE void prefetch(u64 l, u64 h, u32 word) const {
    const u64 entry = entry_of(l);
    prefetch_entry<locality>(entry, word);
    if (h - entry * rows_per_entry() > rows_per_entry()) [[unlikely]]
      prefetch_entry<locality>(entry_of(h), word);
  }

 private:
  static constexpr Layout kLayout = shape.one_chunk_layout();
  static constexpr u32 kBitmap = kLayout.bitmap_offset();
  static constexpr u32 kWords = kLayout.words();

  HWY_INLINE u64 rows_per_entry() const { return shape.one_chunk ? 64 : layout_.d; }
  HWY_INLINE u64 entry_of(u64 position) const {
    return shape.one_chunk ? position / 64 : by_chunks_.divide(position / 64);
  }
  HWY_INLINE const u8* address(u64 entry) const {
    return index_.entries + entry * (shape.one_chunk ? kLayout.entry_bytes() : entry_bytes_);
  }
  /// With alternate counters: the counter of `word` is in the next entry.
  HWY_INLINE static u64 next_counts(u64 entry, u32 word) {
    return shape.alternate ? (entry ^ (word / (kWords / 2))) & 1 : 0;
  }
  HWY_INLINE static u32 counter_slot(u32 word) { return shape.alternate ? word % (kWords / 2) : word; }

  HWY_INLINE u64 counter(u64 entry, u32 word) const {
    u64 count = load<u32>(address(entry) + u64{4} * counter_slot(word));
    if constexpr (shape.wide) count += index_.superblocks[by_superblock_.divide(entry) * kWords + word];
    return count;
  }

  HWY_INLINE static u64 match(const u8* bitmap, u32 c, u32 word) {
    const u8* chunk = bitmap + u64{c} * kLayout.chunk_bytes();
    u64 rows = ~u64{0};
    for (u32 j = 0; j < shape.k; ++j)
      rows &=
          match_column(load<u64>(chunk + u64{16} * j), load<u64>(chunk + u64{16} * j + 8), word >> (2 * j));
    return rows;
  }

  /// Both ends in one entry, at `low` <= `high` rows from its first.
  HWY_INLINE void lf(u64 entry, u32 low, u32 high, u32 word, u64& new_l, u64& new_h) const {
    const u8* bitmap = address(entry) + kBitmap;
    const u32 chunk = shape.one_chunk ? 0 : low / 64;
    const u64 rows = match(bitmap, chunk, word);
    u64 all = 0;
    const u64 before = count_chunks(bitmap, chunk, word, rows, all);
    new_l = before + popcount64(keep_first(rows, low - 64 * chunk));
    if (high - 64 * chunk <= 64) [[likely]] {
      new_h = before + popcount64(keep_first(rows, high - 64 * chunk));
    } else {
      const u32 other = std::min(high / 64, chunks_ - 1);
      const u64 other_rows = match(bitmap, other, word);
      u64 same;
      new_h = count_chunks(bitmap, other, word, other_rows, same) +
              popcount64(keep_first(other_rows, high - 64 * other));
    }
    const u64 next = next_counts(entry, word);
    const u64 base = counter(entry + next, word) - (all & (~next + 1));
    new_l += base;
    new_h += base;
  }

  /// Rows of the chunks before `chunk` that hold `word`, and of all chunks. Without branches: the number of
  /// chunks before a row is random.
  HWY_INLINE u64 count_chunks(const u8* bitmap, u32 chunk, u32 word, u64 rows, u64& all) const {
    u64 before = 0;
    all = shape.alternate && shape.one_chunk ? popcount64(rows) : 0;
    if constexpr (shape.one_chunk) return before;
    for (u32 c = 0; c < chunks_; ++c) {
      u64 count = popcount64(match(bitmap, c, word));
      asm("" : "+r"(count));  // vectorised, the loop would count bits by table, at half the speed
      before += count & static_cast<u64>((i64{c} - i64{chunk}) >> 63);
      if constexpr (shape.alternate) all += count;
    }
    return before;
  }

  HWY_INLINE void lf_one(u64 position, u32 word, u64& result) const {
    const u64 entry = entry_of(position);
    const u32 row = static_cast<u32>(position - entry * rows_per_entry());
    u64 same;
    lf(entry, row, row, word, result, same);
  }

  /// Rows before `position` that are counted as `word` although they hold `$`.
  HWY_INLINE u64 dollars(u32 word, u64 position) const {
    if (repeated_dollar_word_) [[unlikely]]
      return dollar_correction<shape.k>(index_.dollar, word, position);
    return position > first_dollar_[word] ? 1 : 0;
  }

  template <int locality>
  HWY_INLINE void prefetch_entry(u64 entry, u32 word) const {
    const u8* at = address(entry);
    for (u32 offset = lines_.first; offset < lines_.end; offset += 64)
      __builtin_prefetch(at + offset, 0, locality);
    if (lines_.last_apart) __builtin_prefetch(at + lines_.end - 1, 0, locality);
    if constexpr (!EntryLines::with_counters(kLayout))
      __builtin_prefetch(address(entry + next_counts(entry, word)) + 4 * counter_slot(word), 0, locality);
  }

  const IndexView& index_;
  Layout layout_;
  u32 chunks_;
  u64 entry_bytes_;
  EntryLines lines_;
  Reciprocal by_chunks_;
  Reciprocal by_superblock_;
  std::array<u64, kWords> first_dollar_;
  bool repeated_dollar_word_ = false;
};

}  // namespace gpuseq::fm_index::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
