#pragma once

#include "kernels/fm_index/cuda/search_device.cuh"
#include "kernels/fm_index/data/psi.cuh"

// Search on the psi layouts (data/psi.cuh): a step of k bases finds l and h among the entries of its word.
//
// Table: a thread has a query. fetch() reads the start of the word and of the next, which are neighbours;
// advance() narrows the entries to a few and compares these with l, 16 bytes a load, and looks for h from
// there on: no more entries are between l and h than rows. Bound by: random 32-byte sectors, of starts and of
// entries about 1.1 each per k bases.
//
// Lines: the lanes of a query read neighbouring 16-byte pieces of the word's line, compare their entries with
// l and h, and sum. Bound by: random lines, one per k bases. Entries without a slot in their line take one
// more access, which the warp waits for.
//
// Source: Grossi and Vitter 2000 (psi); searches in psi^k: IP-BWT and LISA, Ho et al. 2019, 2020.

namespace gpuseq::fm_index {

/// The starts of words, of both layouts.
template <class Tuned>
struct PsiStarts {
  static constexpr u32 k = Tuned::value.k;
  static constexpr bool in_l1 = Tuned::value.entries_in_l1;
  static constexpr u32 start_bytes = Tuned::value.layout().entry_bytes();  // from one start to the next

  GPUSEQ_HD static u32 start(const IndexView& index, u64 word) {
    return word == psi_words(k) ? static_cast<u32>(index.rows)
                                : load_word<in_l1>(index.entries + word * start_bytes);
  }
  /// Whether a row may begin with the word; if not, its start is the interval of all queries that begin with
  /// it.
  GPUSEQ_HD static bool occurs(const IndexView& index, u32 word) {
    const u32 next = load_word<in_l1>(index.entries + u64{word} * start_bytes + 4);
    if constexpr (Tuned::value.line_bytes != 0) return next != kNoRow;
    return next != start(index, word);
  }
  /// The interval of a word of fewer than k symbols.
  GPUSEQ_HD static Interval<u32> opening(const IndexView& index, u32 symbols, u64 word) {
    return psi_interval(index.short_rows, k, symbols, word, [&index](u64 of) { return start(index, of); });
  }
};

template <class Tuned>
class PsiTable {
  static constexpr u32 k = Tuned::value.k;
  static constexpr bool in_l1 = Tuned::value.entries_in_l1;
  static constexpr u32 few = 8;  // entries that are compared without narrowing

 public:
  using Position = u32;
  static constexpr bool whole_warp = false;

  struct Fetch {
    u32 begin, end;  // of the word's entries
  };

  GPUSEQ_HD PsiTable(const SearchArguments& arguments, const ThreadPlace&, u8*)
      : index_(arguments.index), entries_(arguments.index.entries + psi_entries_offset(k)) {}

  GPUSEQ_HD void fetch(Fetch& fetch, u32, u32 word, Position, Position, bool active) const {
    fetch = {0, 0};
    if (!active) return;
    const u8* starts = index_.entries + u64{word} * 4;
    fetch.begin = load_word<in_l1>(starts);
    fetch.end = load_word<in_l1>(starts + 4);
  }

  GPUSEQ_HD void advance(Fetch& fetch, u32, u32, Position& l, Position& h) const {
    const u32 between = h - l;
    u32 end;
    const u32 begin = narrowed(fetch, l, end);
    if (fetch.end - begin <= few) {  // h is among them, too
      const Interval<u32> below = count_below(begin, fetch.end, l, h);
      l = begin + below.l;
      h = begin + below.h;
      return;
    }
    l = begin + count_below(begin, end, l, l).l;
    const u32 most = between < fetch.end - l ? between : fetch.end - l;
    const u32 from = psi_halve(l, l + most, h, few, entry(), end);
    h = from + count_below(from, end, h, h).l;
  }

 private:
  GPUSEQ_HD auto entry() const {
    return [this](u32 at) { return load_word<in_l1>(entries_ + u64{at} * 4); };
  }

  GPUSEQ_HD u32 narrowed(const Fetch& fetch, u32 value, u32& end) const {
    if constexpr (Tuned::value.search == PsiSearch::binary)
      return psi_halve(fetch.begin, fetch.end, value, few, entry(), end);
    if constexpr (Tuned::value.search == PsiSearch::interpolation)
      return psi_interpolate(fetch.begin, fetch.end, value, static_cast<u32>(index_.rows), few, entry(), end);
    u32 begin = fetch.begin;
    while (fetch.end - begin > few && entry()(begin + few - 1) < value) begin += few;
    end = fetch.end - begin > few ? begin + few : fetch.end;
    return begin;
  }

  /// How many of the entries [begin, end) are below l and below h.
  GPUSEQ_HD Interval<u32> count_below(u32 begin, u32 end, u32 l, u32 h) const {
    Interval<u32> below{0, 0};
    for (u32 at = begin / 4 * 4; at < end; at += 4) {
      const Piece piece = load_piece<in_l1>(entries_ + u64{at} * 4);
#pragma unroll
      for (u32 i = 0; i < 4; ++i) {
        const bool wanted = at + i - begin < end - begin;
        below.l += wanted && piece.word[i] < l ? 1 : 0;
        below.h += wanted && piece.word[i] < h ? 1 : 0;
      }
    }
    return below;
  }

