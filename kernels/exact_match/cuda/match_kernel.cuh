#pragma once

#include "kernels/exact_match/cuda/match_traversal.cuh"

// Maximal matches of strands by a traversal of a suffix tree, or the slots from which the host lists them.
//
// Mapping: a thread has one task, which is all positions of a strand, or a lane's part of them. Lanes of a
// strand are adjacent. There are as many threads as tasks: a loop over tasks would need registers and so
// reduce the resident threads.
//
// Bound by: the latency of each thread's dependent reads of nodes, so by the number of resident threads; then
// by random 32-byte sectors.
//
// Source: Schatz, Trapnell, Delcher and Varshney 2007 (MUMmerGPU): a thread per query, results per position;
// listing matches in the kernel is our addition.

namespace gpuseq::exact_match {

/// Writes the slot of every position.
class SlotOutput {
 public:
  GPUSEQ_HD explicit SlotOutput(Slot* slots) : slots_(slots) {}
  GPUSEQ_HD void slot(u32 position, Slot slot) const {
#if defined(__CUDA_ARCH__)
    reinterpret_cast<uint2*>(slots_)[position] = make_uint2(slot.node, slot.length);
#else
    slots_[position] = slot;
#endif
  }
  GPUSEQ_HD void none(u32 position) const {
    slot(position, {kNoNode, 0});
  }
  GPUSEQ_HD static constexpr bool wants(u32) {
    return true;
  }

 private:
  Slot* slots_;
};

/// Lists the matches at positions of a strand, as list_matches() does, but unsorted within a position.
template <class Memory>
class MatchOutput {
 public:
  /// @param matches  space for `kept`
  GPUSEQ_HD MatchOutput(const MatchArguments& arguments, Memory& memory, const u8* letters,
                        FoundMatch* matches, u32 kept)
      : arguments_(arguments), memory_(memory), letters_(letters), matches_(matches), kept_(kept) {}

  GPUSEQ_HD void none(u32) const {}
  /// Whether other suffixes share min_length letters with a leaf that its strand follows along the text.
  GPUSEQ_HD bool wants(u32 leaf_depth) const { return arguments_.unique == 0 && leaf_depth >= least_depth(); }
  GPUSEQ_HD u32 count() const { return count_; }

  GPUSEQ_HD void slot(u32 position, Slot slot) {
    position_ = position;
    left_ = memory_.letter(letters_ + position - 1);
    const bool leaf = is_leaf(slot.node);
    const u32 place = leaf_position(slot.node);
    if (leaf) add(place, slot.length);
    if (arguments_.unique != 0) return;
    LeafRange done{0, 0};  // leaves below the previous node of the walk up
    u32 above;
    if (leaf) {
      if (memory_.leaf_depth(place) < least_depth()) return;
      above = memory_.leaf_parent(place);
    } else {
      done = memory_.range(slot.node);
      add_leaves(done.first, done.first + done.count, kLeafBit, slot.length);
      above = memory_.links(slot.node).parent;
    }
    for (u32 listed = leaf ? place : kLeafBit;; listed = kLeafBit) {
      const NodeLinks node = memory_.links(above);
      if (node.depth < arguments_.min_length) return;
      const LeafRange range = memory_.range(above);
      if (listed != kLeafBit) done = {range.first, 0};
      add_leaves(range.first, done.first, kLeafBit, node.depth);
      add_leaves(done.first + done.count, range.first + range.count, listed, node.depth);
      done = range;
      above = node.parent;
    }
  }

 private:
  /// Smaller values of leaf_depth are less than min_length; 255 means 255 or more.
  GPUSEQ_HD u32 least_depth() const { return arguments_.min_length < 255 ? arguments_.min_length : 255; }

  /// Adds the leaves of ranks [begin, end) except `but`.
  GPUSEQ_HD void add_leaves(u32 begin, u32 end, u32 but, u32 length) {
    for (u32 rank = begin; rank < end; ++rank) {
      const u32 place = memory_.leaf(rank);
      if (place != but) add(place, length);
    }
  }
  GPUSEQ_HD void add(u32 place, u32 length) {
    if (place < arguments_.own_begin || place >= arguments_.own_end) return;
    if (memory_.text(place - 1) == left_) return;  // extends to the left
    if (count_ < kept_) matches_[count_] = {place, position_, length};
    ++count_;
  }

