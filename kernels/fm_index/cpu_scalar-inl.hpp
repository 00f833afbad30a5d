// The LF step of the sampled layout in scalar arithmetic, compiled once per Highway target (for POPCNT and
// BMI2 where the processor has them).
#if defined(GPUSEQ_FM_INDEX_CPU_SCALAR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUSEQ_FM_INDEX_CPU_SCALAR_INL
#undef GPUSEQ_FM_INDEX_CPU_SCALAR_INL
#else
#define GPUSEQ_FM_INDEX_CPU_SCALAR_INL
#endif

#include <array>
#include <cstring>
#if defined(__BMI2__)
#include <immintrin.h>
#endif

#include "hwy/highway.h"
#include "kernels/fm_index/cpu_kernel_table.hpp"

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
  explicit SampledStep(const SearchJob& job)
      : index_(job.index),
        layout_(job.layout),
        chunks_(shape.one_chunk ? 1 : job.layout.chunks()),
        entry_bytes_(job.layout.entry_bytes()),
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

  /// Asks for what step(l, h, word) will read.
  template <int locality>
  HWY_INLINE void prefetch(u64 l, u64 h, u32 word) const {
    const u64 entry = entry_of(l);
    const u64 first = entry * rows_per_entry();
    prefetch_entry<locality>(entry, static_cast<u32>(l - first), word);
    if (h - first > rows_per_entry()) [[unlikely]] {
      const u64 other = entry_of(h);
      prefetch_entry<locality>(other, static_cast<u32>(h - other * rows_per_entry()), word);
    }
  }

 private:
  static constexpr Layout kLayout{shape.k, 64, shape.alternate, false, shape.wide};
  static constexpr u32 kBitmap = kLayout.bitmap_offset();
  static constexpr u32 kWords = kLayout.words();

  HWY_INLINE u64 rows_per_entry() const { return shape.one_chunk ? 64 : layout_.d; }
  HWY_INLINE u64 entry_of(u64 position) const {
    return shape.one_chunk ? position / 64 : by_chunks_.divide(position / 64);
  }
  HWY_INLINE const u8* address(u64 entry) const {
    return index_.entries + entry * (shape.one_chunk ? kLayout.entry_bytes() : entry_bytes_);
  }
  /// With alternate counters: the counter of `word` stands in the next entry.
  HWY_INLINE static u64 next_counts(u64 entry, u32 word) {
    return shape.alternate ? (entry ^ (word / (kWords / 2))) & 1 : 0;
  }
  HWY_INLINE static u32 counter_slot(u32 word) { return shape.alternate ? word % (kWords / 2) : word; }

  HWY_INLINE u64 counter(u64 entry, u32 word) const {
    u64 count = load<u32>(address(entry) + 4 * counter_slot(word));
    if constexpr (shape.wide) count += index_.superblocks[by_superblock_.divide(entry) * kWords + word];
    return count;
  }

  HWY_INLINE static u64 match(const u8* chunk, u32 word) {
    u64 rows = ~u64{0};
    for (u32 j = 0; j < shape.k; ++j)
      rows &= match_column(load<u64>(chunk + 16 * j), load<u64>(chunk + 16 * j + 8), word >> (2 * j));
    return rows;
  }

  /// Both ends in one entry, at `low` <= `high` rows from its first.
  HWY_INLINE void lf(u64 entry, u32 low, u32 high, u32 word, u64& new_l, u64& new_h) const {
    const u8* chunk = address(entry) + kBitmap;
    const u64 next = next_counts(entry, word);
    const u64 backward = ~next + 1;  // all bits: count the rows from the position on, and subtract
    u64 before_low = 0, before_high = 0;
    const u32 chunks = shape.one_chunk ? 1 : chunks_;
    for (u32 c = 0; c < chunks; ++c) {
      const u64 rows = match(chunk + c * kLayout.chunk_bytes(), word);
      const u64 in_low = keep_first(rows, rows_in_chunk(low, c));
      const u64 in_high = keep_first(rows, rows_in_chunk(high, c));
      before_low += popcount64(shape.alternate ? in_low ^ (rows & backward) : in_low);
      before_high += popcount64(shape.alternate ? in_high ^ (rows & backward) : in_high);
    }
    const u64 base = counter(entry + next, word);
    new_l = base + (shape.alternate ? (before_low ^ backward) + next : before_low);
    new_h = base + (shape.alternate ? (before_high ^ backward) + next : before_high);
  }

  HWY_INLINE static u32 rows_in_chunk(u32 rows, u32 c) {
    if constexpr (shape.one_chunk) return rows;
    const u32 rest = rows > 64 * c ? rows - 64 * c : 0;
    return rest < 64 ? rest : 64;
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
  HWY_INLINE void prefetch_entry(u64 entry, u32 row, u32 word) const {
    const u8* at = address(entry);
    if (!shape.alternate && (shape.one_chunk ? kLayout.entry_bytes() : entry_bytes_) <= 64 &&
        kLayout.entry_bytes() <= 64) {
      __builtin_prefetch(at, 0, locality);
      return;
    }
    const u64 next = next_counts(entry, word);
    __builtin_prefetch(address(entry + next) + 4 * counter_slot(word), 0, locality);
    const u32 here = row / 64 * kLayout.chunk_bytes();
    const u32 from = next ? here : 0;
    const u32 to = (next ? chunks_ * kLayout.chunk_bytes() : here + kLayout.chunk_bytes()) - 1;
    const u8* last = at + kBitmap + to;
    for (const u8* line = at + kBitmap + from; line < last; line += 64) __builtin_prefetch(line, 0, locality);
    __builtin_prefetch(last, 0, locality);
  }

  const IndexView& index_;
  Layout layout_;
  u32 chunks_;
  u64 entry_bytes_;
  Reciprocal by_chunks_;
  Reciprocal by_superblock_;
  std::array<u64, kWords> first_dollar_;
  bool repeated_dollar_word_ = false;
};

}  // namespace gpuseq::fm_index::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
