#pragma once

#include <memory>

#include "kernels/exact_match/cuda/match_policy.cuh"
#include "kernels/exact_match/data/suffix_tree.hpp"
#include "kernels/exact_match/data/word_tables.hpp"
#include "runtime/cuda/texture.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::exact_match {

/// What of a tree kernels of a policy read, and how.
struct TreeForm {
  MemoryPath memory = MemoryPath::global;
  bool text_2d = false;
  bool listing = false;  // the ranges and leaves, too

  /// Whether what is there for this form serves the other.
  bool serves(const TreeForm& other) const {
    return memory == other.memory && text_2d == other.text_2d && (listing || !other.listing);
  }
};
TreeForm tree_form(const MatchPolicy& policy);

/// Memory that a tree takes on a device.
u64 device_bytes(const TreeView& tree, const TreeForm& form);

/// A tree on a device. The arrays about leaves, ranges and leaves are in global memory whatever the form.
class DeviceTree {
 public:
  /// @throws DoesNotFit with what is needed and what there is, for memory and for sizes of textures
  DeviceTree(const SuffixTree& tree, const TreeForm& form, cuda::CudaDevice& device, ThreadPool& pool);

  /// Sets the tree and the textures.
  void set(MatchArguments& arguments) const;
  const TreeForm& form() const { return form_; }
  const cuda::CudaDevice* device() const { return device_; }
  u64 bytes() const { return bytes_; }
  double upload_s() const { return upload_s_; }

 private:
  void upload_text(std::span<const u8> text, ThreadPool& pool);
  void upload_nodes(std::span<const TreeNode> nodes);

  TreeForm form_;
  cuda::CudaDevice* device_;
  u64 bytes_;
  double upload_s_ = 0;
  TreeView view_;
  cuda::DeviceBuffer text_, nodes_, children_, leaf_parent_, leaf_depth_, ranges_, leaves_;
  cuda::LinearTexture text_linear_, node_linear_, child_linear_;
  cuda::ArrayTexture text_array_, node_array_, child_array_;
};

/// The tables of words of a tree on a device.
class DeviceWords {
 public:
  /// @throws DoesNotFit
  DeviceWords(const SuffixTree& tree, const WordLetters& letters, cuda::CudaDevice& device, ThreadPool& pool);

  void set(MatchArguments& arguments) const;
  bool has(const WordLetters& letters, const cuda::CudaDevice& device) const {
    return letters == letters_ && device_ == &device;
  }
  u64 bytes() const { return prefix_bytes() + filter_bytes(); }
  u64 prefix_bytes() const { return prefixes_.size(); }
  u64 filter_bytes() const { return filter_.size(); }
  double make_s() const { return make_s_; }
  double upload_s() const { return upload_s_; }

 private:
  WordLetters letters_;
  cuda::CudaDevice* device_;
  double make_s_ = 0, upload_s_ = 0;
  cuda::DeviceBuffer prefixes_, filter_;
};

/// What is kept of a tree on a device while the tree lives (SuffixTree::device_copy): the last form of it and
/// the last tables. Sessions hold what they use, too.
struct DeviceCopy {
  std::shared_ptr<const DeviceTree> tree;
  std::shared_ptr<const DeviceWords> words;        // nullptr: none asked for
  bool tree_uploaded = false, words_made = false;  // by the call that returned this
};

/// The copy of a tree for a policy: that of the last session, or uploaded.
/// @param letters  of tables of words; do not matter without policy.words
DeviceCopy tree_on_device(const SuffixTree& tree, const MatchPolicy& policy, const WordLetters& letters,
                          cuda::CudaDevice& device, ThreadPool& pool);

}  // namespace gpuseq::exact_match
