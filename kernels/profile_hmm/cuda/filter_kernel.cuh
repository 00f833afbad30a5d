#pragma once

#include "kernels/profile_hmm/cuda/filter_sequences.cuh"

// Raw scores of sequences by one of HMMER's filters: SSV, MSV or P7Viterbi.
//
// Mapping: `lanes` threads take a sequence and a warp takes as many sequences as fit, all advancing by one
// residue per step. The model is striped: with Q words per lane, state k is in word k mod Q, so that a cell's
// predecessor is the previous word; once per residue a shuffle moves the last words to the next lane. Warps
// take their sequences from a queue, the longest first, or in fixed order. No warp waits for another.
//
// Bound by: SSV and MSV by the shared-memory bandwidth for costs, 4 bytes for two cells; Viterbi by the
// additions and maxima, 10 instructions for two cells.
//
// Source: Jiang and Ganesan 2016 (algorithms 1-3), with a warp per sequence and 8-bit video instructions;
// Farrar 2007; HMMER 3.3.2.

namespace gpuseq::profile_hmm {

/// Copies a table into shared memory. On the host warps run one after the other, and each
/// copies the whole table.
GPUSEQ_HD void stage(const u32* from, u32* to, u32 words, const ThreadPlace& place, u32 threads) {
#if defined(__CUDA_ARCH__)
  const u32 first = place.thread, stride = threads;
#else
  const u32 first = place.thread % kWarp, stride = threads < kWarp ? threads : kWarp;
#endif
  for (u32 i = first; i < words; i += stride) to[i] = from[i];
}

/// The tables and the warp's rows in shared memory, if the policy puts them there.
struct Tables {
  const u32* costs;
  const u32* steps;
  u32* row;
  u32* residues;
};
template <class Tuned>
GPUSEQ_HD Tables lay_out(const FilterArguments& arguments, const ThreadPlace& place, u32* shared) {
  constexpr Policy policy = Tuned::value;
  const u32 words = WordCount<Tuned>(arguments)();
  u32* steps = shared + policy.shared_cost_words(words);
  u32* rows = steps + policy.shared_step_words(words);
  const u32 warp = place.thread / kWarp;
  Tables tables{
      arguments.costs, arguments.steps, rows + warp * policy.shared_row_words(words) + place.thread % kWarp,
      rows + policy.warps_per_block * policy.shared_row_words(words) + warp * policy.shared_residue_words()};
  if constexpr (policy.costs == Memory::shared) {
    stage(arguments.costs, shared, policy.cost_words(words), place, policy.threads_per_block());
    tables.costs = shared;
  }
  if constexpr (policy.steps == Memory::shared && policy.filter == Filter::viterbi) {
    stage(arguments.steps, steps, policy.step_words(words), place, policy.threads_per_block());
    tables.steps = steps;
  }
#if defined(__CUDA_ARCH__)
  __syncthreads();
#else
  sync_warp();
#endif
  return tables;
}

/// Scores all sequences of the launch; every thread calls it once.
/// @param shared  Policy::shared_words() words of shared memory, 16-byte aligned
template <class Tuned>
GPUSEQ_HD void filter(const FilterArguments& arguments, const ThreadPlace& place, u32* shared) {
  constexpr Policy policy = Tuned::value;
  const u32 lane = place.thread % kWarp, lane_of_group = lane % policy.lanes;
  const Tables tables = lay_out<Tuned>(arguments, place, shared);
  const Costs<Tuned> costs(arguments, tables.costs, policy.costs == Memory::registers ? lane : lane_of_group);
  Recurrence<Tuned> recurrence(arguments, place, tables.row, tables.steps);
  const u32 count = arguments.selected == nullptr ? arguments.entry_count : *arguments.selected_count;
  Turns<Tuned> turns(place);

#pragma unroll 1
  for (;;) {
    const u32 place_of_group = turns.next(arguments, lane) + lane / policy.lanes;
    if (!any_lane(place_of_group < count)) return;
    SequenceEntry entry{};
    u32 number = place_of_group;
    if (place_of_group < count) {
      if (arguments.selected != nullptr) number = arguments.selected[place_of_group];
      entry = arguments.entries[number];
    }
    if constexpr (policy.residues == Memory::shared) {
      follow_buffer<Tuned>(arguments, entry, tables.residues, lane, costs, recurrence);
    } else {
      const u32 chunks = (entry.residues + kChunk - 1) / kChunk;
      const u32 most = static_cast<u32>(greatest_of_warp(static_cast<i32>(chunks)));
      Residues residues(arguments.residues + u64{entry.chunk} * kChunk, chunks);
      recurrence.begin(entry);
      Piece ahead = residues.next();
#pragma unroll 1
      for (u32 chunk = 0; chunk < most; ++chunk) {
        // Like HMMER, stops at an overflow.
        if constexpr (kMayBeDecided<Tuned>)
          if (!any_lane(!recurrence.decided())) break;
        Piece piece = ahead;
        ahead = residues.next();
#pragma unroll 1
        for (u32 word = 0; word < kChunk / 4; ++word) {
#pragma unroll(policy.unroll)
          for (u32 byte = 0; byte < 4; ++byte)
            recurrence.row(costs.of(select_bytes(piece.word[0], 0, 0x4440 + byte)));
          piece = {{piece.word[1], piece.word[2], piece.word[3], 0}};
        }
      }
    }
    bool again = false;
    const i32 score = recurrence.finish(again);
    if (lane_of_group != 0 || place_of_group >= count) continue;
    arguments.scores[entry.index] = static_cast<i16>(score);
    if (again) arguments.again[fetch_add(arguments.again_count, 1)] = number;
  }
}

#if defined(__CUDACC__)
/// The body of a kernel with Tuned::value.threads_per_block() threads per block.
template <class Tuned>
__device__ __forceinline__ void filter_kernel(const FilterArguments& arguments) {
  extern __shared__ __align__(16) u32 shared[];
  filter<Tuned>(arguments, {threadIdx.x, blockIdx.x, gridDim.x}, shared);
}
#endif

}  // namespace gpuseq::profile_hmm
