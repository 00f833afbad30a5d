#pragma once

#include "kernels/profile_hmm/filter.cuh"
#include "runtime/cuda/device/warp.cuh"

// What a filter kernel is compiled for, and what it is launched with.

namespace gpuseq::profile_hmm {

/// The numbers that cells are. video: the instructions of Jiang and Ganesan 2016 on sub-words that saturate,
/// 4 unsigned bytes a word (SSV, MSV) or 2 signed halves (Viterbi). s16x2, f16x2: 2 integers or halves that
/// do not; s32: one integer that is clamped.
enum class Arithmetic : u32 { video, s16x2, f16x2, s32 };

/// Where a sequence's row of the matrix is kept; where the costs or scores of match states and steps are
/// read.
enum class Memory : u32 { registers, shared, local, read_only };

/// Whether a row's maximum over the lanes is left out where no lane has a cell above all before.
enum class Reduction : u32 { skipped, each_row };
/// Viterbi: D -> D of a row is followed within a lane's words together with the row, or all of it after the
/// row, where a deletion can matter (lazy F, Farrar 2007).
enum class Deletions : u32 { in_row, lazy_f };
/// How costs and scores are loaded: four words at a time and, of rows in registers, ahead of their use; or
/// word by word.
enum class Loads : u32 { wide, words };

/// Residue codes have a row of costs each; one more row is for places past a sequence's end, where no cell
/// gains.
inline constexpr u32 kPad = 29;
inline constexpr u32 kCostRows = 30;
/// Words of a lane at most where a kernel learns their number when it runs.
inline constexpr u32 kMostLocalWords = 128;
/// Residues that a thread loads at a time.
inline constexpr u32 kChunk = 16;

/// The compile-time parameters of one kernel. kernels/profile_hmm/cuda/policy_space.cpp lists their values.
struct Policy {
  Filter filter = Filter::ssv;
  Arithmetic arithmetic = Arithmetic::f16x2;
  u32 lanes = 32;  // threads of a sequence: a power of two up to a warp
  Memory row = Memory::registers;
  Memory costs = Memory::shared;     // of match states
  Memory steps = Memory::registers;  // Viterbi: scores of transitions
  u32 words = 0;                     // of a lane's row; 0: known when the kernel runs
  u32 warps_per_block = 8;
  u32 unroll = 4;  // residues in a turn of the loop: 1, 2 or 4
  bool follow_j =
      true;  // MSV: rows are joined in J; else only the best cell of all, which says whether J matters
  /// Warps take sequences as far on as the launch has warps (Jiang and Ganesan 2016, I_next of "Four-tiered
  /// parallelism"), instead of the first that no warp has taken.
  bool static_assignment = false;
  Memory residues = Memory::registers;  // of a sequence: shared with a warp a sequence only
  Reduction reduction = Reduction::skipped;
  Deletions deletions = Deletions::in_row;
  Loads loads = Loads::wide;
  u32 resident_warps = 0;  // of a multiprocessor; 0: as many as the compiler leaves room for

  /// Whether a sequence's answer is its best cell: diagonals need nothing of each other then.
  GPUSEQ_HD constexpr bool best_cell_only() const {
    return filter == Filter::ssv || (filter == Filter::msv && !follow_j);
  }

  GPUSEQ_HD constexpr bool words_are_constant() const { return words != 0; }
  /// Turns of the loop over a lane's words that are written out.
  GPUSEQ_HD constexpr u32 words_unrolled() const { return row == Memory::registers ? words : 4; }
  /// States of a word.
  GPUSEQ_HD constexpr u32 states() const {
    if (arithmetic == Arithmetic::s32) return 1;
    return arithmetic == Arithmetic::video && filter != Filter::viterbi ? 4 : 2;
  }
  /// Bits of a state.
  GPUSEQ_HD constexpr u32 bits() const { return 32 / states(); }
  /// Words of a lane that a model takes: the number of stripes, Q.
  GPUSEQ_HD constexpr u32 words_for(u32 model_length) const {
    const u32 stripe = lanes * states();
    return (model_length + stripe - 1) / stripe;
  }
  /// Costs that one load brings: 4 where a quarter of a warp then reads 128 bytes from places side by side.
  /// Then a row of them is loaded ahead, for which Viterbi's three cells a state must leave registers.
  GPUSEQ_HD constexpr u32 load_words() const {
    if (loads == Loads::words || row != Memory::registers || costs == Memory::registers || lanes < 8)
      return 1;
    return filter == Filter::viterbi && words > 20 ? 1 : 4;
  }
  GPUSEQ_HD constexpr u32 groups() const { return kWarp / lanes; }
  GPUSEQ_HD constexpr u32 threads_per_block() const { return warps_per_block * kWarp; }
  /// Blocks of a multiprocessor that registers are left for.
  GPUSEQ_HD constexpr u32 resident_blocks() const {
    return resident_warps == 0 ? 1 : resident_warps / warps_per_block;
  }
  /// Cells that a state has in the row: match, or match, insert and delete.
  GPUSEQ_HD constexpr u32 cells_per_state() const { return filter == Filter::viterbi ? 3 : 1; }

