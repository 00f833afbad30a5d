#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "kernels/exact_match/data/sequences.hpp"
#include "kernels/exact_match/data/tree.cuh"
#include "runtime/system/huge_buffer.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::exact_match {

/// An array on huge pages, unless it is smaller than one: a tree is read at random places.
template <typename T>
class HugeArray {
 public:
  HugeArray() = default;
  explicit HugeArray(u64 size)
      : buffer_(size * sizeof(T), size * sizeof(T) < (u64{1} << 21) ? Pages::small : Pages::huge),
        size_(size) {}
  /// An array over read-only memory that outlives it.
  static HugeArray borrowed(const T* values, u64 size) {
    HugeArray array;
    array.borrowed_ = values;
    array.size_ = size;
    return array;
  }
  T* data() { return reinterpret_cast<T*>(buffer_.data()); }
  const T* data() const {
    return borrowed_ != nullptr ? borrowed_ : reinterpret_cast<const T*>(buffer_.data());
  }
  u64 size() const { return size_; }
  T& operator[](u64 i) { return data()[i]; }
  const T& operator[](u64 i) const { return data()[i]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

 private:
  HugeBuffer buffer_;
  const T* borrowed_ = nullptr;
  u64 size_ = 0;
};

/// Separators after the text, so that it can be read in words.
inline constexpr u64 kTextPadding = 8;
HugeArray<u8> padded_text(std::span<const u8> text);

/// Orders of nodes in memory.
enum class NodeOrder {
  depth_first,
  breadth_first,
  hybrid,  // MUMmerGPU's: level order near the root, pieces of four generations below (node_order.hpp)
};
inline constexpr std::array<std::string_view, 3> kNodeOrderNames{"depth_first", "breadth_first", "hybrid"};

/// The suffix tree of a reference's text; see TreeView for the arrays.
struct SuffixTree {
  HugeArray<u8> text;  // padded
  HugeArray<TreeNode> nodes;
  HugeArray<u32> leaf_parent;
  HugeArray<u8> leaf_depth;
  HugeArray<LeafRange> ranges;
  HugeArray<u32> leaves;
  NodeOrder order = NodeOrder::depth_first;  // set by order_nodes()
  /// Copy of the tree on a device, kept by sessions; lives as long as the tree.
  mutable std::shared_ptr<const void> device_copy = {};
  /// The tree with leaves as nodes, after its first use (leaf_nodes_of()); lives as long as the tree.
  mutable std::shared_ptr<const void> leaf_nodes = {};

  TreeView view() const;
  u64 bytes() const;
};

/// Granularities of the threads' work on a tree. Tests set small ones, to distribute small texts too.
struct TreeTasks {
  u64 letters_in_buckets = 100'000;      // least letters of a text that is sorted in buckets: shorter ones
                                         // are as fast on one thread
  u64 items = u64{1} << 16;              // letters, leaves or nodes that a thread takes at a time
  u64 leaves_of_a_piece = u64{1} << 16;  // leaves per piece in which inner nodes are found independently
  u32 leaves_of_a_part = 1000;           // least leaves of a part whose links are made independently
};

/// Builds the tree, parents before descendants: libdivsufsort sorts the suffixes, and the tree follows from
/// their longest common prefixes; all steps but the sorting take linear time. Ukkonen's algorithm is linear
/// throughout, but it waits for memory at every letter and needs leaves as nodes: sorting 5 million bases
/// takes half a second. Memory: about 1 + 4 + 4 + 1 + 0.65 * 40 = 36 bytes per base for DNA, up to 16 more
/// while building. The tree does not depend on the number of threads.
/// @param text  begins and ends with a separator, at most kMostTextLetters
/// @throws DoesNotFit or ResourceError if memory is not available Source: prefixes by Kärkkäinen, Manzini and
/// Puglisi 2009; nodes by Abouelhoda, Kurtz and Ohlebusch 2004.
SuffixTree build_tree(std::span<const u8> text, ThreadPool& pool, const TreeTasks& tasks = {});

/// Renumbers a tree's nodes.
/// @param new_number  [node_count] a permutation that keeps the root
/// @param items  nodes or letters that a thread takes at a time; fewer are processed on one thread
void renumber(SuffixTree& tree, std::span<const u32> new_number, u64 items = TreeTasks{}.items);
void order_nodes(SuffixTree& tree, NodeOrder order);

}  // namespace gpuseq::exact_match
