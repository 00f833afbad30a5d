#pragma once

#include "kernels/exact_match/cuda/match_policy.cuh"
#include "kernels/exact_match/cuda/strand_letters.cuh"

// Reads of a traversal from a tree, a text and letters: read-only loads of global memory, or textures. On
// the host a texture's handle is the address of an array in the texture's layout, row by row, so that tests
// cover the addresses.
//
// Data about leaves (parents, depths, ranges), k-mer tables and the letters of queries are in global memory
// for every memory path.

namespace gpuseq::exact_match {

/// The first half of a node; see TreeNode.
struct NodeLinks {
  u32 position, depth, suffix_link, parent;
};

/// Compares letters up to the first difference. Other values of `most` must be at least 1.
inline constexpr u32 kAnyNumber = ~0u;

/// Width of the 2D textures of nodes and of the text.
inline constexpr u32 kNodeColumns = kBlocksAcross * kBlockSide;

#if defined(__CUDACC__)
__device__ __forceinline__ Piece fetch_piece(u64 texture, u32 texel) {
  const uint4 found = tex1Dfetch<uint4>(texture, static_cast<int>(texel));
  return {{found.x, found.y, found.z, found.w}};
}
__device__ __forceinline__ Piece fetch_piece(u64 texture, Texel at) {
  const uint4 found = tex2D<uint4>(texture, static_cast<float>(at.x), static_cast<float>(at.y));
  return {{found.x, found.y, found.z, found.w}};
}
__device__ __forceinline__ u8 fetch_letter(u64 texture, u32 texel) {
  return tex1Dfetch<u8>(texture, static_cast<int>(texel));
}
__device__ __forceinline__ u8 fetch_letter(u64 texture, Texel at) {
  return tex2D<u8>(texture, static_cast<float>(at.x), static_cast<float>(at.y));
}
#else
inline Piece fetch_piece(u64 texture, u32 texel) {
  return reinterpret_cast<const Piece*>(texture)[texel];
}
inline Piece fetch_piece(u64 texture, Texel at) {
  return fetch_piece(texture, at.y * kNodeColumns + at.x);
}
inline u8 fetch_letter(u64 texture, u32 texel) {
  return reinterpret_cast<const u8*>(texture)[texel];
}
inline u8 fetch_letter(u64 texture, Texel at) {
  return fetch_letter(texture, at.y * kTextColumns + at.x);
}
#endif

/// Memory of one launch. Tuned::value is a MatchPolicy.
template <class Tuned>
class DeviceMemory {
  static constexpr MatchPolicy policy = Tuned::value;
  static constexpr MemoryPath path = policy.memory;
  static_assert(path != MemoryPath::texture_2d || policy.text_2d);
  static_assert(!policy.leaf_nodes || (!policy.words && !policy.listed));

 public:
  static constexpr bool words = policy.words;
  static constexpr bool leaf_nodes = policy.leaf_nodes;
  GPUSEQ_HD static constexpr bool compared_ends() { return policy.compared_ends; }

  /// @param strand  the searched strand; ignored if reverse complements are uploaded
  GPUSEQ_HD DeviceMemory(const MatchArguments& arguments, const StrandLetters& strand)
      : arguments_(arguments), strand_(strand) {}

