#pragma once

#include "kernels/fm_index/data/elias_fano.hpp"
#include "kernels/fm_index/data/index.hpp"

namespace gpuseq::fm_index {

/// The plainest search of an index on the host: the arithmetic of layout.cuh read literally, one
/// step at a time. The reference of the tests and of the traffic counts of a layout; not timed.
class Walker {
 public:
  explicit Walker(const Index& index) : layout_(index.layout), view_(index.view) {}

  /// Bytes that one LF step reads at one random place: the counter, the rows that it may count, and those of
  /// them that it does count, in whole chunks.
  struct Touched {
    u64 counter_at, rows_at;  // offsets in IndexView::entries
    u32 rows_bytes;
    u64 counted_at;
    u32 counted_bytes;  // may be 0
  };

  Touched touched(u32 word, u64 position) const {
    if (layout_.elias_fano()) {
      const u64 at = line_at(elias_fano_place(word_of(word), static_cast<u32>(position)));
      return {at, at, layout_.line_bytes, at, layout_.line_bytes};
    }
    const u32 offset = static_cast<u32>(position % layout_.d);
    if (layout_.one_hot()) {
      const u64 at = (word * view_.blocks_per_word + position / layout_.d) * layout_.entry_bytes();
      return {at, at + 4, layout_.d / 8, at + 4, (offset + 7) / 8};
    }
    const u64 entry = position / layout_.d, from = counter_entry(word, entry);
    const u64 rows_at = entry * layout_.entry_bytes() + layout_.bitmap_offset();
    const u32 first = from == entry ? 0 : offset / 64;
    const u32 end = from == entry ? (offset + 63) / 64 : layout_.chunks();
    return {counter_offset(word, from), rows_at, layout_.chunks() * layout_.chunk_bytes(),
            rows_at + u64{first} * layout_.chunk_bytes(), (end - first) * layout_.chunk_bytes()};
  }

  /// LF by one word of k symbols.
  u64 step(u32 word, u64 position) const {
    if (layout_.elias_fano()) return step_elias_fano(word, position);
    return layout_.one_hot() ? step_one_hot(word, position) : step_sampled(word, position);
  }

  /// The interval that the prefix table holds for the first `symbols` symbols of a query.
  Interval<u64> prefix(u32 symbols, u64 word) const {
    const u64 slot = prefix_slot(symbols, word);
    if (layout_.wide) return static_cast<const Interval<u64>*>(view_.prefix)[slot];
    const auto& narrow = static_cast<const Interval<u32>*>(view_.prefix)[slot];
    return {narrow.l, narrow.h};
  }

  /// Interval of a packed query (see QueryView); on_step(word, l, h) is called before each step.
  template <typename OnStep>
  Interval<u64> search(const u32* packed, u32 bases, OnStep&& on_step) const {
    const u32 taken = prefix_length(bases, view_.prefix_symbols, layout_.k);
    Interval<u64> interval = prefix(taken, symbols(packed, 0, taken));
    for (u32 at = taken; at < bases; at += layout_.k) {
      const u32 word = static_cast<u32>(symbols(packed, at, layout_.k));
      on_step(word, interval.l, interval.h);
      interval = {step(word, interval.l), step(word, interval.h)};
    }
    return interval;
  }
  Interval<u64> search(const u32* packed, u32 bases) const {
    return search(packed, bases, [](u32, u64, u64) {});
  }

  static u64 symbols(const u32* packed, u32 first, u32 count) {
    u64 word = 0;
    for (u32 i = 0; i < count; ++i)
      word |= static_cast<u64>(packed[(first + i) / 16] >> (2 * ((first + i) % 16)) & 3) << (2 * i);
    return word;
  }

 private:
  u32 read32(u64 at) const { return *reinterpret_cast<const u32*>(view_.entries + at); }
  u64 read64(u64 at) const { return *reinterpret_cast<const u64*>(view_.entries + at); }

