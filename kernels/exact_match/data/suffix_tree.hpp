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

/// An array on huge pages, unless it is less than one: what a tree holds is read at random places.
template <typename T>
class HugeArray {
 public:
  HugeArray() = default;
  explicit HugeArray(u64 size)
      : buffer_(size * sizeof(T), size * sizeof(T) < (u64{1} << 21) ? Pages::small : Pages::huge),
        size_(size) {}
  /// What lies elsewhere, is only read, and outlives this.
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

/// Separators behind the text, so that it can be read in words.
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
  NodeOrder order = NodeOrder::depth_first;  // as order_nodes() left it
  /// What sessions on a device keep of the tree there; goes with it.
  mutable std::shared_ptr<const void> device_copy = {};
  /// The same tree with leaves as nodes, once it was asked for (leaf_nodes_of()); goes with it.
  mutable std::shared_ptr<const void> leaf_nodes = {};

  TreeView view() const;
  u64 bytes() const;
};

/// Sizes by which threads share the work on a tree. Tests set small ones, so that small texts are shared too.
struct TreeTasks {
  u64 letters_in_buckets = 100'000;      // of a text that is sorted in buckets: one thread is as fast below
  u64 items = u64{1} << 16;              // letters, leaves or nodes that a thread takes at a time
  u64 leaves_of_a_piece = u64{1} << 16;  // among which inner nodes are found apart
  u32 leaves_of_a_part = 1000;           // at least, below which links are made apart
};

/// Builds the tree, each node before its descendants: suffixes are sorted by libdivsufsort and the tree is
/// read off their longest common prefixes; all steps but the sorting take time linear in the text. Chosen
/// over Ukkonen's algorithm, which is linear throughout, because that waits for memory at every letter and
/// needs leaves as nodes: sorting 5 million bases takes half a second. Memory: about 1 + 4 + 4 + 1 + 0.65 *
/// 40 = 36 bytes a base for DNA, up to 16 more while building.
/// @param text  begins and ends with a separator, at most kMostTextLetters
/// The tree is the same with any number of threads.
/// @throws DoesNotFit or ResourceError if the memory cannot be had
/// Source: prefixes by Kärkkäinen, Manzini and Puglisi 2009; nodes by Abouelhoda, Kurtz and Ohlebusch 2004.
SuffixTree build_tree(std::span<const u8> text, ThreadPool& pool, const TreeTasks& tasks = {});

/// The same tree with its nodes in another order.
/// @param new_number  [node_count] a permutation that leaves the root where it is
/// @param items  nodes or letters that a thread takes at a time; fewer are done on one thread
void renumber(SuffixTree& tree, std::span<const u32> new_number, u64 items = TreeTasks{}.items);
void order_nodes(SuffixTree& tree, NodeOrder order);

}  // namespace gpuseq::exact_match
