#pragma once

#include <memory>
#include <optional>

#include "kernels/exact_match/cuda/tree_arrays.hpp"
#include "kernels/exact_match/data/word_tables.hpp"
#include "runtime/cuda/texture.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::exact_match {

/// Makes memory and textures by the driver.
struct DriverMemory {
  using Buffer = cuda::DeviceBuffer;
  using Linear = cuda::LinearTexture;
  using Array = cuda::ArrayTexture;

  cuda::CudaDevice* device;

  Buffer buffer(u64 bytes) const { return {*device, bytes}; }
  Linear linear(cuda::Texel texel, const Buffer& memory) const { return {*device, texel, memory}; }
  Array array(cuda::Texel texel, u64 width, u64 height) const { return {*device, texel, width, height}; }
};

/// Memory that a tree takes on a device, with leaves as nodes at most.
u64 device_bytes(const TreeView& tree, const TreeForm& form);

/// A tree that is searched where the program runs, and what it took to bring it there.
class DeviceTree {
 public:
  /// @throws DoesNotFit with what is needed and what there is, for memory and for sizes of textures
  DeviceTree(const SuffixTree& tree, const TreeForm& form, cuda::CudaDevice& device, ThreadPool& pool);

  /// Sets the tree and the textures.
  void set(MatchArguments& arguments) const { arrays_->set(arguments); }
  /// See TreeArrays.
  std::span<const u32> places() const { return arrays_->places(); }
  const TreeForm& form() const { return form_; }
  const cuda::CudaDevice* device() const { return device_; }
  u64 bytes() const { return bytes_; }
  double upload_s() const { return upload_s_; }

 private:
  TreeForm form_;
  cuda::CudaDevice* device_;
  u64 bytes_;
  double upload_s_ = 0;
  std::optional<TreeArrays<DriverMemory>> arrays_;
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
