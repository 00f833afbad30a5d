#pragma once

#include "kernels/fm_index/cuda/search_psi.cuh"
#include "kernels/fm_index/data/elias_fano.cuh"

// Search on the Elias-Fano layout (data/elias_fano.cuh): a step of k bases reads one line of its word, found
// by what the index says of the word, 16 bytes that stay in L1. The lanes of a query read neighbouring
// 16-byte pieces of the line. Each finds the bucket of l and of h, which is to select a zero among the ones
// and zeros of buckets. One lane alone has the whole line in registers and shifts the few entries of the
// bucket out of it, to compare them; several count those of the bucket in their pieces that are below, and
// sum. A line covers thousands of rows, so that l and h mostly share it; where not, a second line is read,
// which the warp waits for, and so for the few entries that lines have no room for. Bound by: random lines,
// one per k bases; then instructions.

namespace gpuseq::fm_index {

/// What a line says of a bucket.
struct EliasFanoBucket {
  u32 begin, end;  // its entries in the line
};

template <class Tuned>
struct EliasFanoLine {
  using Share = PsiLine<Tuned>;  // which words of the line a lane has
  static constexpr u32 lanes = Share::lanes;
  static constexpr u32 pieces = Share::pieces;
  static constexpr u32 line_bytes = Tuned::value.line_bytes;
  static constexpr u32 slots = elias_fano_slots(line_bytes, Tuned::value.d);
  static constexpr u32 first_low = (line_bytes - slots) / 4;  // the first word of the line with lows
  static constexpr u32 bucket_words = first_low - 1;
  static constexpr u32 high_bits = 0x80808080;
  // Of four entries, compared at a time: a bucket has 256 / 4^k on average.
  static constexpr u32 window_words = Tuned::value.k <= 3 ? 3 : 2;
  static constexpr u32 low_words = line_bytes / 4 - first_low;

  u32 counter;
  bool goes_on;
  u32 list;                   // where it goes on
  u32 buckets[bucket_words];  // for each bucket a one for each entry, and a zero; before them one more zero

  /// Makes known to all lanes what they all need.
  GPUSEQ_HD void open(const Piece (&line)[pieces]) {
    counter = Share::template word<0>(line);
    read_buckets<0>(line);
    goes_on = (buckets[0] & 1) != 0;
    buckets[0] &= ~1u;
    list = Share::template word<first_low>(line);
  }

  GPUSEQ_HD EliasFanoBucket bucket(u32 number) const {
    u32 ones_behind;
    const u32 zero = select_zero(number, ones_behind);
    const u32 begin = zero - number;
    // More ones than the window shows.
    if (ones_behind == 32) return {begin, select_zero(number + 1, ones_behind) - (number + 1)};
    return {begin, begin + ones_behind};
  }

  /// Of the entries of the buckets of l and of h, how many are below, of those that a lane has: those of l
  /// in the lower half of the result. @tparam same  both have one bucket
  template <bool same>
  GPUSEQ_HD static u32 below(const Piece (&line)[pieces], u32 lane, EliasFanoBucket of_l, u32 low_l,
                             EliasFanoBucket of_h, u32 low_h) {
    if constexpr (lanes > 1) {
      return below_in_pieces<same>(line, lane, of_l, low_l, of_h, low_h);
    } else if constexpr (same) {
      return below_in_window(line, of_l, low_l, low_h);
    } else {
      return (below_in_window(line, of_l, low_l, low_l) & 0xFFFF) |
             (below_in_window(line, of_h, low_h, low_h) & 0xFFFF0000);
    }
  }

 private:
  template <u32 i>
  GPUSEQ_HD void read_buckets(const Piece (&line)[pieces]) {
    if constexpr (i < bucket_words) {
      buckets[i] = Share::template word<i + 1>(line);
      read_buckets<i + 1>(line);
    }
  }

