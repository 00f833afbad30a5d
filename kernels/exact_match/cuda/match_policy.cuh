#pragma once

#include "kernels/exact_match/data/tree.cuh"

// What a kernel that searches a suffix tree is compiled for, and what it is launched with.

namespace gpuseq::exact_match {

/// How kernels read nodes and text. texture_2d: two textures of nodes (half a node in each) and one of the
/// text, all two-dimensional, as the paper has them. texture_linear: the same from linear memory. global: by
/// the read-only path; letters are compared eight at a time where the text is plain.
enum class MemoryPath : u32 { global, texture_linear, texture_2d };

/// Nodes in a 2D texture lie in square blocks of consecutive numbers (the paper's 32 x 32 texels).
inline constexpr u32 kBlockSide = 32;
inline constexpr u32 kBlocksAcross = 128;
/// Texts in 2D order: four letters down a column, columns left to right, then the next four rows.
inline constexpr u32 kTextColumns = 65536;

struct Texel {
  u32 x, y;
};
/// Where the texels of a node are.
GPUSEQ_HD constexpr Texel node_texel(u32 node) {
  const u32 block = node / (kBlockSide * kBlockSide), inside = node % (kBlockSide * kBlockSide);
  return {block % kBlocksAcross * kBlockSide + inside % kBlockSide,
          block / kBlocksAcross * kBlockSide + inside / kBlockSide};
}
/// Where a letter is in 2D order; in linear memory at y * kTextColumns + x.
GPUSEQ_HD constexpr Texel text_texel(u32 position) {
  return {position / 4 % kTextColumns, position / (4 * kTextColumns) * 4 + position % 4};
}

/// The compile-time parameters of one kernel.
struct MatchPolicy {
  MemoryPath memory = MemoryPath::global;
  bool text_2d = false;  // the text is in 2D order; a 2D texture has no other
  bool words = false;    // a prefix table and a word filter (tree_words)
  bool listed = false;   // matches are listed at once; else slots are written
  // Leaves are nodes (the paper; data/leaf_nodes.hpp), and nothing is read about them elsewhere.
  bool leaf_nodes = false;
  // Where letters that are known to match end within an edge, the one behind them is compared (the paper),
  // though it is known not to.
  bool compared_ends = false;
  // Reverse complements are what the letters of queries are taken for as they are read (the paper); else they
  // are uploaded as strands of their own.
  bool computed = false;
  u32 lanes = 1;      // threads that share a strand, each with a part of its positions
  u32 threads = 128;  // of a block
};

/// Matches as kernels list them are MatchList's.
struct FoundMatch {
  u32 reference, query, length;
};

/// The single argument of every kernel; pointers are to device memory.
///
/// A task is a lane's part of a strand: task = strand * lanes + lane. A strand with n slots has its lane i do
/// those from n * i / lanes to n * (i + 1) / lanes. A thread does one task: a launch has a thread for each,
/// rounded up to blocks.
///
/// Letters and a plain text are read in aligned 4-byte words: arrays of them begin 4-byte aligned, and the
/// word that holds the last byte of their padding can be read.
struct MatchArguments {
  TreeView tree;                                  // global: all of it. Textures: text and nodes are not read
  u64 node_texture, child_texture, text_texture;  // 0: none
  const Slot* prefixes;                           // words: [4^prefix_letters], or prefix_letters is 0
  const u64* filter;                              // words: [4^filter_letters] bits, or filter_letters is 0
  u32 prefix_letters, filter_letters;
  u32 min_length;
  u32 unique;              // 1: only matches that are unique in the text (Mode::mumreference, Mode::mum)
  u32 own_begin, own_end;  // listed: only matches that begin at these positions of the text count

  const u8* letters;     // codes of all strands, kNoBase before and behind each; kTextPadding more at the end
  const u64* begin;      // [strands + 1] the first letter of each strand; it ends at begin[strand + 1] - 1.
                         // computed: of each query, the reverse complement of which is its second strand
  const u32* strand_at;  // [strands] order in which threads take strands; nullptr: as they come
  u32 strands;
  u32 strands_of_query;  // computed: 1 or 2

  Slot* slots;            // slots: [slot_begin[strands]], each written
  const u64* slot_begin;  // slots: [strands + 1]

  FoundMatch* matches;  // listed: those of a task from task * kept, or from match_begin[i] of its list
  u32* counts;          // listed: [strands * lanes] matches of each task, also those not kept
  u32 kept;             // listed: as many as are kept of a task; the rest is only counted
  // Listed, for tasks that had more than was kept; nullptr: all tasks, `kept` each.
  const u32* tasks;        // [task_count] the tasks to do
  const u64* match_begin;  // [task_count] where all matches of each go
  u32 task_count;
};

}  // namespace gpuseq::exact_match
