#pragma once

#include "kernels/fm_index/cuda/search_psi.cuh"
#include "kernels/fm_index/data/elias_fano.cuh"

// Search on the Elias-Fano layout (data/elias_fano.cuh): a step of k bases reads one line of its word, found
// by the 16 bytes of the word in the index, which stay in L1. To find the bucket of l and of h is to select
// a zero among the ones and zeros of buckets; then its entries are counted that are below.
//
// One lane a query: the warp copies the lines of its 32 queries to shared memory, neighbouring lanes taking
// neighbouring 16-byte pieces, so that L1 looks a line up once and not once a piece; then each lane takes the
// few entries of its bucket from there. Several lanes: each reads its pieces of the line into registers and
// counts the entries of the bucket in them, and they sum.
//
// A line covers thousands of rows, so that l and h mostly share it; where not, a second line is read, which
// the warp waits for, and so for the few entries that lines have no room for. Bound by: random lines, one per
// k bases; then instructions.

namespace gpuseq::fm_index {

/// The place of a bucket in a line.
struct EliasFanoBucket {
  u32 begin, end;  // its entries in the line
};

/// A line's beginning, and the constants of all lines.
template <class Tuned>
struct EliasFanoLine {
  static constexpr u32 line_bytes = Tuned::value.line_bytes;
  static constexpr u32 slots = elias_fano_slots(line_bytes, Tuned::value.d);
  static constexpr u32 first_low = (line_bytes - slots) / 4;  // the first word of the line with lows
  static constexpr u32 bucket_words = first_low - 1;
  static constexpr u32 high_bits = 0x80808080;

  u32 counter;
  bool goes_on;
  u32 list;                   // where it goes on
  u32 buckets[bucket_words];  // for each bucket a one for each entry, and a zero; before them one more zero

  /// @param head  the line's first words, as far as one of lows
  GPUSEQ_HD explicit EliasFanoLine(const u32 (&head)[first_low + 1])
      : counter(head[0]), goes_on((head[1] & 1) != 0), list(head[first_low]) {
#pragma unroll
    for (u32 i = 0; i < bucket_words; ++i) buckets[i] = head[i + 1];
    buckets[0] &= ~1u;
  }

  GPUSEQ_HD EliasFanoBucket bucket(u32 number) const {
    u32 ones_behind;
    const u32 zero = select_zero(number, ones_behind);
    const u32 begin = zero - number;
    // More ones than the window shows.
    if (ones_behind == 32) return {begin, select_zero(number + 1, ones_behind) - (number + 1)};
    return {begin, begin + ones_behind};
  }

  /// The highest bit of each byte that is less than `low`, 0 to 255.
  GPUSEQ_HD static u32 bytes_below(u32 bytes, u32 low) {
    const u32 bound = low * 0x01010101u;
    const u32 difference = (bytes | high_bits) - (bound & ~high_bits);  // at least, but for the highest bits
    return (bound & ~bytes) | (~(bound ^ bytes) & ~difference);
  }
  /// The highest bit of each byte from the n-th on, the highest byte being the first.
  GPUSEQ_HD static u32 behind(i32 n) {
    const u32 bytes = n < 0 ? 0 : static_cast<u32>(n);
    return bytes >= 4 ? 0 : high_bits >> (8 * bytes);
  }