  /// By several lanes: all words of a lane, without the bytes that are no entries of the bucket.
  template <bool same>
  GPUSEQ_HD static u32 below_in_pieces(const Piece (&line)[pieces], u32 lane, EliasFanoBucket of_l, u32 low_l,
                                       EliasFanoBucket of_h, u32 low_h) {
    u32 count_l = 0, count_h = 0;
#pragma unroll
    for (u32 i = 0; i < pieces; ++i) {
#pragma unroll
      for (u32 j = 0; j < 4; ++j) {
        if ((i * lanes + lanes - 1) * 4 + j < first_low) continue;  // no lane has lows there
        const u32 word = line[i].word[j];
        // The word's highest byte is the entry of the least number.
        const i32 entry = static_cast<i32>(line_bytes) - 4 * static_cast<i32>(Share::place(i, j, lane) + 1);
        const u32 wanted = bytes_of(of_l, entry);
        count_l += popcount32(bytes_below(word, low_l) & wanted);
        count_h += popcount32(bytes_below(word, low_h) & (same ? wanted : bytes_of(of_h, entry)));
      }
    }
    return count_l | count_h << 16;
  }

  /// By one lane: so many words of entries at a time as have what most buckets have.
  GPUSEQ_HD static u32 below_in_window(const Piece (&line)[pieces], EliasFanoBucket bucket, u32 low_l,
                                       u32 low_h) {
    u32 count_l = 0, count_h = 0;
    for (u32 from = bucket.begin; any_lane(from < bucket.end); from += 4 * window_words) {
      u32 words[window_words];
      shift_out(line, from, words);
      u32 of_l = 0, of_h = 0;
#pragma unroll
      for (u32 i = 0; i < window_words; ++i) {
        const i32 left = static_cast<i32>(bucket.end) - static_cast<i32>(from + 4 * i);
        const u32 wanted = high_bits & ~behind(left);
        of_l |= (bytes_below(words[i], low_l) & wanted) >> i;
        of_h |= (bytes_below(words[i], low_h) & wanted) >> i;
      }
      count_l += popcount32(of_l);
      count_h += popcount32(of_h);
    }
    return count_l | count_h << 16;
  }

  /// The entries from number `first` on, the first in the highest byte of words[0]; behind the last anything.
  GPUSEQ_HD static void shift_out(const Piece (&line)[pieces], u32 first, u32 (&words)[window_words]) {
    u32 some[low_words];  // the last word of the line first
#pragma unroll
    for (u32 j = 0; j < low_words; ++j) {
      const u32 at = line_bytes / 4 - 1 - j;
      some[j] = line[at / 4].word[at % 4];
    }
    leap_over<line_bytes / 8>(some, first / 4);
    const u32 bits = 8 * (first % 4);
#pragma unroll
    for (u32 i = 0; i < window_words; ++i)
      words[i] = static_cast<u32>((u64{some[i]} << 32 | some[i + 1]) << bits >> 32);
  }
  /// Leaves word number `words` and those behind it, as many as a window touches, at the beginning.
  template <u32 step>
  GPUSEQ_HD static void leap_over(u32 (&some)[low_words], u32 words) {
    const bool leaps = (words & step) != 0;
#pragma unroll
    for (u32 j = 0; j < window_words + step && j + step < low_words; ++j)
      some[j] = leaps ? some[j + step] : some[j];
    if constexpr (step > 1) leap_over<step / 2>(some, words);
  }

  /// The highest bit of each byte that is less than `low`, 0 to 255.
  GPUSEQ_HD static u32 bytes_below(u32 bytes, u32 low) {
    const u32 bound = low * 0x01010101u;
    const u32 difference = (bytes | high_bits) - (bound & ~high_bits);  // at least, but for the highest bits
    return (bound & ~bytes) | (~(bound ^ bytes) & ~difference);
  }
  /// The highest bit of those bytes of a word that are entries of a bucket. @param first  of the word's
  GPUSEQ_HD static u32 bytes_of(EliasFanoBucket bucket, i32 first) {
    return behind(static_cast<i32>(bucket.begin) - first) & ~behind(static_cast<i32>(bucket.end) - first);
  }
  /// The highest bit of each byte from the n-th on, the highest byte being the first.
  GPUSEQ_HD static u32 behind(i32 n) {
    const u32 bytes = n < 0 ? 0 : static_cast<u32>(n);
    return bytes >= 4 ? 0 : high_bits >> (8 * bytes);
  }

