// The LF step of the Elias-Fano layout in scalar arithmetic, compiled once per Highway target (for POPCNT and
// BMI2 where the processor has them).
#if defined(GPUSEQ_FM_INDEX_CPU_ELIAS_FANO_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUSEQ_FM_INDEX_CPU_ELIAS_FANO_INL
#undef GPUSEQ_FM_INDEX_CPU_ELIAS_FANO_INL
#else
#define GPUSEQ_FM_INDEX_CPU_ELIAS_FANO_INL
#endif

#include <bit>
#include <cstring>
#if defined(__BMI2__)
#include <immintrin.h>
#endif

#include "hwy/highway.h"
#include "kernels/fm_index/cpu/search.hpp"
#include "kernels/fm_index/data/elias_fano.cuh"

HWY_BEFORE_NAMESPACE();
namespace gpuseq::fm_index::HWY_NAMESPACE {

/// The place of set bit number `number`, which there is.
HWY_INLINE u32 select_bit(u64 bits, u32 number) {
#if defined(__BMI2__)
  return static_cast<u32>(std::countr_zero(_pdep_u64(u64{1} << number, bits)));
#else
  for (; number > 0; --number) bits &= bits - 1;
  return static_cast<u32>(std::countr_zero(bits));
#endif
}

template <u32 bases, u32 line_bytes>
class EliasFanoStep {
 public:
  static constexpr u32 k = bases;
  using Position = u32;

  explicit EliasFanoStep(const SearchJob& job)
      : entries_(job.index.entries),
        lines_(job.index.entries + elias_fano_lines_offset(k)),
        slots_(elias_fano_slots(line_bytes, job.layout.d)),
        bucket_words_((line_bytes - slots_ - 4 + 7) / 8) {}

  /// (l, h) of a suffix of a query -> (l, h) of `word` and that suffix.
  HWY_INLINE void step(u64& l, u64& h, u32 word) const {
    const EliasFanoPlace low = place(l, word), high = place(h, word);
    const u8* const line = line_at(low);
    const Entries entries = entries_of(line, low.bucket);
    l = rank(line, entries, low);
    if (high.line == low.line && high.bucket == low.bucket) [[likely]] {
      h = rank(line, entries, high);
    } else {
      const u8* const other = line_at(high);
      h = rank(other, entries_of(other, high.bucket), high);
    }
  }

  /// Prefetches the line that step(l, h, word) will read.
  template <int locality>
  HWY_INLINE void prefetch(u64 l, u64 h, u32 word) const {
    const EliasFanoPlace low = place(l, word), high = place(h, word);
    prefetch_line<locality>(low);
    if (high.line != low.line) [[unlikely]]
      prefetch_line<locality>(high);
  }

 private:
  HWY_INLINE EliasFanoPlace place(u64 position, u32 word) const {
    return elias_fano_place(reinterpret_cast<const EliasFanoWord*>(entries_)[word],
                            static_cast<u32>(position));
  }
  HWY_INLINE const u8* line_at(const EliasFanoPlace& place) const {
    return lines_ + u64{place.line} * line_bytes;
  }
  template <int locality>
  HWY_INLINE void prefetch_line(const EliasFanoPlace& place) const {
    for (u32 at = 0; at < line_bytes; at += 64) __builtin_prefetch(line_at(place) + at, 0, locality);
  }

  template <typename T>
  static HWY_INLINE T load(const u8* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }

  /// The place of a bucket.
  struct Entries {
    u32 begin, end;
  };

  HWY_INLINE Entries entries_of(const u8* line, u32 bucket) const {
    const u32 zero = select_zero(line, bucket), begin = zero - bucket;
    // The window has 57 bits at least; more ones than that are counted again.
    const u64 zeros = ~load<u64>(line + 4 + (zero + 1) / 8) >> (zero + 1) % 8;
    const u32 ones = static_cast<u32>(std::countr_zero(zeros | u64{1} << 56));
    if (ones == 56) [[unlikely]]
      return {begin, select_zero(line, bucket + 1) - (bucket + 1)};
    return {begin, begin + ones};
  }

  HWY_INLINE u64 rank(const u8* line, const Entries& entries, const EliasFanoPlace& place) const {
    const u64 before = entries.begin + below(line, entries.begin, entries.end, place.low);
    // Both at once: neither is rare enough by itself to be predicted.
    const bool goes_on = (line[4] & static_cast<u8>(before >= slots_ - kEliasFanoPointer)) != 0;
    return load<u32>(line) + before + (goes_on ? behind_line(line, place) : 0);
  }

  /// Bits are counted from the line's 32nd, which is taken for a zero before all
  /// buckets. Without branches on the content of a line, which no predictor can foresee.
  HWY_INLINE u32 select_zero(const u8* line, u32 number) const {
    u64 zeros = ~load<u64>(line + 4) | 1;
    u32 first = 0;
    u64 chosen = zeros;
    u32 passed = 0, before = 0;
    for (u32 i = 1; i < bucket_words_; ++i) {
      passed += popcount64(zeros);
      zeros = ~load<u64>(line + 4 + u64{8} * i);
      const bool later = number >= passed;
      chosen = later ? zeros : chosen;
      first = later ? 64 * i : first;
      before = later ? passed : before;
    }
    return first + select_bit(chosen, number - before);
  }

  /// The number of entries [begin, end) of a line whose low is below: eight at a time.
  static HWY_INLINE u32 below(const u8* line, u32 begin, u32 end, u32 low) {
    constexpr u64 kBytes = 0x0101010101010101, kHigh = 0x80 * kBytes;
    if (low == 0) return 0;
    const u64 most = (low - 1) * kBytes;
    u32 count = 0;
    do {
      const u64 lows = load<u64>(line + line_bytes - 8 - begin);  // entry `begin` is the highest byte
      const u64 difference = (most | kHigh) - (lows & ~kHigh);
      const u64 at_most = ((most & ~lows) | (~(most ^ lows) & difference)) & kHigh;
      const u32 left = end - begin;
      const u64 behind = left >= 8 ? 0 : ~u64{0} >> (8 * left);
      count += popcount64(at_most & ~behind);
      begin += 8;
    } while (begin < end);
    return count;
  }

  HWY_NOINLINE u32 behind_line(const u8* line, const EliasFanoPlace& place) const {
    const u16* const list =
        reinterpret_cast<const u16*>(entries_ + u64{load<u32>(line + line_bytes - slots_)} * 4);
    return elias_fano_below(list[0], place.row(), [list](u32 entry) { return list[entry + 1]; });
  }

  const u8 *entries_, *lines_;
  u32 slots_, bucket_words_;
};

}  // namespace gpuseq::fm_index::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
