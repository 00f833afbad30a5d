#pragma once

#include "kernels/profile_hmm/filter.cuh"
#include "runtime/cuda/device/warp.cuh"

// Compile-time parameters and launch arguments of the filter kernels.

namespace gpuseq::profile_hmm {

/// The number type of cells. video: the saturating sub-word instructions of Jiang and Ganesan 2016, with 4
/// unsigned bytes per word (SSV, MSV) or 2 signed halves (Viterbi). s16x2, f16x2: 2 integers or halves that
/// do not saturate; s32: one clamped integer.
enum class Arithmetic : u32 { video, s16x2, f16x2, s32 };

/// Memory of a sequence's row of the matrix, and of the costs or scores of match states and steps.
enum class Memory : u32 { registers, shared, local, read_only };

/// Whether the maximum over the lanes is skipped in rows without a cell above all earlier ones.
enum class Reduction : u32 { skipped, each_row };
/// Viterbi: D -> D of a row is computed with the row within a lane's words, or completely after the row if a
/// deletion can matter (lazy F, Farrar 2007).
enum class Deletions : u32 { in_row, lazy_f };
/// Loads of costs and scores: four words at a time and, for rows in registers, before their
/// use; or word by word.
enum class Loads : u32 { wide, words };

/// Each residue code has a row of costs; an additional row is for positions after a sequence's end,
/// where no cell gains.
inline constexpr u32 kPad = 29;
inline constexpr u32 kCostRows = 30;
/// Most words per lane if the kernel reads their number at run time.
inline constexpr u32 kMostLocalWords = 128;
/// Residues that a thread loads at a time.
inline constexpr u32 kChunk = 16;

/// The compile-time parameters of one kernel. kernels/profile_hmm/cuda/policy_space.cpp lists their values.
struct Policy {
  Filter filter = Filter::ssv;
  Arithmetic arithmetic = Arithmetic::f16x2;
  u32 lanes = 32;  // threads per sequence: a power of two up to a warp
  Memory row = Memory::registers;
  Memory costs = Memory::shared;     // memory of the costs of match states
  Memory steps = Memory::registers;  // Viterbi: memory of the scores of transitions
  u32 words = 0;                     // words of a lane's row; 0: known at run time
  u32 warps_per_block = 8;
  u32 unroll = 4;  // residues per loop iteration: 1, 2 or 4
  bool follow_j =
      true;  // MSV: rows are joined in J; false: only the best cell of all, which shows whether J matters
  /// A warp's next sequence is as far on as the launch has warps (Jiang and Ganesan 2016, I_next of
  /// "Four-tiered parallelism"), instead of the first sequence that is not taken yet.
  bool static_assignment = false;
  Memory residues = Memory::registers;  // memory of a sequence's residues; shared only with
                                        // a warp per sequence
  Reduction reduction = Reduction::skipped;
  Deletions deletions = Deletions::in_row;
  Loads loads = Loads::wide;
  u32 resident_warps = 0;  // warps per multiprocessor; 0: as many as the compiler allows

  /// Whether the result of a sequence is its best cell: then diagonals are independent.
  GPUSEQ_HD constexpr bool best_cell_only() const {
    return filter == Filter::ssv || (filter == Filter::msv && !follow_j);
  }

  GPUSEQ_HD constexpr bool words_are_constant() const { return words != 0; }
  /// Unroll factor of the loop over a lane's words.
  GPUSEQ_HD constexpr u32 words_unrolled() const { return row == Memory::registers ? words : 4; }
  /// States per word.
  GPUSEQ_HD constexpr u32 states() const {
    if (arithmetic == Arithmetic::s32) return 1;
    return arithmetic == Arithmetic::video && filter != Filter::viterbi ? 4 : 2;
  }
  /// Bits per state.
  GPUSEQ_HD constexpr u32 bits() const { return 32 / states(); }
  /// Words per lane for a model: the number of stripes, Q.
  GPUSEQ_HD constexpr u32 words_for(u32 model_length) const {
    const u32 stripe = lanes * states();
    return (model_length + stripe - 1) / stripe;
  }
  /// Costs per load: 4 if a quarter of a warp then reads 128 consecutive bytes. A row of costs is then loaded
  /// in advance, if Viterbi's three cells per state leave enough registers.
  GPUSEQ_HD constexpr u32 load_words() const {
    if (loads == Loads::words || row != Memory::registers || costs == Memory::registers || lanes < 8)
      return 1;
    return filter == Filter::viterbi && words > 20 ? 1 : 4;
  }
  GPUSEQ_HD constexpr u32 groups() const { return kWarp / lanes; }
  GPUSEQ_HD constexpr u32 threads_per_block() const { return warps_per_block * kWarp; }
  /// Blocks per multiprocessor for which the compiler limits registers.
  GPUSEQ_HD constexpr u32 resident_blocks() const {
    return resident_warps == 0 ? 1 : resident_warps / warps_per_block;
  }
  /// Cells per state in the row: match, or match, insert and delete.
  GPUSEQ_HD constexpr u32 cells_per_state() const { return filter == Filter::viterbi ? 3 : 1; }

  // Cost tables have rows of `row_stride` words. Step tables have 8 words for each of a lane's words (as two
  // loads of 4, or interleaved over the lanes), and then a copy of the last of each 8.

  /// Index of a lane's word in a row of costs.
  GPUSEQ_HD constexpr u32 cost_place(u32 of_words, u32 word, u32 lane) const {
    const u32 width = load_words(), whole = of_words / width * width;
    if (word >= whole) return whole * lanes + (word - whole) * lanes + lane;
    return word / width * lanes * width + lane * width + word % width;
  }
  /// Words of a row of costs, padded so that rows start in different banks if the groups of a warp read
  /// different rows at once.
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
  /// Four residues per thread.
  GPUSEQ_HD constexpr u32 shared_residue_words() const { return residues == Memory::shared ? kWarp : 0; }
  GPUSEQ_HD constexpr u32 shared_words(u32 of_words) const {
    return shared_cost_words(of_words) + shared_step_words(of_words) +
           warps_per_block * (shared_row_words(of_words) + shared_residue_words());
  }
};

/// A sequence as the kernels read it.
struct SequenceEntry {
  u32 chunk;     // its first chunk in FilterArguments::residues
  u32 residues;  // at least 1
  u32 index;     // index of its score
  u16 jump;      // bytes: cost of N, J or C -> B; with kExact only exact arithmetic may score it
  i16 move;      // words: score of N, J or C -> B
};
inline constexpr u16 kExact = 0x8000;

/// The single argument of every filter kernel; pointers are to device memory.
struct FilterArguments {
  const u32* costs;              // cost_words(words)
  const u32* steps;              // step_words(words), Viterbi
  const u8* residues;            // codes; each sequence starts at a chunk and is filled up with kPad
  const SequenceEntry* entries;  // in the order in which warps take them
  const u32* selected;           // entries to score; null: all
  const u32* selected_count;     // number of `selected`
  u32* next;                     // the queue: index of the first entry that is not taken
  u32* again;                    // entries that another kernel has to score (s16x2, J not followed) ...
  u32* again_count;              // ... and their number
  i16* scores;                   // raw scores, by SequenceEntry::index
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
  i32 floor;     // cells below it do not matter
  i32 safe_top;  // s16x2: sums stay within 16 bits while no match state exceeds it
};

}  // namespace gpuseq::profile_hmm
