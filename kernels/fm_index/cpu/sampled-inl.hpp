// The LF step of the sampled layout for one query per vector lane. Compiled once per Highway target.
#if defined(GPUSEQ_FM_INDEX_CPU_SAMPLED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUSEQ_FM_INDEX_CPU_SAMPLED_INL
#undef GPUSEQ_FM_INDEX_CPU_SAMPLED_INL
#else
#define GPUSEQ_FM_INDEX_CPU_SAMPLED_INL
#endif

#include <algorithm>

#include "hwy/highway.h"
#include "kernels/fm_index/cpu/batch-inl.hpp"
#include "kernels/fm_index/cpu/entry_lines.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuseq::fm_index::HWY_NAMESPACE {

template <KernelShape shape>
class SampledLanes {
 public:
  static constexpr KernelShape kShape = shape;

  /// The entries that hold the ends of the lanes' intervals.
  struct Place {
    struct End {
      HWY_ALIGN LaneArray entry;   // its offset in bytes
      HWY_ALIGN LaneArray number;  // its number
      HWY_ALIGN LaneArray row;     // of the end, from the entry's first
    };
    End low, high;
    HWY_ALIGN LaneArray high_row;  // of h, from the first row of the entry of l
    bool apart;                    // in some lane h is not in the entry of l: `high` is set
  };

  explicit SampledLanes(const SearchJob& job)
      : index_(job.index),
        prefetch_to_l1_(job.prefetch_to_l1),
        rows_(shape.one_chunk ? 64 : job.layout.d),
        chunks_(shape.one_chunk ? 1 : job.layout.chunks()),
        entry_bytes_(job.layout.entry_bytes()),
        lines_(job.layout),
        by_chunks_(chunks_),
        entries_per_superblock_(shape.wide ? job.index.superblock_rows / rows_ : 1) {
    for (u32 j = 0; j < shape.k; ++j)
      dollar_row_[j] = std::min<u64>(job.index.dollar.row[j], ~u64{0} >> 1);  // lanes compare signed
  }

  HWY_INLINE void locate(V l, V h, V word, Place& place) const {
    const V row = locate_end(l, word, place.low);
    const V high_row = hn::Add(row, hn::Sub(h, l));
    hn::Store(high_row, d, place.high_row);
    place.apart = !hn::AllFalse(d, greater(high_row, hn::Set(d, rows_)));
    if (place.apart) [[unlikely]]
      locate_end(h, word, place.high);
  }

  HWY_INLINE void advance(const Place& place, V word, V& l, V& h) const {
    const V old_l = l, old_h = h;
    if (!place.apart) [[likely]] {
      lf(place.low, hn::Load(d, place.high_row), word, l, h);
    } else {
      V same;
      lf(place.low, hn::Load(d, place.low.row), word, l, same);
      lf(place.high, hn::Load(d, place.high.row), word, h, same);
    }
    for (u32 j = 0; j < shape.k; ++j) {
      const V dollar = hn::Set(d, dollar_row_[j]);
      const auto counted = hn::Eq(word, hn::Set(d, index_.dollar.word[j]));
      const V one = hn::IfThenElseZero(counted, hn::Set(d, 1));
      l = hn::Sub(l, hn::IfThenElseZero(greater(old_l, dollar), one));
      h = hn::Sub(h, hn::IfThenElseZero(greater(old_h, dollar), one));
    }
  }

 private:
  using End = typename Place::End;
  static constexpr Lanes d{};
  static constexpr Layout kLayout = shape.one_chunk_layout();
  static constexpr u32 kWords = kLayout.words();

  HWY_INLINE u64 entry_bytes() const { return shape.one_chunk ? kLayout.entry_bytes() : entry_bytes_; }

  /// @returns the row of the position in its entry
  HWY_INLINE V locate_end(V position, V word, End& end) const {
    V number = hn::ShiftRight<6>(position), row;
    if constexpr (shape.one_chunk) {
      row = hn::And(position, hn::Set(d, 63));
    } else {
      number = by_chunks_(number);
      row = hn::Sub(position, multiply<shape.wide>(number, hn::Set(d, rows_)));
    }
    const V entry = multiply<shape.wide>(number, hn::Set(d, entry_bytes()));
    hn::Store(entry, d, end.entry);
    hn::Store(row, d, end.row);
    if constexpr (shape.alternate || shape.wide) hn::Store(number, d, end.number);
    prefetch_entry(end, entry, number, word);
    return row;
  }

  /// With alternate counters: 1 where the counter is in the next entry.
  HWY_INLINE static V next_counts(V number, V word) {
    return hn::And(hn::Xor(number, hn::ShiftRight<2 * shape.k - 1>(word)), hn::Set(d, 1));
  }
  HWY_INLINE static V counter_offset(V entry, V word) {
    if constexpr (shape.alternate) word = hn::And(word, hn::Set(d, kWords / 2 - 1));
    return hn::Add(entry, hn::ShiftLeft<2>(word));
  }