 private:
  /// The place of zero number `number`, and how many ones follow it; 32 means 32 or more.
  GPUSEQ_HD u32 select_zero(u32 number, u32& ones_behind) const {
    u32 zeros = 0, zeros_before = 0, first = 0, word = buckets[0], next = bucket_words > 1 ? buckets[1] : 0;
#pragma unroll
    for (u32 i = 1; i < bucket_words; ++i) {
      zeros += 32 - popcount32(buckets[i - 1]);
      const bool later = number >= zeros;
      zeros_before = later ? zeros : zeros_before;
      first = later ? 32 * i : first;
      word = later ? buckets[i] : word;
      next = later ? (i + 1 < bucket_words ? buckets[i + 1] : 0) : next;
    }
    const u32 bit = select_bit(~word, number - zeros_before);
    const u32 window = static_cast<u32>((u64{next} << 32 | word) >> (bit + 1));
    ones_behind = trailing_ones(window);
    return first + bit;
  }
  /// The place of set bit number `number`, in halves, by how many bits each two, four and eight have.
  GPUSEQ_HD static u32 select_bit(u32 bits, u32 number) {
    const u32 of_2 = bits - (bits >> 1 & 0x55555555);
    const u32 of_4 = (of_2 & 0x33333333) + (of_2 >> 2 & 0x33333333);
    const u32 of_8 = (of_4 + (of_4 >> 4)) & 0x0F0F0F0F;
    u32 at = 0;
    const auto leap = [&](u32 below, u32 half) {
      const bool above = number >= below;
      number -= above ? below : 0;
      at += above ? half : 0;
    };
    leap((of_8 + (of_8 >> 8)) & 0x1F, 16);
    leap(of_8 >> at & 0xF, 8);
    leap(of_4 >> at & 0x7, 4);
    leap(of_2 >> at & 0x3, 2);
    leap(bits >> at & 0x1, 1);
    return at;
  }
  GPUSEQ_HD static u32 trailing_ones(u32 bits) {
    return popcount32(bits & ~(bits + 1));
  }
};

template <class Tuned>
GPUSEQ_HD const u8* elias_fano_line(const u8* entries, u32 line) {
  return entries + elias_fano_lines_offset(Tuned::value.k) + u64{line} * Tuned::value.line_bytes;
}

/// Lines in the registers of a query's lanes.
template <class Tuned>
class EliasFanoPieces {
  using Line = EliasFanoLine<Tuned>;
  using Share = PsiLine<Tuned>;  // which words of the line a lane has
  static constexpr u32 lanes = Share::lanes;
  static constexpr u32 pieces = Share::pieces;

 public:
  struct Copy {
    Piece pieces[EliasFanoPieces::pieces];
  };

  GPUSEQ_HD EliasFanoPieces(const SearchArguments& arguments, const ThreadPlace& place, u8*)
      : entries_(arguments.index.entries), lane_(place.thread % lanes) {}

  GPUSEQ_HD void start(Copy& copy, u32, u32 line, bool wanted) const {
    const u8* address = elias_fano_line<Tuned>(entries_, line);
#pragma unroll
    for (u32 i = 0; i < pieces; ++i) {
      copy.pieces[i] = Piece{};
      if (wanted) copy.pieces[i] = load_piece<Tuned::value.entries_in_l1>(address + (i * lanes + lane_) * 16);
    }
  }
  GPUSEQ_HD void wait() const {}
  GPUSEQ_HD void release() const {}

  GPUSEQ_HD Line opened(const Copy& copy) const {
    u32 head[Line::first_low + 1];
    read_head<0>(copy, head);
    return Line(head);
  }

  /// How many entries of the buckets of l and of h are below: those of l in the lower half of the result.
  /// @tparam same  both have one bucket
  template <bool same>
  GPUSEQ_HD u32 below(const Copy& copy, EliasFanoBucket of_l, u32 low_l, EliasFanoBucket of_h,
                      u32 low_h) const {
    u32 count_l = 0, count_h = 0;
#pragma unroll
    for (u32 i = 0; i < pieces; ++i) {
#pragma unroll
      for (u32 j = 0; j < 4; ++j) {
        if ((i * lanes + lanes - 1) * 4 + j < Line::first_low) continue;  // no lane has lows there
        const u32 word = copy.pieces[i].word[j];
        // The word's highest byte is the entry of the least number.
        const i32 entry =
            static_cast<i32>(Line::line_bytes) - 4 * static_cast<i32>(Share::place(i, j, lane_) + 1);
        const u32 wanted = bytes_of(of_l, entry);
        count_l += popcount32(Line::bytes_below(word, low_l) & wanted);
        count_h += popcount32(Line::bytes_below(word, low_h) & (same ? wanted : bytes_of(of_h, entry)));
      }
    }
    return sum_over_lanes<lanes>(count_l | count_h << 16);
  }

 private:
  template <u32 at>
  GPUSEQ_HD static void read_head(const Copy& copy, u32 (&head)[Line::first_low + 1]) {
    head[at] = Share::template word<at>(copy.pieces);
    if constexpr (at < Line::first_low) read_head<at + 1>(copy, head);
  }

