#pragma once

#include "kernels/exact_match/data/tree.cuh"

// Compile-time parameters and launch arguments of the kernels that search a suffix tree.

namespace gpuseq::exact_match {

/// Access to nodes and text. texture_2d: two textures of nodes (half a node each) and one of the text, all
/// two-dimensional, as in the paper. texture_linear: the same in linear memory. global: read-only loads;
/// letters of a plain text are compared eight at a time.
enum class MemoryPath : u32 { global, texture_linear, texture_2d };

/// Nodes in a 2D texture are in square blocks of consecutive numbers (the paper's 32 x 32 texels).
inline constexpr u32 kBlockSide = 32;
inline constexpr u32 kBlocksAcross = 128;
/// Texts in 2D order: four letters down a column, columns left to right, then the next four rows.
inline constexpr u32 kTextColumns = 65536;

struct Texel {
  u32 x, y;
};
/// The texels of a node.
GPUSEQ_HD constexpr Texel node_texel(u32 node) {
  const u32 block = node / (kBlockSide * kBlockSide), inside = node % (kBlockSide * kBlockSide);
  return {block % kBlocksAcross * kBlockSide + inside % kBlockSide,
          block / kBlocksAcross * kBlockSide + inside / kBlockSide};
}
/// The texel of a letter in 2D order; in linear memory at y * kTextColumns + x.
GPUSEQ_HD constexpr Texel text_texel(u32 position) {
  return {position / 4 % kTextColumns, position / (4 * kTextColumns) * 4 + position % 4};
}

/// The compile-time parameters of one kernel.
struct MatchPolicy {
  MemoryPath memory = MemoryPath::global;
  bool text_2d = false;  // the text is in 2D order, which a 2D texture requires
  bool words = false;    // uses a prefix table and a k-mer filter (tree_words)
  bool listed = false;   // the kernel lists matches; otherwise it writes slots
  // Leaves are nodes (the paper; data/leaf_nodes.hpp), and no arrays about leaves are read.
  bool leaf_nodes = false;
  // If letters known to match end within an edge, compares the next letter, which is known to
  // differ (the paper).
  bool compared_ends = false;
  // Reverse complements are computed when the letters of queries are read (the paper); otherwise they are
  // uploaded as separate strands.
  bool computed = false;
  u32 lanes = 1;      // threads that share a strand, each for a part of its positions
  u32 threads = 128;  // threads per block
};

/// Matches in the form that kernels list, which MatchList uses too.
struct FoundMatch {
  u32 reference, query, length;
};

/// The single argument of every kernel; pointers are to device memory.
///
/// A task is a lane's part of a strand: task = strand * lanes + lane. Lane i of a strand with n slots
/// computes those from n * i / lanes to n * (i + 1) / lanes. A thread does one task: a launch has as many
/// threads, rounded up to blocks.
///
/// Letters and a plain text are read in aligned 4-byte words: their arrays are 4-byte aligned, and the word
/// with the last byte of their padding is readable.
struct MatchArguments {
  TreeView tree;                                  // global: all arrays. Textures: text and nodes are not read
  u64 node_texture, child_texture, text_texture;  // 0: none
  const Slot* prefixes;                           // k-mers: [4^prefix_letters], or prefix_letters is 0
  const u64* filter;                              // k-mers: [4^filter_letters] bits, or filter_letters is 0
  u32 prefix_letters, filter_letters;
  u32 min_length;
  u32 unique;              // 1: only matches that are unique in the text (Mode::mumreference, Mode::mum)
  u32 own_begin, own_end;  // listed: range of the text in which matches must begin

  const u8* letters;     // codes of all strands, kNoBase before and after each; kTextPadding more at the end
  const u64* begin;      // [strands + 1] the first letter of each strand; it ends at begin[strand + 1] - 1.
                         // computed: for each query, whose reverse complement is its second strand
  const u32* strand_at;  // [strands] order in which threads take strands; nullptr: ascending
  u32 strands;
  u32 strands_of_query;  // computed: 1 or 2

  Slot* slots;            // slots: [slot_begin[strands]], all written
  const u64* slot_begin;  // slots: [strands + 1]

  FoundMatch* matches;  // listed: those of a task from task * kept, or from match_begin[i] of its list
  u32* counts;          // listed: [strands * lanes] matches of each task, including those not kept
  u32 kept;             // listed: matches kept per task; further ones are only counted
  // Listed, for tasks that had more matches than kept; nullptr: all tasks, `kept` each.
  const u32* tasks;        // [task_count] numbers of the tasks
  const u64* match_begin;  // [task_count] index of each task's first match
  u32 task_count;
};

}  // namespace gpuseq::exact_match
