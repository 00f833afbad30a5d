#pragma once

#include "kernels/fm_index/cuda/search_sampled.cuh"

// Memory-cooperative scheme (Chacon et al. 2013, section 4.2): lanes 2i and 2i + 1 follow l and h of one
// query. The warp copies the complete entries of its 32 LF steps to shared memory, neighbouring lanes taking
// neighbouring 16-byte pieces, then each thread counts from there. The entry of h is copied only where it is
// not that of l; as published (separate_entries), always. With alternate counters the next entry's counters
// are copied instead of the entry's own where they are the ones that the step needs. Bound by: bytes of
// whole entries, and by the warps that fit their entries into shared memory.

namespace gpuseq::fm_index {

template <class Tuned>
class MemoryCooperative {
  using Index = Sampled<Tuned>;
  static constexpr u32 k = Index::k;
  static constexpr u32 entry_pieces = Index::entry_bytes / 16;
  static constexpr u32 counter_pieces = Index::bitmap_offset / 16;
  static constexpr u32 next_counters = 1u << 31;  // above an entry's number, which is below 2^31

 public:
  using Position = typename Index::Position;
  static constexpr bool whole_warp = true;

  struct Fetch {
    SampledAccess at;
    Position base;
    const u8* slot;  // this thread's entry in shared memory
  };

  GPUSEQ_HD MemoryCooperative(const SearchArguments& arguments, const ThreadPlace& place, u8* shared)
      : arguments_(arguments), slots_(place, shared) {}

  GPUSEQ_HD void fetch(Fetch& fetch, u32 flight, u32 word, Position position, Position, bool active) const {
    fetch.at = Index::locate(word, position);
    fetch.base = 0;
    if (active) fetch.base = Index::counter_base(arguments_, fetch.at, word);
    const u32 source = fetch.at.entry | (~fetch.at.forward & next_counters);
    const u32 partner = shuffle_xor(source, 1);
    const u32 lane = slots_.lane();
    const bool apart = lane % 2 == 1 && (Tuned::value.separate_entries || source != partner);
    const u32 wanted = ballot(active && (lane % 2 == 0 || apart));
    copy_entries(flight, source, wanted, 0);
    if (wanted & 0xaaaaaaaa) copy_entries(flight, source, wanted, 1);
    fetch.slot = slots_.slot(flight, apart ? lane : lane & ~1u);
  }

  GPUSEQ_HD void advance(Fetch& fetch, u32, u32 word, Position& position, Position&) const {
    wait_for_copies();
    sync_warp();
    const u32 counter = reinterpret_cast<const u32*>(fetch.slot)[Index::counter_slot(word)];
    const Piece* pieces = reinterpret_cast<const Piece*>(fetch.slot + Index::bitmap_offset);
    u32 rows = 0;
#pragma unroll 4
    for (u32 chunk = 0; chunk < Index::chunks; ++chunk) {
      if (Index::needs_chunk(chunk, fetch.at.offset, fetch.at.forward))
        rows += Index::count_chunk(Index::match_chunk(pieces + chunk * k, word), chunk, fetch.at);
    }
    position =
        Index::target(arguments_.index.dollar, word, position, fetch.base, counter, rows, fetch.at.forward);
    sync_warp();  // the next copies may overwrite the slots
  }

 private:
  /// Copies the entries of the even (parity 0) or odd lanes.
  GPUSEQ_HD void copy_entries(u32 flight, u32 source, u32 wanted, u32 parity) const {
    slots_.template copy<entry_pieces, 2>(flight, parity, wanted, [&](u32 owner, u32 piece) {
      const u32 from = shuffle_from(source, owner, kWarp);
      u32 entry = from & ~next_counters;
      if (Index::alternate && (from & next_counters) && piece < counter_pieces) ++entry;
      return Index::entry_address(arguments_.index, entry) + 16 * piece;
    });
  }

  const SearchArguments& arguments_;
  WarpSlots<Tuned> slots_;
};

}  // namespace gpuseq::fm_index
