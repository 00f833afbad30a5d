#pragma once

#include "kernels/fm_index/cuda/search_cooperative.cuh"

// Full-cooperative scheme as published (Chacon et al., section 4.3 and figure 4.c): lanes 2i and 2i + 1
// follow l and h of one query, as 'the 32 threads in a warp participating in the execution of 32 LF
// operations'. A group of lanes_per_entry lanes reads and counts an entry, and the warp's groups as many
// entries at a time: with 8 lanes of 16 bytes, 4 entries of 128 bytes (d = 448) in each of 8 turns. A turn:
//   1) the positions of its LFs are multicast, each to the lanes of a group,
//   2) which load its entry, 16 bytes each;
//   3) the LF's word is multicast;
//   4) each lane counts its part,
//   5) the group sums,
//   6) and the lanes that own these LFs gather counter and rows.
// Only the entries of a turn are in registers. Which LFs share a turn the paper leaves open: here those of
// neighbouring lanes, so that l and h that share an entry read it in one instruction. Bound by: memory lines
// per base, and instructions: a turn has its loads and five shuffles or more.

namespace gpuseq::fm_index {

template <class Tuned>
class FullCooperativeSplit {
  using Index = Sampled<Tuned>;
  using D = Deal<Tuned>;
  static constexpr u32 lanes = D::lanes;
  static constexpr u32 entries = kWarp / lanes;  // of a turn
  static constexpr u32 active_flag = 1u << 16;   // above a word, which has at most 8 bits

 public:
  using Position = typename Index::Position;
  static constexpr bool whole_warp = true;

  struct Fetch {
    Position base;
    bool active;
  };

  GPUSEQ_HD FullCooperativeSplit(const SearchArguments& arguments, const ThreadPlace& place, u8*)
      : arguments_(arguments), dealt_(arguments, place), lane_(place.thread % kWarp) {}

  GPUSEQ_HD void fetch(Fetch& fetch, u32, u32 word, Position position, Position, bool active) const {
    fetch.active = active;
    fetch.base = 0;
    if (active) fetch.base = Index::counter_base(arguments_, Index::locate(word, position), word);
  }

  GPUSEQ_HD void advance(Fetch& fetch, u32, u32 word, Position& position, Position&) const {
    u32 counter = 0, rows = 0;
#pragma unroll 1
    for (u32 turn = 0; turn < lanes; ++turn) {
      const u32 owner = turn * entries + lane_ / lanes;
      const Position at_position = multicast(position, owner);
      const u32 of_owner = shuffle_from(word | (fetch.active ? active_flag : 0), owner, kWarp);
      const u32 at_word = of_owner & (active_flag - 1);
      const SampledAccess at = Index::locate(at_word, at_position);
      Piece pieces[D::rounds];
      dealt_.load(pieces, at, at.offset, at_word, (of_owner & active_flag) != 0);
      const u32 counted = sum_over_lanes<lanes>(dealt_.count(pieces, at_word, at, at)) & 0xffff;
      // Owner o of a turn takes from group o % entries.
      const u32 group = lane_ % entries * lanes;
      const u32 gathered_rows = shuffle_from(counted, group, kWarp);
      const u32 gathered_counter =
          shuffle_from(DealtEntry<Tuned>::counter(pieces, at_word), group + D::counter_lane, kWarp);
      if (lane_ / entries == turn) {
        rows = gathered_rows;
        counter = gathered_counter;
      }
    }
    const u32 forward = Index::locate(word, position).forward;
    position = Index::target(arguments_.index.dollar, word, position, fetch.base, counter, rows, forward);
  }

 private:
  /// The position of lane `owner`.
  GPUSEQ_HD static Position multicast(Position position, u32 owner) {
    const u32 low = shuffle_from(static_cast<u32>(position), owner, kWarp);
    if constexpr (sizeof(Position) == sizeof(u32)) {
      return low;
    } else {
      return Position{shuffle_from(static_cast<u32>(position >> 32), owner, kWarp)} << 32 | low;
    }
  }

  const SearchArguments& arguments_;
  DealtEntry<Tuned> dealt_;
  u32 lane_;
};

}  // namespace gpuseq::fm_index