  HWY_INLINE void prefetch_entry(const End& end, V entry, V number, V word) const {
    for (u32 at = lines_.first; at < lines_.end; at += 64)
      prefetch_lanes(index_.entries + at, end.entry, prefetch_to_l1_);
    if (lines_.last_apart) prefetch_lanes(index_.entries + lines_.end - 1, end.entry, prefetch_to_l1_);
    if constexpr (!EntryLines::with_counters(kLayout)) {
      if constexpr (shape.alternate) {
        const V backward = hn::Sub(hn::Zero(d), next_counts(number, word));
        entry = hn::Add(entry, hn::And(backward, hn::Set(d, entry_bytes())));
      }
      HWY_ALIGN LaneArray counters;
      hn::Store(counter_offset(entry, word), d, counters);
      prefetch_lanes(index_.entries, counters, prefetch_to_l1_);
    }
  }

  /// Rows of chunk c that hold `word`, per lane.
  HWY_INLINE V match(const LaneArray& entry, u32 c, V word) const {
    const u8* chunk = index_.entries + kLayout.bitmap_offset() + c * kLayout.chunk_bytes();
    const V one = hn::Set(d, 1);
    V rows = hn::Set(d, ~std::uint64_t{0});
    for (u32 j = 0; j < shape.k; ++j) {
      V low, high;
      load_both(chunk + 16 * j, entry, low, high);
      // bit - 1 has all bits set where the symbol's bit is 0: there rows match whose plane is 0
      const V flip_low = hn::Sub(hn::And(word, one), one);
      const V flip_high = hn::Sub(hn::And(hn::ShiftRight<1>(word), one), one);
      rows = hn::And(rows, hn::And(hn::Xor(low, flip_low), hn::Xor(high, flip_high)));
      word = hn::ShiftRight<2>(word);
    }
    return rows;
  }

  /// Both ends in the entries of `end`, `high_row` rows from their first the upper one.
  HWY_INLINE void lf(const End& end, V high_row, V word, V& l, V& h) const {
    const V low_row = hn::Load(d, end.row), entry = hn::Load(d, end.entry);
    const V next = shape.alternate ? next_counts(hn::Load(d, end.number), word) : hn::Zero(d);
    const V backward = hn::Sub(hn::Zero(d), next);  // all bits: count the rows from the end on, and subtract
    V low_count = hn::Zero(d), high_count = hn::Zero(d);
    const u32 chunks = shape.one_chunk ? 1 : chunks_;
    for (u32 c = 0; c < chunks; ++c) {
      const V rows = match(end.entry, c, word);
      V in_low = first_rows_from(low_row, 64 * c), in_high = first_rows_from(high_row, 64 * c);
      if constexpr (shape.alternate) {
        in_low = hn::Xor(in_low, backward);
        in_high = hn::Xor(in_high, backward);
      }
      low_count = hn::Add(low_count, count_bits(hn::And(rows, in_low)));
      high_count = hn::Add(high_count, count_bits(hn::And(rows, in_high)));
    }
    V counters = entry;
    if constexpr (shape.alternate) {
      counters = hn::Add(entry, hn::And(backward, hn::Set(d, entry_bytes())));
      low_count = hn::Add(hn::Xor(low_count, backward), next);
      high_count = hn::Add(hn::Xor(high_count, backward), next);
    }
    const V base = counter(end, counters, next, word);
    l = hn::Add(base, low_count);
    h = hn::Add(base, high_count);
  }

  HWY_INLINE V counter(const End& end, V entry, V next, V word) const {
    HWY_ALIGN LaneArray at;
    hn::Store(counter_offset(entry, word), d, at);
    // Entries go on after their counters, so that 64 bits can be read at each.
    V count = hn::And(load_lanes(d, index_.entries, at), hn::Set(d, 0xFFFFFFFF));
    if constexpr (shape.wide) {
      HWY_ALIGN LaneArray number, words;
      hn::Store(hn::Add(hn::Load(d, end.number), next), d, number);
      hn::Store(word, d, words);
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        at[lane] = 8 * (number[lane] / entries_per_superblock_ * kWords + words[lane]);
      count = hn::Add(count, load_lanes(d, reinterpret_cast<const u8*>(index_.superblocks), at));
    }
    return count;
  }

  const IndexView& index_;
  bool prefetch_to_l1_;
  std::uint64_t rows_;
  u32 chunks_;
  u64 entry_bytes_;
  EntryLines lines_;
  LaneDivision<shape.wide> by_chunks_;
  u64 entries_per_superblock_;
  std::uint64_t dollar_row_[shape.k];
};

}  // namespace gpuseq::fm_index::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
