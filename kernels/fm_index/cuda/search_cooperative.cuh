#pragma once

#include "kernels/fm_index/cuda/search_sampled.cuh"

// Full-cooperative scheme (Chacon et al. 2013, section 4.3): the lanes of a query read an entry with one
// 16-byte piece each (in rounds, if it has more pieces than there are lanes), match and count their part, and
// sum. l and h are counted from the same pieces where they share an entry, which a vote finds out for the
// warp.
//
// Slots of an entry, dealt out to the lanes in turn:  chunk 0 column 1 ... k | chunk 1 ... | counters
// so that the lanes of a chunk are neighbours. k = 3 deals out 4 slots a chunk; the counters take the free
// one of chunk 0. A lane counts the rows of a chunk that fall to it once the columns are joined:
//   k = 1: all 64;  k = 2: 32, after one exchange with its neighbour;  k = 3, 4: 16, after two.
// Bound by: memory lines per base; shuffles and counting for d well above 64.

namespace gpuseq::fm_index {

/// How an entry is dealt out to lanes.
template <class Tuned>
struct Deal {
  using Index = Sampled<Tuned>;
  static constexpr u32 k = Index::k;
  static constexpr u32 lanes = Tuned::value.cooperating_lanes();
  static constexpr u32 columns = k == 3 ? 4 : k;  // slots of a chunk
  static constexpr u32 counter = k == 3 ? 3 : columns * Index::chunks;
  static constexpr u32 slots = k == 3 ? columns * Index::chunks : counter + 1;
  static constexpr u32 rounds = (slots + lanes - 1) / lanes;
  static constexpr u32 counter_round = counter / lanes;
  static constexpr u32 counter_lane = counter % lanes;

  GPUSEQ_HD static u32 slot(u32 round, u32 lane) { return round * lanes + lane; }
  /// Whether a slot holds a column of a chunk.
  GPUSEQ_HD static bool in_bitmap(u32 slot) { return slot / columns < Index::chunks && slot % columns < k; }
  /// Offset of a bitmap slot in its entry.
  GPUSEQ_HD static u32 bitmap_offset(u32 slot) {
    return Index::bitmap_offset + slot / columns * Index::chunk_bytes + slot % columns * 16;
  }
  /// The rows that a lane contributes before columns are joined: its column's match, or all rows if it has
  /// none.
  GPUSEQ_HD static Match match(const Piece& piece, u32 slot, u32 word) {
    const u32 column = slot % columns;
    Match own = match_piece(piece, word >> (2 * column));
    if (column >= k) own = {~0u, ~0u};
    return own;
  }

  // Joining columns, k > 1. First exchange: the lane keeps 32 rows and gives the others away.
  static constexpr u32 halving_distance = columns / 2;
  GPUSEQ_HD static bool keeps_high(u32 lane) { return (lane & halving_distance) != 0; }
  GPUSEQ_HD static u32 given(const Match& own, u32 lane) { return keeps_high(lane) ? own.low : own.high; }
  GPUSEQ_HD static u32 kept(const Match& own, u32 lane) { return keeps_high(lane) ? own.high : own.low; }
  /// The rows of the 32 that this lane counts (k = 3, 4: its neighbour has the same rows).
  GPUSEQ_HD static u32 counted_rows(u32 lane) {
    return columns < 4 ? ~0u : lane % 2 == 0 ? 0x0000ffffu : 0xffff0000u;
  }
  /// First row, in its entry, of the 32 that a lane holds.
  GPUSEQ_HD static u32 first_row(u32 slot, u32 lane) {
    return slot / columns * 64 + (k > 1 && keeps_high(lane) ? 32 : 0);
  }
};

/// The part of a lane in an entry that `lanes` of them read and count.
template <class Tuned>
class DealtEntry {
  using Index = Sampled<Tuned>;
  using D = Deal<Tuned>;
  static constexpr u32 lanes = D::lanes;

 public:
  GPUSEQ_HD DealtEntry(const SearchArguments& arguments, const ThreadPlace& place)
      : arguments_(arguments), lane_(place.thread % lanes) {}

  GPUSEQ_HD void load(Piece (&pieces)[D::rounds], const SampledAccess& at, u32 limit, u32 word,
                      bool wanted) const {
    const u8* entry = Index::entry_address(arguments_.index, at.entry);
    const u8* counters = Index::entry_address(arguments_.index, at.counter_entry());
#pragma unroll
    for (u32 round = 0; round < D::rounds; ++round) {
      const u32 slot = D::slot(round, lane_);
      const bool is_counter = slot == D::counter;
      const u8* address =
          is_counter ? counters + Index::counter_slot(word) / 4 * 16 : entry + D::bitmap_offset(slot);
      const bool needed =
          is_counter || (D::in_bitmap(slot) && Index::needs_chunk(slot / D::columns, limit, at.forward));
      pieces[round] = Piece{};
      if (wanted && needed) pieces[round] = load_piece<Index::in_l1>(address);
    }
  }