  /// The highest bit of those bytes of a word that are entries of a bucket. @param first  of the word's
  GPUSEQ_HD static u32 bytes_of(EliasFanoBucket bucket, i32 first) {
    return Line::behind(static_cast<i32>(bucket.begin) - first) &
           ~Line::behind(static_cast<i32>(bucket.end) - first);
  }

  const u8* entries_;
  u32 lane_;
};

/// Lines in shared memory, a slot for each query of a warp: copied by all lanes, read by the query's own.
template <class Tuned>
class EliasFanoSlots {
  using Line = EliasFanoLine<Tuned>;
  // Words of four entries, compared at a time: a bucket has 256 / 4^k entries on average.
  static constexpr u32 window_words = Tuned::value.k <= 3 ? 3 : 2;
  static_assert(window_words <= Line::first_low, "a window reads words before its own");

 public:
  struct Copy {
    const u8* slot;
    bool wanted;  // if not, the slot has an earlier line, or nothing yet
  };

  GPUSEQ_HD EliasFanoSlots(const SearchArguments& arguments, const ThreadPlace& place, u8* shared)
      : entries_(arguments.index.entries), slots_(place, shared) {}

  GPUSEQ_HD void start(Copy& copy, u32 flight, u32 line, bool wanted) const {
    slots_.template copy<Line::line_bytes / 16, 1>(flight, 0, ballot(wanted), [&](u32 owner, u32 piece) {
      return elias_fano_line<Tuned>(entries_, shuffle_from(line, owner, kWarp)) + 16 * piece;
    });
    copy = {slots_.slot(flight, slots_.lane()), wanted};
  }
  GPUSEQ_HD void wait() const {
    wait_for_copies();
    sync_warp();
  }
  /// The next copies may overwrite the slots.
  GPUSEQ_HD void release() const { sync_warp(); }

  GPUSEQ_HD Line opened(const Copy& copy) const {
    constexpr u32 words = Line::first_low + 1;
    u32 head[words];
#pragma unroll
    for (u32 i = 0; i < words; i += 4) {
      const Piece piece = reinterpret_cast<const Piece*>(copy.slot)[i / 4];
#pragma unroll
      for (u32 j = 0; j < 4; ++j)
        if (i + j < words) head[i + j] = copy.wanted ? piece.word[j] : 0;
    }
    return Line(head);
  }

  /// As EliasFanoPieces::below().
  template <bool same>
  GPUSEQ_HD u32 below(const Copy& copy, EliasFanoBucket of_l, u32 low_l, EliasFanoBucket of_h,
                      u32 low_h) const {
    const u32 both = below(copy, of_l, low_l, low_h);
    if constexpr (same) return both;
    return (both & 0xFFFF) | (below(copy, of_h, low_l, low_h) & 0xFFFF0000);
  }

 private:
  /// Compares a window of words at a time, which holds most buckets.
  GPUSEQ_HD static u32 below(const Copy& copy, EliasFanoBucket bucket, u32 low_l, u32 low_h) {
    u32 count_l = 0, count_h = 0;
    for (u32 from = bucket.begin; any_lane(from < bucket.end); from += 4 * window_words) {
      const i32 left = static_cast<i32>(bucket.end) - static_cast<i32>(from);
      u32 words[window_words];
      read_window(copy, left > 0 ? from : 0, words);
      u32 of_l = 0, of_h = 0;
#pragma unroll
      for (u32 i = 0; i < window_words; ++i) {
        const u32 wanted = Line::high_bits & ~Line::behind(left - static_cast<i32>(4 * i));
        of_l |= (Line::bytes_below(words[i], low_l) & wanted) >> i;
        of_h |= (Line::bytes_below(words[i], low_h) & wanted) >> i;
      }
      count_l += popcount32(of_l);
      count_h += popcount32(of_h);
    }
    return count_l | count_h << 16;
  }

  /// The entries from number `first` on, the first in the highest byte of words[0]; behind the last anything.
  GPUSEQ_HD static void read_window(const Copy& copy, u32 first, u32 (&words)[window_words]) {
    const u32* from = reinterpret_cast<const u32*>(copy.slot) + (Line::line_bytes / 4 - 1 - first / 4);
    u32 next = from[0];
    const u32 bits = 8 * (first % 4);
#pragma unroll
    for (u32 i = 0; i < window_words; ++i) {
      const u32 word = next;
      next = *(from - (i + 1));
      words[i] = static_cast<u32>((u64{word} << 32 | next) << bits >> 32);
    }
  }