  GPUSEQ_HD NodeLinks links(u32 node) const {
    const Piece half = node_half(arguments_.node_texture, node, 0);
    return {half.word[0], half.word[1], half.word[2], half.word[3]};
  }
  GPUSEQ_HD u32 suffix_link(u32 node) const {
    if constexpr (path == MemoryPath::global)
      return load_number(&arguments_.tree.nodes[node].suffix_link);
    else
      return links(node).suffix_link;
  }
  GPUSEQ_HD u32 child(u32 node, u32 letter) const {
    if constexpr (path == MemoryPath::global) {
      return load_number(arguments_.tree.nodes[node].child + letter);
    } else {
      const Piece half = node_half(arguments_.child_texture, node, 1);
      const u32 lower = letter == 0 ? half.word[0] : half.word[1];
      const u32 upper = letter == 2 ? half.word[2] : half.word[3];
      return letter < 2 ? lower : upper;
    }
  }
  GPUSEQ_HD u8 text(u32 position) const {
    if constexpr (path == MemoryPath::texture_2d) {
      return fetch_letter(arguments_.text_texture, text_texel(position));
    } else {
      const u32 at = policy.text_2d ? text_offset(position) : position;
      if constexpr (path == MemoryPath::texture_linear) return fetch_letter(arguments_.text_texture, at);
      return load_byte(arguments_.tree.text + at);
    }
  }
  GPUSEQ_HD u8 letter(const u8* at) const {
    if constexpr (policy.computed) return strand_.letter(at);
    return load_byte(at);
  }
  /// Letters of a strand starting at any address.
  GPUSEQ_HD auto letters(const u8* at) const {
    if constexpr (policy.computed)
      return strand_.stream(at);
    else
      return LetterStream(at);
  }

  /// Length of the common prefix of the text from a position and a query's letters; both end with a letter
  /// that matches nothing. If it is `most` or more, returns some number that is at least `most`.
  GPUSEQ_HD u32 common(u32 position, const u8* letters, u32 most = kAnyNumber) const {
    u32 length = 0;
    if constexpr (path == MemoryPath::global && !policy.text_2d) {
      LetterStream a(arguments_.tree.text + position);
      auto b = this->letters(letters);
      do {
        if (const u32 difference = a.next() ^ b.next(); difference != 0)
          return length + first_byte(difference);
      } while ((length += 4) < most);
    } else {
      while (text(position + length) == letter(letters + length) && ++length < most) {
      }
    }
    return length;
  }

  GPUSEQ_HD u32 leaf_parent(u32 position) const {
    return load_number(arguments_.tree.leaf_parent + position);
  }
  GPUSEQ_HD u32 leaf_depth(u32 position) const { return load_byte(arguments_.tree.leaf_depth + position); }
  GPUSEQ_HD LeafRange range(u32 node) const {
    const u64 both = load_eight(reinterpret_cast<const u8*>(arguments_.tree.ranges + node));
    return {static_cast<u32>(both), static_cast<u32>(both >> 32)};
  }
  GPUSEQ_HD u32 leaf(u32 rank) const { return load_number(arguments_.tree.leaves + rank); }

  GPUSEQ_HD u32 prefix_letters() const { return arguments_.prefix_letters; }
  GPUSEQ_HD Slot prefix(u32 word) const {
    const u64 both = load_eight(reinterpret_cast<const u8*>(arguments_.prefixes + word));
    return {static_cast<u32>(both), static_cast<u32>(both >> 32)};
  }
  GPUSEQ_HD u32 filter_letters() const { return arguments_.filter_letters; }
  GPUSEQ_HD bool occurs(u32 word) const {
    // Halves of the filter's 64-bit words: GPUs and their hosts are little-endian.
    return (load_number(reinterpret_cast<const u32*>(arguments_.filter) + word / 32) >> (word % 32) & 1) != 0;
  }

 private:
  GPUSEQ_HD static u32 text_offset(u32 position) {
    const Texel at = text_texel(position);
    return at.y * kTextColumns + at.x;
  }
  GPUSEQ_HD Piece node_half([[maybe_unused]] u64 texture, u32 node, [[maybe_unused]] u32 half) const {
    if constexpr (path == MemoryPath::texture_2d)
      return fetch_piece(texture, node_texel(node));
    else if constexpr (path == MemoryPath::texture_linear)
      return fetch_piece(texture, node);
    else
      return load_piece<true>(reinterpret_cast<const u8*>(arguments_.tree.nodes + node) + 16 * half);
  }

  const MatchArguments& arguments_;
  StrandLetters strand_;
};

}  // namespace gpuseq::exact_match