  // Tables of costs: rows of `row_stride` words; those of steps: 8 words for each of a lane's words (as two
  // loads of 4, or each beside the other lanes'), and once more the last of each 8 by themselves.

  /// Place of a lane's word in a row of costs.
  GPUSEQ_HD constexpr u32 cost_place(u32 of_words, u32 word, u32 lane) const {
    const u32 width = load_words(), whole = of_words / width * width;
    if (word >= whole) return whole * lanes + (word - whole) * lanes + lane;
    return word / width * lanes * width + lane * width + word % width;
  }
  /// Words of a row of costs: such that rows start in different banks where the groups of a warp read
  /// different ones at once.
  GPUSEQ_HD constexpr u32 row_stride(u32 of_words) const {
    const u32 least = of_words * lanes, side_by_side = lanes * load_words();
    if (side_by_side >= kWarp) return (least + 3) / 4 * 4;
    const u32 over = least % kWarp;
    return least + (over <= side_by_side ? side_by_side - over : kWarp - over + side_by_side);
  }
  GPUSEQ_HD constexpr u32 cost_words(u32 of_words) const { return kCostRows * row_stride(of_words); }
  GPUSEQ_HD constexpr u32 step_place(u32 word, u32 step, u32 lane) const {
    if (loads == Loads::words) return (word * kSteps + step) * lanes + lane;
    return (word * 2 + step / 4) * lanes * 4 + lane * 4 + step % 4;
  }
  GPUSEQ_HD constexpr u32 delete_place(u32 of_words, u32 word, u32 lane) const {
    return of_words * lanes * kSteps + word * lanes + lane;
  }
  GPUSEQ_HD constexpr u32 step_words(u32 of_words) const {
    return filter == Filter::viterbi ? of_words * lanes * (kSteps + 1) : 0;
  }

  /// Shared memory of a block, in words: costs, steps, rows, residues.
  GPUSEQ_HD constexpr u32 shared_cost_words(u32 of_words) const {
    return costs == Memory::shared ? (cost_words(of_words) + 3) / 4 * 4 : 0;
  }
  GPUSEQ_HD constexpr u32 shared_step_words(u32 of_words) const {
    return steps == Memory::shared ? (step_words(of_words) + 3) / 4 * 4 : 0;
  }
  GPUSEQ_HD constexpr u32 shared_row_words(u32 of_words) const {
    return row == Memory::shared ? of_words * kWarp * cells_per_state() : 0;
  }
  /// Four residues of a thread.
  GPUSEQ_HD constexpr u32 shared_residue_words() const { return residues == Memory::shared ? kWarp : 0; }
  GPUSEQ_HD constexpr u32 shared_words(u32 of_words) const {
    return shared_cost_words(of_words) + shared_step_words(of_words) +
           warps_per_block * (shared_row_words(of_words) + shared_residue_words());
  }
};

/// A sequence as the kernels read it.
struct SequenceEntry {
  u32 chunk;     // its first in FilterArguments::residues
  u32 residues;  // at least 1
  u32 index;     // of its score
  u16 jump;      // bytes: cost of N, J or C -> B; kExact on top: only exact arithmetic may score it
  i16 move;      // words: score of the same
};
inline constexpr u16 kExact = 0x8000;

/// The single argument of every filter kernel; pointers are to device memory.
struct FilterArguments {
  const u32* costs;              // cost_words(words)
  const u32* steps;              // step_words(words), Viterbi
  const u8* residues;            // codes, each sequence from a chunk's start on and filled up with kPad
  const SequenceEntry* entries;  // in the order in which they are taken
  const u32* selected;           // entries to be scored, or null: all
  const u32* selected_count;     // with `selected`
  u32* next;                     // the queue: first entry that no warp has taken
  u32* again;        // entries whose scores another kernel has to make (s16x2, J not followed) ...
  u32* again_count;  // ... and their number
  i16* scores;       // raw scores, by SequenceEntry::index
  u32 entry_count;
  u32 words;
  // Bytes (profile.hpp).
  i32 base;
  i32 bias;
  i32 begin_match;
  i32 end;
  // Words.
  i32 word_base;
  i32 end_loop;
  i32 end_move;
  i32 delete_bound;
  i32 floor;     // no cell that matters is lower
  i32 safe_top;  // s16x2: as long as no match state exceeds it, sums stay within 16 bits
};

}  // namespace gpuseq::profile_hmm