  u64 counter_entry(u32 word, u64 entry) const {
    return layout_.alternate() && (word >= layout_.words() / 2) != (entry % 2 == 1) ? entry + 1 : entry;
  }
  u64 counter_offset(u32 word, u64 entry) const {
    return entry * layout_.entry_bytes() + u64{4} * (word % layout_.counters());
  }
  u64 superblock_base(u32 word, u64 row) const {
    return layout_.wide ? view_.superblocks[row / view_.superblock_rows * layout_.words() + word] : 0;
  }

  /// Stored words equal to `word` among the rows [begin, end) of an entry.
  u64 count(u32 word, u64 entry, u32 begin, u32 end) const {
    u64 total = 0;
    for (u32 c = begin / 64; c * 64 < end; ++c) {
      u64 match =
          first_rows(std::min<u32>(end - 64 * c, 64)) & ~first_rows(begin > 64 * c ? begin - 64 * c : 0);
      for (u32 j = 0; j < layout_.k; ++j) {
        const u64 at = entry * layout_.entry_bytes() + layout_.bitmap_offset() +
                       u64{c} * layout_.chunk_bytes() + u64{16} * j;
        match &= match_column(read64(at), read64(at + 8), word >> (2 * j) & 3);
      }
      total += popcount64(match);
    }
    return total;
  }

  u64 step_sampled(u32 word, u64 position) const {
    const u64 entry = position / layout_.d, from = counter_entry(word, entry);
    const u32 offset = static_cast<u32>(position % layout_.d);
    const u64 counter = superblock_base(word, from * layout_.d) + read32(counter_offset(word, from));
    const u64 stored = from == entry ? counter + count(word, entry, 0, offset)
                                     : counter - count(word, entry, offset, layout_.d);
    return stored - dollar_correction<kMaxK>(view_.dollar, word, position);
  }

  u64 step_one_hot(u32 word, u64 position) const {
    const u64 block = position / layout_.d;
    const u64 at = (word * view_.blocks_per_word + block) * layout_.entry_bytes();
    u64 result = superblock_base(word, block * layout_.d) + read32(at);
    for (u32 row = 0; row < position % layout_.d; ++row)
      result += read32(at + 4 + u64{row / 32} * 4) >> (row % 32) & 1;
    return result;
  }

  const EliasFanoWord& word_of(u32 word) const {
    return reinterpret_cast<const EliasFanoWord*>(view_.entries)[word];
  }
  u64 line_at(const EliasFanoPlace& place) const {
    return elias_fano_lines_offset(layout_.k) + u64{place.line} * layout_.line_bytes;
  }

  /// Entry after entry: ones are entries, zeros end buckets.
  u64 step_elias_fano(u32 word, u64 position) const {
    const EliasFanoPlace place = elias_fano_place(word_of(word), static_cast<u32>(position));
    const u64 at = line_at(place);
    const u32 buckets = word_of(word).buckets, slots = elias_fano_slots(layout_.line_bytes, layout_.d);
    const auto bit = [&](u32 i) { return view_.entries[at + i / 8] >> (i % 8) & 1; };
    u64 result = read32(at);
    u32 entry = 0;
    for (u32 i = 33, bucket = 0; bucket < buckets; ++i) {
      if (bit(i) == 0) {
        ++bucket;
        continue;
      }
      const u32 row = bucket * kBucketRows + view_.entries[at + layout_.line_bytes - 1 - entry++];
      result += row < place.row() ? 1 : 0;
    }
    if (bit(32) == 0) return result;
    const u64 list = u64{4} * read32(at + layout_.line_bytes - slots);
    const u16* const rows = reinterpret_cast<const u16*>(view_.entries + list);
    for (u32 i = 1; i <= rows[0]; ++i) result += rows[i] < place.row() ? 1 : 0;
    return result;
  }

  const Layout& layout_;
  const IndexView& view_;
};

}  // namespace gpuseq::fm_index