  /// The place of zero number `number`, and how many ones stand behind it; 32 stand for 32 and more.
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
class EliasFano {
  using Line = EliasFanoLine<Tuned>;
  static constexpr u32 lanes = Line::lanes;
  static constexpr bool in_l1 = Tuned::value.entries_in_l1;

 public:
  using Position = u32;
  static constexpr bool whole_warp = true;

  struct Fetch {
    EliasFanoPlace l, h;
    Piece line[Line::pieces];
    bool apart;  // l and h have lines of their own
  };

  GPUSEQ_HD EliasFano(const SearchArguments& arguments, const ThreadPlace& place, u8*)
      : entries_(arguments.index.entries), lane_(place.thread % lanes) {}

  GPUSEQ_HD void fetch(Fetch& fetch, u32, u32 word, Position l, Position h, bool active) const {
    const Piece of_word = load_piece<true>(entries_ + u64{word} * sizeof(EliasFanoWord));
    const EliasFanoWord lines{of_word.word[0], of_word.word[1], of_word.word[2], 0};
    fetch.l = elias_fano_place(lines, l);
    fetch.h = elias_fano_place(lines, h);
    fetch.apart = active && fetch.l.line != fetch.h.line;
    load(fetch.line, fetch.l.line, active);
  }

  GPUSEQ_HD void advance(Fetch& fetch, u32, u32, Position& l, Position& h) const {
    Line line;
    line.open(fetch.line);
    const EliasFanoBucket at_l = line.bucket(fetch.l.bucket);
    EliasFanoBucket at_h = at_l;
    u32 both;
    // Once few rows are left, l and h mostly share a bucket, too.
    if (any_lane(fetch.l.bucket != fetch.h.bucket)) {
      at_h = line.bucket(fetch.h.bucket);
      both = Line::template below<false>(fetch.line, lane_, at_l, fetch.l.low, at_h, fetch.h.low);
    } else {
      both = Line::template below<true>(fetch.line, lane_, at_l, fetch.l.low, at_l, fetch.h.low);
    }
    both = sum_over_lanes<lanes>(both);
    const u32 before_l = at_l.begin + (both & 0xFFFF), before_h = at_h.begin + (both >> 16);
    l = line.counter + before_l + behind_line(line, before_l, fetch.l);
    // Between l and h there are often no entries.
    const bool as_l = before_h == before_l && fetch.h.row() == fetch.l.row();
    u32 new_h = as_l ? l : line.counter + before_h + (fetch.apart ? 0 : behind_line(line, before_h, fetch.h));
    if (any_lane(fetch.apart)) {
      load(fetch.line, fetch.h.line, fetch.apart);
      line.open(fetch.line);
      const EliasFanoBucket own = line.bucket(fetch.h.bucket);
      const u32 below = Line::template below<true>(fetch.line, lane_, own, fetch.h.low, own, fetch.h.low);
      const u32 before = own.begin + (sum_over_lanes<lanes>(below) >> 16);
      if (fetch.apart) new_h = line.counter + before + behind_line(line, before, fetch.h);
    }
    h = new_h;
  }

 private:
  GPUSEQ_HD void load(Piece (&pieces)[Line::pieces], u32 line, bool wanted) const {
    const u8* address =
        entries_ + elias_fano_lines_offset(Tuned::value.k) + u64{line} * Tuned::value.line_bytes;
#pragma unroll
    for (u32 i = 0; i < Line::pieces; ++i) {
      pieces[i] = Piece{};
      if (wanted) pieces[i] = load_piece<in_l1>(address + (i * lanes + lane_) * 16);
    }
  }

  /// Entries before a position that its line has no room for; none stands before the last that it has.
  GPUSEQ_HD u32 behind_line(const Line& line, u32 before, const EliasFanoPlace& place) const {
    if (!line.goes_on || before < Line::slots - kEliasFanoPointer) return 0;
    const u8* list = entries_ + u64{line.list} * 4;
    const auto half = [list](u32 at) {
      const u32 word = load_word<in_l1>(list + at / 2 * 4);
      return at % 2 == 0 ? word & 0xFFFF : word >> 16;
    };
    return elias_fano_below(half(0), place.row(), [&half](u32 entry) { return half(entry + 1); });
  }

  const u8* entries_;
  u32 lane_;
};

}  // namespace gpuseq::fm_index
