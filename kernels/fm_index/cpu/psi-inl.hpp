// The LF step of the psi layouts: a word's entries are compared with l and h a vector at a time. Compiled
// once per Highway target.
#if defined(GPUSEQ_FM_INDEX_CPU_PSI_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUSEQ_FM_INDEX_CPU_PSI_INL
#undef GPUSEQ_FM_INDEX_CPU_PSI_INL
#else
#define GPUSEQ_FM_INDEX_CPU_PSI_INL
#endif

#include <algorithm>

#include "hwy/highway.h"
#include "kernels/fm_index/cpu/search.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuseq::fm_index::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// How many of `count` entries at `entries`, a readable multiple of the vector, are below.
template <std::size_t count>
HWY_INLINE u32 entries_below(const u32* entries, u32 value) {
  const hn::CappedTag<std::uint32_t, count> d;
  const auto limit = hn::Set(d, value);
  std::size_t below = 0;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d))
    below += hn::CountTrue(d, hn::Lt(hn::LoadU(d, entries + i), limit));
  return static_cast<u32>(below);
}

/// How many of the first `wanted` of `count` entries are below.
template <std::size_t count>
HWY_INLINE u32 entries_below(const u32* entries, u32 wanted, u32 value) {
  const hn::CappedTag<std::uint32_t, count> d;
  const auto limit = hn::Set(d, value);
  std::size_t below = 0;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto is_wanted = hn::Lt(hn::Iota(d, static_cast<std::uint32_t>(i)), hn::Set(d, wanted));
    below += hn::CountTrue(d, hn::And(hn::Lt(hn::LoadU(d, entries + i), limit), is_wanted));
  }
  return static_cast<u32>(below);
}

HWY_INLINE void prefetch(const void* address, bool to_l1) {
  if (to_l1)
    __builtin_prefetch(address, 0, 3);
  else
    __builtin_prefetch(address, 0, 2);
}

constexpr std::size_t kFewEntries = 8;  // that are compared at a time

/// The place of the first of entries [low, high), which ascend, that is at least `value`. Halves first.
HWY_INLINE u32 place_among(const u32* entries, u32 low, u32 high, u32 value) {
  u32 end;
  const u32 begin = psi_halve(
      low, high, value, kFewEntries, [entries](u32 at) { return entries[at]; }, end);
  return begin + entries_below<kFewEntries>(entries + begin, end - begin, value);
}

/// A line for each word.
template <u32 line_bytes>
class PsiLines {
 public:
  /// The needs of a step are known from its word.
  static constexpr bool kLocates = false;
  struct Place {};

  explicit PsiLines(const SearchJob& job) : lines_(job.index.entries), to_l1_(job.prefetch_to_l1) {}

  HWY_INLINE void fetch(u32 word) const {
    for (u32 at = 0; at < kWords; at += 16) prefetch(line(word) + at, to_l1_);
  }
  HWY_INLINE void locate(u32, Place&) const {}
  HWY_INLINE void advance(u32 word, const Place&, u32& l, u32& h) const {
    const u32* at = line(word);
    const u32 start = at[0];
    // The start is counted with the slots, and taken off.
    u32 below_l = entries_below<kWords>(at, l) - (start < l ? 1 : 0);
    u32 below_h = entries_below<kWords>(at, h) - (start < h ? 1 : 0);
    if (at[kSlots - 2] > at[kSlots - 1]) [[unlikely]] {
      below_l += behind(at, l);
      below_h += behind(at, h);
    }
    l = start + below_l;
    h = start + below_h;
  }
  u32 start(u64 word) const { return line(word)[0]; }
  bool occurs(u32 word) const { return line(word)[1] != kNoRow; }

 private:
  static constexpr u32 kWords = line_bytes / 4, kSlots = psi_slots(line_bytes);

  HWY_INLINE const u32* line(u64 word) const {
    return reinterpret_cast<const u32*>(lines_ + word * line_bytes);
  }
  /// Entries below `value` that have no slot, less the place that was counted as one.
  HWY_INLINE u32 behind(const u32* at, u32 value) const {
    const u32 unit = at[kSlots], counted = unit < value ? 1 : 0;
    if (at[kSlots - 2] >= value) return 0 - counted;
    const u32* rest = reinterpret_cast<const u32*>(lines_ + u64{unit} * kPsiUnit);
    u32 low = 0, high = rest[0];
    while (low < high) {
      const u32 middle = low + (high - low) / 2;
      if (rest[1 + middle] < value)
        low = middle + 1;
      else
        high = middle;
    }
    return low - counted;
  }

  const u8* lines_;
  bool to_l1_;
};

/// Starts and entries.
class PsiTable {
 public:
  static constexpr bool kLocates = true;
  struct Place {
    u32 begin, end;  // of the word's rows
  };

  explicit PsiTable(const SearchJob& job)
      : starts_(reinterpret_cast<const u32*>(job.index.entries)),
        entries_(reinterpret_cast<const u32*>(job.index.entries + psi_entries_offset(job.layout.k))),
        rows_(static_cast<u32>(job.index.rows)),
        search_(job.search),
        to_l1_(job.prefetch_to_l1) {}

  HWY_INLINE void fetch(u32 word) const { prefetch(starts_ + word, to_l1_); }
  HWY_INLINE void locate(u32 word, Place& place) const {
    constexpr u32 kLineEntries = 16;
    place = {starts_[word], starts_[u64{word} + 1]};
    const u32* first = entries_ + place.begin;
    const u32 many = place.end - place.begin;
    if (many <= 2 * kLineEntries) {  // and the data read behind them with the last
      prefetch(first, to_l1_);
      prefetch(first + std::max<u32>(kFewEntries, std::min(many, kLineEntries + 1)) - 1, to_l1_);
    } else if (search_ == PsiSearch::binary) {
      prefetch(first + many / 2, to_l1_);
    }
  }
  HWY_INLINE void advance(u32, const Place& place, u32& l, u32& h) const {
    if (place.end - place.begin <= kFewEntries) [[likely]] {
      const u32* few = entries_ + place.begin;
      l = place.begin + entries_below<kFewEntries>(few, place.end - place.begin, l);
      h = place.begin + entries_below<kFewEntries>(few, place.end - place.begin, h);
      return;
    }
    const u32 occurrences = h - l;
    l = place_of(place, l);
    // Entries differ, so that no more of them than `occurrences` are from l to h.
    h = place_among(entries_, l, l + std::min(place.end - l, occurrences), h);
  }
  u32 start(u64 word) const { return starts_[word]; }
  bool occurs(u32 word) const { return starts_[word] != starts_[u64{word} + 1]; }

 private:
  HWY_INLINE u32 place_of(const Place& place, u32 value) const {
    if (search_ == PsiSearch::binary) return place_among(entries_, place.begin, place.end, value);
    if (search_ == PsiSearch::linear) {
      u32 at = place.begin;
      while (place.end - at > kFewEntries && entries_[at + kFewEntries - 1] < value) at += kFewEntries;
      return place_among(entries_, at, std::min<u32>(place.end, at + kFewEntries), value);
    }
    u32 end;
    const u32 begin = psi_interpolate(
        place.begin, place.end, value, rows_, kFewEntries, [this](u32 at) { return entries_[at]; }, end);
    return begin + entries_below<kFewEntries>(entries_ + begin, end - begin, value);
  }

  const u32* starts_;
  const u32* entries_;
  u32 rows_;
  PsiSearch search_;
  bool to_l1_;
};

}  // namespace gpuseq::fm_index::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
