#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "kernels/exact_match/cuda/match_policy.cuh"
#include "kernels/exact_match/data/leaf_nodes.hpp"
#include "kernels/exact_match/data/texture_layout.hpp"
#include "runtime/cuda/texel.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::exact_match {

/// The arrays of a tree that the kernels of a policy read, and their memory path.
struct TreeForm {
  MemoryPath memory = MemoryPath::global;
  bool text_2d = false;
  bool listing = false;     // includes the ranges and leaves
  bool leaf_nodes = false;  // leaves are nodes, and there are no arrays about leaves

  /// Whether arrays of this form can be used for the other form.
  bool serves(const TreeForm& other) const {
    return memory == other.memory && text_2d == other.text_2d && leaf_nodes == other.leaf_nodes &&
           (listing || !other.listing);
  }
};
inline TreeForm tree_form(const MatchPolicy& policy) {
  return {.memory = policy.memory,
          .text_2d = policy.text_2d,
          .listing = policy.listed,
          .leaf_nodes = policy.leaf_nodes};
}

/// Kernels read letters in aligned words, up to two words past the last.
inline constexpr u64 kSpareLetterBytes = 16;

/// A tree on a device. The arrays about leaves, ranges and leaves are in global memory in every form.
/// @tparam Maker  makes memory and textures by the driver or by CUDA's runtime. It has
///   Buffer buffer(bytes), with upload(bytes, offset), fill(byte) and as<T>();
///   Linear linear(texel, buffer), a texture over linear memory, with object();
///   Array array(texel, width, height), a 2D texture, with upload(rows, first row) and object()
template <class Maker>
class TreeArrays {
 public:
  /// @throws the maker's exceptions if memory or textures are not available
  TreeArrays(const Maker& make, const SuffixTree& tree, const TreeForm& form, ThreadPool& pool)
      : make_(make), form_(form), view_(tree.view()) {
    upload_text({tree.text.data(), tree.text.size()}, pool);
    if (form.leaf_nodes) {
      all_ = leaf_nodes_of(tree);
      upload_nodes({all_->tree.nodes.data(), all_->tree.nodes.size()});
    } else {
      upload_nodes({tree.nodes.data(), tree.nodes.size()});
      leaf_parent_ = uploaded(tree.leaf_parent);
      leaf_depth_ = uploaded(tree.leaf_depth);
    }
    if (form.listing) {
      ranges_ = uploaded(tree.ranges);
      leaves_ = uploaded(tree.leaves);
    }
    view_.text = text_.template as<const u8>();
    view_.nodes = form.memory == MemoryPath::global ? nodes_.template as<const TreeNode>() : nullptr;
    view_.leaf_parent = leaf_parent_.template as<const u32>();
    view_.leaf_depth = leaf_depth_.template as<const u8>();
    view_.ranges = ranges_.template as<const LeafRange>();
    view_.leaves = leaves_.template as<const u32>();
  }

  /// For each node in slots, the node or leaf of the original tree if leaves are nodes; otherwise empty.
  std::span<const u32> places() const {
    return all_ == nullptr ? std::span<const u32>() : std::span(all_->places.data(), all_->places.size());
  }

  /// Sets the tree and the textures.
  void set(MatchArguments& arguments) const {
    const bool array = form_.memory == MemoryPath::texture_2d;
    arguments.tree = view_;
    arguments.text_texture = array ? text_array_.object() : text_linear_.object();
    arguments.node_texture = array ? node_array_.object() : node_linear_.object();
    arguments.child_texture = array ? child_array_.object() : child_linear_.object();
  }

 private:
  using Buffer = typename Maker::Buffer;
  static constexpr u64 kNodesAtATime = u64{1} << 20;

  template <typename T>
  Buffer uploaded(const HugeArray<T>& array) const {
    Buffer buffer = make_.buffer(array.size() * sizeof(T));
    buffer.upload(std::as_bytes(std::span(array.data(), array.size())));
    return buffer;
  }

  void upload_text(std::span<const u8> text, ThreadPool& pool) {
    const HugeArray<u8> arranged = form_.text_2d ? text_in_2d(text, pool) : HugeArray<u8>();
    const auto bytes = std::as_bytes(form_.text_2d ? std::span(arranged.data(), arranged.size()) : text);
    if (form_.memory == MemoryPath::texture_2d) {
      text_array_ = make_.array(cuda::Texel::u8x1, kTextColumns, text_rows(text.size()));
      text_array_.upload(bytes, 0);
      return;
    }
    text_ = make_.buffer(bytes.size() + kSpareLetterBytes);
    text_.fill(kSeparator);
    text_.upload(bytes);
    if (form_.memory == MemoryPath::texture_linear) text_linear_ = make_.linear(cuda::Texel::u8x1, text_);
  }

  void upload_nodes(std::span<const TreeNode> nodes) {
    if (form_.memory == MemoryPath::global) {
      nodes_ = make_.buffer(nodes.size_bytes());
      nodes_.upload(std::as_bytes(nodes));
    } else if (form_.memory == MemoryPath::texture_linear) {
      upload_half(nodes, Half::node, nodes_);
      upload_half(nodes, Half::children, children_);
      node_linear_ = make_.linear(cuda::Texel::u32x4, nodes_);
      child_linear_ = make_.linear(cuda::Texel::u32x4, children_);
    } else {
      upload_half(nodes, Half::node, node_array_);
      upload_half(nodes, Half::children, child_array_);
    }
  }

  void upload_half(std::span<const TreeNode> nodes, Half half, Buffer& buffer) const {
    std::vector<HalfNode> halves(std::min<u64>(kNodesAtATime, nodes.size()));
    buffer = make_.buffer(nodes.size() * sizeof(HalfNode));
    for (u64 first = 0; first < nodes.size(); first += halves.size()) {
      const u64 count = std::min<u64>(halves.size(), nodes.size() - first);
      const auto some = std::span(halves).first(count);
      halve_nodes(nodes, half, first, some);
      buffer.upload(std::as_bytes(some), first * sizeof(HalfNode));
    }
  }

  void upload_half(std::span<const TreeNode> nodes, Half half, typename Maker::Array& array) const {
    std::vector<HalfNode> halves(kNodesOfABand);
    array = make_.array(cuda::Texel::u32x4, kNodeTexelsAcross, node_rows(nodes.size()));
    for (u64 band = 0; band * kNodesOfABand < nodes.size(); ++band) {
      band_of_nodes(nodes, half, band, halves);
      array.upload(std::as_bytes(std::span(halves)), band * kBlockSide);
    }
  }

  Maker make_;
  TreeForm form_;
  TreeView view_;
  Buffer text_, nodes_, children_, leaf_parent_, leaf_depth_, ranges_, leaves_;
  typename Maker::Linear text_linear_, node_linear_, child_linear_;
  typename Maker::Array text_array_, node_array_, child_array_;
  std::shared_ptr<const LeafNodes> all_;  // nodes including leaves, if leaves are nodes
};

}  // namespace gpuseq::exact_match