  const IndexView& index_;
  const u8* entries_;
};

/// A lane's share of a line.
template <class Tuned>
struct PsiLine {
  static constexpr u32 lanes = Tuned::value.lanes_per_query;
  static constexpr u32 line_bytes = Tuned::value.line_bytes;
  static constexpr u32 slots = psi_slots(line_bytes);
  static constexpr u32 pieces = line_bytes / (16 * lanes);  // a lane's

  /// The place of the j-th word of a lane's i-th piece in the line; 0: the start, then the slots from 1.
  GPUSEQ_HD static u32 place(u32 i, u32 j, u32 lane) { return (i * lanes + lane) * 4 + j; }

  /// Slots below a value, as a lane counts them; none behind `last`.
  GPUSEQ_HD static u32 below(const Piece (&piece)[pieces], u32 lane, u32 last, u32 value) {
    u32 count = 0;
#pragma unroll
    for (u32 i = 0; i < pieces; ++i) {
#pragma unroll
      for (u32 j = 0; j < 4; ++j) {
        const u32 at = place(i, j, lane);
        const bool wanted = (i > 0 || j > 0 || at > 0) && (at < slots || at <= last);
        count += wanted && piece[i].word[j] < value ? 1 : 0;
      }
    }
    return count;
  }
  /// The word at a place of the line.
  template <u32 at>
  GPUSEQ_HD static u32 word(const Piece (&piece)[pieces]) {
    constexpr u32 of_piece = at / 4 / lanes, owner = at / 4 % lanes;
    if constexpr (lanes == 1) return piece[of_piece].word[at % 4];
    return shuffle_from(piece[of_piece].word[at % 4], owner, lanes);
  }
};

template <class Tuned>
class PsiLines {
  using Line = PsiLine<Tuned>;
  static constexpr u32 lanes = Line::lanes;
  static constexpr bool in_l1 = Tuned::value.entries_in_l1;

 public:
  using Position = u32;
  static constexpr bool whole_warp = lanes > 1;

  struct Fetch {
    Piece pieces[Line::pieces];
  };

  GPUSEQ_HD PsiLines(const SearchArguments& arguments, const ThreadPlace& place, u8*)
      : lines_(arguments.index.entries), lane_(place.thread % lanes) {}

  GPUSEQ_HD void fetch(Fetch& fetch, u32, u32 word, Position, Position, bool active) const {
    const u8* address = lines_ + u64{word} * Line::line_bytes;
#pragma unroll
    for (u32 i = 0; i < Line::pieces; ++i) {
      fetch.pieces[i] = Piece{};
      if (active) fetch.pieces[i] = load_piece<in_l1>(address + (i * lanes + lane_) * 16);
    }
  }

  GPUSEQ_HD void advance(Fetch& fetch, u32, u32, Position& l, Position& h) const {
    const Piece(&line)[Line::pieces] = fetch.pieces;
    const u32 start = Line::template word<0>(line);
    // Where the last two slots but one are exchanged, the last tells where the entries without a slot are.
    const u32 greatest = Line::template word<Line::slots - 2>(line);
    const bool goes_on = greatest > Line::template word<Line::slots - 1>(line);
    const u32 last = goes_on ? Line::slots - 1 : Line::slots;
    u32 below = Line::below(line, lane_, last, l) | Line::below(line, lane_, last, h) << 16;
    below = sum_over_lanes<lanes>(below);
    u32 new_l = start + (below & 0xFFFF), new_h = start + (below >> 16);
    const u32 unit = Line::template word<Line::slots>(line);
    if (goes_on && greatest < h) {
      const u8* rest = lines_ + u64{unit} * kPsiUnit;
      const u32 behind = count_behind(rest, h);
      new_h += behind;
      if (greatest < l) new_l += l == h ? behind : count_behind(rest, l);
    }
    l = new_l;
    h = new_h;
  }

 private:
  /// How many of the entries without a slot are below.
  GPUSEQ_HD static u32 count_behind(const u8* rest, u32 value) {
    const Piece head = load_piece<in_l1>(rest);  // the count, and three entries
    const u32 count = head.word[0];
    if (count <= 3)
      return (head.word[1] < value) + (count > 1 && head.word[2] < value) +
             (count > 2 && head.word[3] < value);
    u32 end;
    const u32 begin = psi_halve(
        0, count, value, 3, [rest](u32 at) { return load_word<in_l1>(rest + 4 + u64{at} * 4); }, end);
    u32 below = begin;
    for (u32 at = begin; at < end; ++at) below += load_word<in_l1>(rest + 4 + u64{at} * 4) < value ? 1 : 0;
    return below;
  }

  const u8* lines_;
  u32 lane_;
};

}  // namespace gpuseq::fm_index
