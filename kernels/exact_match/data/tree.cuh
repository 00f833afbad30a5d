#pragma once

#include "runtime/cuda/device/host_device.cuh"

// A suffix tree as arrays, for the host and for kernels.
//
// The tree contains the suffixes of a text of base codes 0...3 that begin with a base, each up to the
// separator (a code above 3) that ends it; separators match nothing, so that every such suffix ends in its
// own leaf. Only inner nodes are stored. A leaf is its suffix's position in the text: it needs no node, its
// suffix link is the next position, and the data about leaves (parent, depth of the parent) is in the order
// of the text, so that following suffix links from leaf to leaf reads memory in order.
//
// Source: Schatz, Trapnell, Delcher and Varshney 2007 (MUMmerGPU), "GPU memory layout", in
// which leaves are nodes.

namespace gpuseq::exact_match {

/// A child or a result: 0 is none (the root is not a child), with kLeafBit set the leaf of the suffix at the
/// other 31 bits, else the number of an inner node.
inline constexpr u32 kNoNode = 0;
inline constexpr u32 kRoot = 0;
inline constexpr u32 kLeafBit = 0x80000000u;

GPUSEQ_HD bool is_leaf(u32 node) {
  return (node & kLeafBit) != 0;
}
GPUSEQ_HD u32 leaf_position(u32 node) {
  return node & ~kLeafBit;
}

/// An inner node: two halves of 16 bytes, one texel each. A node has at least two branches, including
/// branches that a separator ends at once, which are not children.
struct alignas(32) TreeNode {
  u32 position;     // position of an occurrence of the node's string in the text
  u32 depth;        // letters of the node's string; those of the edge begin at position + depth of the parent
  u32 suffix_link;  // the node of the string without its first letter; of the root: the root
  u32 parent;       // the root is its own parent
  u32 child[4];     // by the next letter
};

/// The leaves below a node are consecutive.
struct LeafRange {
  u32 first, count;  // in TreeView::leaves
};

/// All arrays are in the memory of one device. Nodes may be in any order with the root as number 0.
struct TreeView {
  const u8* text;           // [text_letters] begins and ends with a separator; kTextPadding more follow
  const TreeNode* nodes;    // [node_count]
  const u32* leaf_parent;   // [text_letters] by position; at a separator the root
  const u8* leaf_depth;     // [text_letters] depth of the leaf's parent, 255 if it is 255 or more
  const LeafRange* ranges;  // [node_count] for listing occurrences
  const u32* leaves;        // [leaf_count] positions of the suffixes in lexical order, separators last
  u32 text_letters, node_count, leaf_count;
};

/// The result of a traversal for a position of a query, for matches of at least `min_length` letters: the
/// longest string from there that occurs in the text. If it is shorter than min_length, {kNoNode, 0}.
struct Slot {
  u32 node;    // the highest inner node or leaf whose string begins with the match
  u32 length;  // letters matched
};

}  // namespace gpuseq::exact_match
