#pragma once

#include "runtime/cuda/device/host_device.cuh"

// A suffix tree as arrays, for the host and for kernels.
//
// The tree holds the suffixes of a text of base codes 0...3 that begin with a base, each up to the separator
// (a code above 3) that ends it; separators match nothing, so every such suffix ends in a leaf of its own.
// Only inner nodes are stored. A leaf is its suffix's position in the text: no node is fetched for it, its
// suffix link is the next position, and what is kept about leaves (parent, depth of the parent) lies in the
// order of the text, so that following suffix links from leaf to leaf reads memory in order.
//
// Source: Schatz, Trapnell, Delcher and Varshney 2007 (MUMmerGPU), "GPU memory layout"; there leaves are
// nodes.

namespace gpuseq::exact_match {

/// A child or a result: 0 is none (the root is nobody's child), with kLeafBit set the leaf of the suffix at
/// the other 31 bits, else the number of an inner node.
inline constexpr u32 kNoNode = 0;
inline constexpr u32 kRoot = 0;
inline constexpr u32 kLeafBit = 0x80000000u;

GPUSEQ_HD bool is_leaf(u32 node) {
  return (node & kLeafBit) != 0;
}
GPUSEQ_HD u32 leaf_position(u32 node) {
  return node & ~kLeafBit;
}

/// An inner node: two halves of 16 bytes, one texel each. A node has two branches at least, branches that end
/// at once by a separator counted; those are no children.
struct alignas(32) TreeNode {
  u32 position;     // of an occurrence of the node's string in the text
  u32 depth;        // letters of the node's string; the edge's begin at position + depth of the parent
  u32 suffix_link;  // the node of the string without its first letter; of the root: the root
  u32 parent;       // of the root: the root
  u32 child[4];     // by the next letter
};

/// The leaves below a node are consecutive.
struct LeafRange {
  u32 first, count;  // in TreeView::leaves
};

/// All in memory of one device. Nodes may be in any order in which the root is number 0.
struct TreeView {
  const u8* text;           // [text_letters] begins and ends with a separator; kTextPadding more follow
  const TreeNode* nodes;    // [node_count]
  const u32* leaf_parent;   // [text_letters] by position; at a separator the root
  const u8* leaf_depth;     // [text_letters] depth of the leaf's parent, 255 if it is 255 or more
  const LeafRange* ranges;  // [node_count] for listing occurrences
  const u32* leaves;        // [leaf_count] positions of the suffixes in lexical order: separators are last
  u32 text_letters, node_count, leaf_count;
};

/// What a traversal finds for a position of a query, for matches of at least `min_length` letters: the
/// longest string from there on that occurs in the text. If it is shorter than min_length, {kNoNode, 0}.
struct Slot {
  u32 node;    // the highest inner node or leaf whose string begins with what was matched
  u32 length;  // letters matched
};

}  // namespace gpuseq::exact_match
