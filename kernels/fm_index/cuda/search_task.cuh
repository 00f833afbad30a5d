#pragma once

#include "kernels/fm_index/cuda/search_sampled.cuh"

// Task-parallel schemes (Chacon et al. 2013, section 4.1): a thread makes whole LF steps by itself.
//   task_parallel        l and h of one query, 4-byte loads
//   task_parallel_16b    the same, 16-byte loads
//   task_parallel_split  lanes 2i and 2i + 1 take l and h of one query, 16-byte loads; where both read the
//                        same entry, the load unit merges the two
// A thread loads the one counter of its word and the chunks up to its row. Where l and h fall into one entry,
// a thread that follows both reads it once. The paper's threads do neither: separate_entries has l and h be
// two LFs (section 5.3.1, 'two LF operations'), whole_entries has all chunks be read (figure 4.a, 'a full
// index entry'). Bound by: 32-byte sectors per base, and the L1's rate of one line a clock for scattered
// loads.

namespace gpuseq::fm_index {

template <class Tuned>
class TaskParallel {
  using Index = Sampled<Tuned>;
  static constexpr u32 k = Index::k;
  static constexpr u32 positions = Tuned::value.one_position() ? 1 : 2;
  /// Chunks loaded ahead of counting: about a dozen 16-byte pieces a thread, over all queries in flight.
  static constexpr u32 budget = 12 / (positions * k * Tuned::value.queries_in_flight);
  static constexpr u32 batch = budget == 0 ? 1 : budget < Index::chunks ? budget : Index::chunks;

 public:
  using Position = typename Index::Position;
  static constexpr bool whole_warp = false;

  struct Fetch {
    SampledAccess at[positions];
    u32 limit[positions];
    u32 counter[positions];
    Position base[positions];
    Piece pieces[positions][batch * k];
    bool load[positions];  // false: idle, or h shares the entry of l
    bool joint;
  };

  GPUSEQ_HD TaskParallel(const SearchArguments& arguments, const ThreadPlace&, u8*) : arguments_(arguments) {}

  GPUSEQ_HD void fetch(Fetch& fetch, u32, u32 word, Position l, Position h, bool active) const {
    fetch.at[0] = Index::locate(word, l);
    fetch.limit[0] = fetch.at[0].offset;
    fetch.load[0] = active;
    fetch.joint = false;
    if constexpr (positions == 2) {
      fetch.at[1] = Index::locate(word, h);
      fetch.limit[1] = fetch.at[1].offset;
      if constexpr (!Tuned::value.separate_entries) fetch.joint = fetch.at[0].entry == fetch.at[1].entry;
      fetch.load[1] = active && !fetch.joint;
      if (fetch.joint) fetch.limit[0] = Index::joint_limit(fetch.at[0], fetch.at[1]);
    }
#pragma unroll
    for (u32 p = 0; p < positions; ++p) {
      fetch.counter[p] = 0;
      fetch.base[p] = 0;
      if (fetch.load[p]) {
        fetch.counter[p] = Index::load_counter(arguments_.index, fetch.at[p], word);
        fetch.base[p] = Index::counter_base(arguments_, fetch.at[p], word);
      }
    }
    load_batch(fetch, 0);
  }

  GPUSEQ_HD void advance(Fetch& fetch, u32, u32 word, Position& l, Position& h) const {
    u32 rows[positions] = {};
    count_batch(fetch, 0, word, rows);
    if constexpr (batch < Index::chunks) {
#pragma unroll 1
      for (u32 chunk = batch; chunk < Index::chunks; chunk += batch) {
        load_batch(fetch, chunk);
        count_batch(fetch, chunk, word, rows);
      }
    }
    l = Index::target(arguments_.index.dollar, word, l, fetch.base[0], fetch.counter[0], rows[0],
                      fetch.at[0].forward);
    if constexpr (positions == 2) {
      if (fetch.joint) {
        fetch.base[1] = fetch.base[0];
        fetch.counter[1] = fetch.counter[0];
      }
      h = Index::target(arguments_.index.dollar, word, h, fetch.base[1], fetch.counter[1], rows[1],
                        fetch.at[1].forward);
    }
  }

 private:
  GPUSEQ_HD static bool exists(u32 chunk) {
    return Index::chunks % batch == 0 || chunk < Index::chunks;
  }

  GPUSEQ_HD void load_batch(Fetch& fetch, u32 first_chunk) const {
#pragma unroll
    for (u32 p = 0; p < positions; ++p) {
      const u8* bitmap = Index::entry_address(arguments_.index, fetch.at[p].entry) + Index::bitmap_offset;
#pragma unroll
      for (u32 c = 0; c < batch; ++c) {
        const u32 chunk = first_chunk + c;
        const bool wanted =
            fetch.load[p] && exists(chunk) && Index::needs_chunk(chunk, fetch.limit[p], fetch.at[p].forward);
#pragma unroll
        for (u32 j = 0; j < k; ++j) {
          fetch.pieces[p][c * k + j] = Piece{};
          if (wanted) fetch.pieces[p][c * k + j] = load(bitmap + chunk * Index::chunk_bytes + 16 * j);
        }
      }
    }
  }

  GPUSEQ_HD void count_batch(const Fetch& fetch, u32 first_chunk, u32 word, u32 (&rows)[positions]) const {
#pragma unroll
    for (u32 c = 0; c < batch; ++c) {
      const u32 chunk = first_chunk + c;
      if (!exists(chunk)) break;
      const Match l = Index::match_chunk(fetch.pieces[0] + c * k, word);
      rows[0] += Index::count_chunk(l, chunk, fetch.at[0]);
      if constexpr (positions == 2) {
        Match h = Index::match_chunk(fetch.pieces[1] + c * k, word);
        if (fetch.joint) h = l;
        rows[1] += Index::count_chunk(h, chunk, fetch.at[1]);
      }
    }
  }

  GPUSEQ_HD static Piece load(const u8* address) {
    Piece piece;
    if constexpr (Tuned::value.scheme == Scheme::task_parallel) {
#pragma unroll
      for (u32 i = 0; i < 4; ++i) piece.word[i] = load_word<Index::in_l1>(address + 4 * i);
    } else {
      piece = load_piece<Index::in_l1>(address);
    }
    return piece;
  }

  const SearchArguments& arguments_;
};

}  // namespace gpuseq::fm_index