  /// This lane's share of the rows of `word` that accesses l (lower half of the result) and h (upper) count.
  GPUSEQ_HD u32 count(const Piece (&pieces)[D::rounds], u32 word, const SampledAccess& l,
                      const SampledAccess& h) const {
    u32 both = 0;
#pragma unroll
    for (u32 round = 0; round < D::rounds; ++round) {
      if (round * lanes >= D::columns * Index::chunks) break;  // only the counters' round is left
      const u32 slot = D::slot(round, lane_);
      const Match own = D::match(pieces[round], slot, word);
      const u32 row = D::first_row(slot, lane_);
      const u32 exists = slot < D::columns * Index::chunks ? ~0u : 0u;
      if constexpr (D::columns == 1) {
        both += count_rows(own.low & exists, row, l) + count_rows(own.high & exists, row + 32, l);
        both += (count_rows(own.low & exists, row, h) + count_rows(own.high & exists, row + 32, h)) << 16;
      } else {
        u32 joined = D::kept(own, lane_) & shuffle_xor(D::given(own, lane_), D::halving_distance);
        if constexpr (D::columns == 4) joined &= shuffle_xor(joined, 1);
        joined &= exists & D::counted_rows(lane_);
        both += count_rows(joined, row, l) + (count_rows(joined, row, h) << 16);
      }
    }
    return both;
  }

  /// The counter of `word`, of the lane D::counter_lane, which has loaded it; the value of other lanes is
  /// undefined.
  GPUSEQ_HD static u32 counter(const Piece (&pieces)[D::rounds], u32 word) {
    const Piece& piece = pieces[D::counter_round];
    const u32 low = word & 1 ? piece.word[1] : piece.word[0];
    const u32 high = word & 1 ? piece.word[3] : piece.word[2];
    return Index::counter_slot(word) & 2 ? high : low;
  }

 private:
  const SearchArguments& arguments_;
  u32 lane_;
};

template <class Tuned>
class FullCooperative {
  using Index = Sampled<Tuned>;
  using D = Deal<Tuned>;
  static constexpr u32 lanes = D::lanes;

 public:
  using Position = typename Index::Position;
  static constexpr bool whole_warp = true;

  struct Fetch {
    SampledAccess l, h;
    Position base_l, base_h;
    Piece pieces_l[D::rounds], pieces_h[D::rounds];
    bool joint;      // l and h share an entry
    bool any_apart;  // in some lane of the warp they do not
  };

  GPUSEQ_HD FullCooperative(const SearchArguments& arguments, const ThreadPlace& place, u8*)
      : arguments_(arguments), dealt_(arguments, place) {}

  GPUSEQ_HD void fetch(Fetch& fetch, u32, u32 word, Position l, Position h, bool active) const {
    fetch.l = Index::locate(word, l);
    fetch.h = Index::locate(word, h);
    fetch.joint = fetch.l.entry == fetch.h.entry;
    fetch.any_apart = any_lane(active && !fetch.joint);
    const u32 limit = fetch.joint ? Index::joint_limit(fetch.l, fetch.h) : fetch.l.offset;
    dealt_.load(fetch.pieces_l, fetch.l, limit, word, active);
    fetch.base_l = fetch.base_h = 0;
    if (active) fetch.base_l = fetch.base_h = Index::counter_base(arguments_, fetch.l, word);
    if (fetch.any_apart) {
      dealt_.load(fetch.pieces_h, fetch.h, fetch.h.offset, word, active && !fetch.joint);
      if (active && !fetch.joint) fetch.base_h = Index::counter_base(arguments_, fetch.h, word);
    }
  }

  GPUSEQ_HD void advance(Fetch& fetch, u32, u32 word, Position& l, Position& h) const {
    const u32 both = sum_over_lanes<lanes>(dealt_.count(fetch.pieces_l, word, fetch.l, fetch.h));
    u32 counter = counter_of(fetch.pieces_l, word);
    const DollarRows& dollar = arguments_.index.dollar;
    l = Index::target(dollar, word, l, fetch.base_l, counter, both & 0xffff, fetch.l.forward);
    u32 rows = both >> 16;
    if (fetch.any_apart) {
      const u32 apart = sum_over_lanes<lanes>(dealt_.count(fetch.pieces_h, word, fetch.h, fetch.h)) >> 16;
      const u32 counter_h = counter_of(fetch.pieces_h, word);
      if (!fetch.joint) {
        rows = apart;
        counter = counter_h;
      }
    }
    h = Index::target(dollar, word, h, fetch.base_h, counter, rows, fetch.h.forward);
  }

 private:
  /// From the lane that has loaded it.
  GPUSEQ_HD static u32 counter_of(const Piece (&pieces)[D::rounds], u32 word) {
    return shuffle_from(DealtEntry<Tuned>::counter(pieces, word), D::counter_lane, lanes);
  }

  const SearchArguments& arguments_;
  DealtEntry<Tuned> dealt_;
};

}  // namespace gpuseq::fm_index
