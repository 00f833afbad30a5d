#pragma once

#include "kernels/profile_hmm/cuda/filter_viterbi.cuh"

// Assignment of sequences to a warp's groups, and delivery of their residues to the rows.

namespace gpuseq::profile_hmm {

/// The entries that a warp's groups take one after the other: from a queue shared by all warps.
template <class Tuned, bool is_static = Tuned::value.static_assignment>
class Turns {
 public:
  GPUSEQ_HD explicit Turns(const ThreadPlace&) {}
  /// @param lane  within the warp
  /// @return the index of the first group's entry; those of the other groups follow
  GPUSEQ_HD u32 next(const FilterArguments& arguments, u32 lane) {
    const u32 taken = lane == 0 ? fetch_add(arguments.next, Tuned::value.groups()) : 0;
    return shuffle_from(taken, 0, kWarp);
  }
};

/// The next entries are as far on as the launch's warps take at once.
template <class Tuned>
class Turns<Tuned, true> {
 public:
  GPUSEQ_HD explicit Turns(const ThreadPlace& place)
      : next_((place.block * Tuned::value.warps_per_block + place.thread / kWarp) * Tuned::value.groups()),
        at_once_(place.blocks * Tuned::value.warps_per_block * Tuned::value.groups()) {}
  GPUSEQ_HD u32 next(const FilterArguments&, u32) {
    const u32 now = next_;
    next_ += at_once_;
    return now;
  }

 private:
  u32 next_, at_once_;
};

/// Four positions after a sequence's end.
inline constexpr u32 kPads = kPad * 0x1010101;

/// Residues of a lane's sequence, 16 at a time, and pads after its end.
class Residues {
 public:
  GPUSEQ_HD Residues(const u8* first, u32 chunks) : at_(first), left_(chunks) {}
  GPUSEQ_HD Piece next() {
    Piece piece{{kPads, kPads, kPads, kPads}};
    if (left_ > 0) {
      piece = load_piece<true>(at_);
      at_ += kChunk;
      --left_;
    }
    return piece;
  }

 private:
  const u8* at_;
  u32 left_;
};

/// Whether the result may be known before a sequence's end because it overflows.
template <class Tuned>
inline constexpr bool kMayBeDecided = kKind<Tuned> != Kind::best_cell;

/// Scores a warp's sequence; the caller calls finish(). Its lanes copy four residues each into a buffer in
/// shared memory, and all lanes read the 128 residues from it (Jiang and Ganesan 2016, algorithm 1, line 4).
/// @param buffer  kWarp words of this warp alone
template <class Tuned>
GPUSEQ_HD void follow_buffer(const FilterArguments& arguments, const SequenceEntry& entry, u32* buffer,
                             u32 lane, const Costs<Tuned>& costs, Recurrence<Tuned>& recurrence) {
  constexpr Policy policy = Tuned::value;
  static_assert(policy.lanes == kWarp);
  const u8* first = arguments.residues + u64{entry.chunk} * kChunk;
  const u32 words = (entry.residues + 3) / 4;
  recurrence.begin(entry);
#pragma unroll 1
  for (u32 done = 0; done < words; done += kWarp) {
    if constexpr (kMayBeDecided<Tuned>)
      if (!any_lane(!recurrence.decided())) return;
    const u32 left = words - done;
    sync_warp();  // until all lanes have read the old residues
    buffer[lane] = lane < left ? load_word<true>(first + 4 * u64{done + lane}) : kPads;
    sync_warp();
#pragma unroll 1
    for (u32 word = 0; word < (left < kWarp ? left : kWarp); ++word) {
      const u32 four = buffer[word];
#pragma unroll(policy.unroll)
      for (u32 byte = 0; byte < 4; ++byte) {
        recurrence.row(costs.of(select_bytes(four, 0, 0x4440 + byte)));
        if constexpr (kMayBeDecided<Tuned> && kReducesRows<Tuned>)
          if (recurrence.decided()) return;
      }
    }
  }
}

}  // namespace gpuseq::profile_hmm