  const MatchArguments& arguments_;
  Memory& memory_;
  const u8* letters_;
  FoundMatch* matches_;
  u32 kept_;
  u32 count_ = 0;
  u32 position_ = 0;
  u8 left_ = 0;  // the strand's letter before the position
};

/// A task: positions of a strand.
struct MatchTask {
  u64 number;
  u32 strand, lane;
};

/// The task with index `turn`. Second launches have a list of tasks; others take strands in order.
template <class Tuned>
GPUSEQ_HD MatchTask task_of(const MatchArguments& arguments, u64 turn) {
  constexpr u32 lanes = Tuned::value.lanes;
  if (Tuned::value.listed && arguments.tasks != nullptr) {
    const u32 number = load_number(arguments.tasks + turn);
    return {number, number / lanes, number % lanes};
  }
  u32 strand = static_cast<u32>(turn / lanes);
  const u32 lane = static_cast<u32>(turn % lanes);
  if (arguments.strand_at != nullptr) strand = load_number(arguments.strand_at + strand);
  return {u64{strand} * lanes + lane, strand, lane};
}

GPUSEQ_HD u64 load_long(const u64* address) {
  return load_eight(reinterpret_cast<const u8*>(address));
}

template <class Tuned>
GPUSEQ_HD void match_task(const MatchArguments& arguments, u64 turn) {
  constexpr MatchPolicy policy = Tuned::value;
  const MatchTask task = task_of<Tuned>(arguments, turn);
  const u32 query = policy.computed ? task.strand >> (arguments.strands_of_query - 1) : task.strand;
  const u64 begin = load_long(arguments.begin + query);
  const u32 length = static_cast<u32>(load_long(arguments.begin + query + 1) - 1 - begin);
  const u32 slots = length < arguments.min_length ? 0 : length - arguments.min_length + 1;
  const u32 first = static_cast<u32>(u64{slots} * task.lane / policy.lanes);
  const u32 end = static_cast<u32>(u64{slots} * (task.lane + 1) / policy.lanes);
  const u8* letters = arguments.letters + begin;
  DeviceMemory<Tuned> memory(arguments, {letters, length, task.strand > query * arguments.strands_of_query});
  if constexpr (policy.listed) {
    const bool again = arguments.tasks != nullptr;
    FoundMatch* matches = arguments.matches;
    matches += again ? load_long(arguments.match_begin + turn) : task.number * arguments.kept;
    MatchOutput output(arguments, memory, letters, matches, again ? ~0u : arguments.kept);
    Traversal(memory, output, letters, arguments.min_length).run(first, end);
    if (!again) arguments.counts[task.number] = output.count();
  } else {
    SlotOutput output(arguments.slots + load_long(arguments.slot_begin + task.strand));
    Traversal(memory, output, letters, arguments.min_length).run(first, end);
  }
}

/// The task of a thread, if there is one.
template <class Tuned>
GPUSEQ_HD void match_thread(const MatchArguments& arguments, const ThreadPlace& place) {
  constexpr MatchPolicy policy = Tuned::value;
  u64 tasks = u64{arguments.strands} * policy.lanes;
  if (policy.listed && arguments.tasks != nullptr) tasks = arguments.task_count;
  const u64 turn = u64{place.block} * policy.threads + place.thread;
  if (turn < tasks) match_task<Tuned>(arguments, turn);
}

#if defined(__CUDACC__)
/// The body of a kernel with MatchPolicy::threads threads per block.
template <class Tuned>
__device__ __forceinline__ void match_kernel(const MatchArguments& arguments) {
  match_thread<Tuned>(arguments, {threadIdx.x, blockIdx.x, gridDim.x});
}
#endif

}  // namespace gpuseq::exact_match