  const u8* entries_;
  WarpSlots<Tuned> slots_;
};

template <class Tuned, bool in_shared_memory>
struct EliasFanoLinesOf {
  using type = EliasFanoPieces<Tuned>;
};
template <class Tuned>
struct EliasFanoLinesOf<Tuned, true> {
  using type = EliasFanoSlots<Tuned>;
};

template <class Tuned>
class EliasFano {
  using Line = EliasFanoLine<Tuned>;
  using Lines = typename EliasFanoLinesOf<Tuned, Tuned::value.lanes_per_query == 1>::type;

 public:
  using Position = u32;
  static constexpr bool whole_warp = true;

  struct Fetch {
    EliasFanoPlace l, h;
    typename Lines::Copy line;
    bool apart;  // l and h have lines of their own
  };

  GPUSEQ_HD EliasFano(const SearchArguments& arguments, const ThreadPlace& place, u8* shared)
      : entries_(arguments.index.entries), lines_(arguments, place, shared) {}

  GPUSEQ_HD void fetch(Fetch& fetch, u32 flight, u32 word, Position l, Position h, bool active) const {
    const Piece of_word = load_piece<true>(entries_ + u64{word} * sizeof(EliasFanoWord));
    const EliasFanoWord lines{of_word.word[0], of_word.word[1], of_word.word[2], 0};
    fetch.l = elias_fano_place(lines, l);
    fetch.h = elias_fano_place(lines, h);
    fetch.apart = active && fetch.l.line != fetch.h.line;
    lines_.start(fetch.line, flight, fetch.l.line, active);
  }

  GPUSEQ_HD void advance(Fetch& fetch, u32 flight, u32, Position& l, Position& h) const {
    lines_.wait();
    const Line line = lines_.opened(fetch.line);
    const EliasFanoBucket at_l = line.bucket(fetch.l.bucket);
    EliasFanoBucket at_h = at_l;
    u32 both;
    // Once few rows are left, l and h mostly share a bucket, too.
    if (any_lane(fetch.l.bucket != fetch.h.bucket)) {
      at_h = line.bucket(fetch.h.bucket);
      both = lines_.template below<false>(fetch.line, at_l, fetch.l.low, at_h, fetch.h.low);
    } else {
      both = lines_.template below<true>(fetch.line, at_l, fetch.l.low, at_l, fetch.h.low);
    }
    const u32 before_l = at_l.begin + (both & 0xFFFF), before_h = at_h.begin + (both >> 16);
    l = line.counter + before_l + behind_line(line, before_l, fetch.l);
    // Between l and h there are often no entries.
    const bool as_l = before_h == before_l && fetch.h.row() == fetch.l.row();
    u32 new_h = as_l ? l : line.counter + before_h + (fetch.apart ? 0 : behind_line(line, before_h, fetch.h));
    lines_.release();
    if (any_lane(fetch.apart)) {
      lines_.start(fetch.line, flight, fetch.h.line, fetch.apart);
      lines_.wait();
      const Line second = lines_.opened(fetch.line);
      const EliasFanoBucket own = second.bucket(fetch.h.bucket);
      const u32 below = lines_.template below<true>(fetch.line, own, fetch.h.low, own, fetch.h.low);
      const u32 before = own.begin + (below >> 16);
      if (fetch.apart) new_h = second.counter + before + behind_line(second, before, fetch.h);
      lines_.release();
    }
    h = new_h;
  }

 private:
  /// Entries before a position that its line has no room for; none is before the last that it has.
  GPUSEQ_HD u32 behind_line(const Line& line, u32 before, const EliasFanoPlace& place) const {
    if (!line.goes_on || before < Line::slots - kEliasFanoPointer) return 0;
    const u8* list = entries_ + u64{line.list} * 4;
    const auto half = [list](u32 at) {
      const u32 word = load_word<Tuned::value.entries_in_l1>(list + at / 2 * 4);
      return at % 2 == 0 ? word & 0xFFFF : word >> 16;
    };
    return elias_fano_below(half(0), place.row(), [&half](u32 entry) { return half(entry + 1); });
  }

  const u8* entries_;
  Lines lines_;
};

}  // namespace gpuseq::fm_index
