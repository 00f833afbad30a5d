#pragma once

#include <memory>
#include <optional>

#include "kernels/exact_match/cuda/tree_arrays.hpp"
#include "kernels/exact_match/data/word_tables.hpp"
#include "runtime/cuda/texture.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::exact_match {

/// Allocates memory and textures by the CUDA driver API.
struct DriverMemory {
  using Buffer = cuda::DeviceBuffer;
  using Linear = cuda::LinearTexture;
  using Array = cuda::ArrayTexture;

  cuda::CudaDevice* device;

  Buffer buffer(u64 bytes) const { return {*device, bytes}; }
  Linear linear(cuda::Texel texel, const Buffer& memory) const { return {*device, texel, memory}; }
  Array array(cuda::Texel texel, u64 width, u64 height) const { return {*device, texel, width, height}; }
};

/// Upper bound of a tree's memory on a device, with leaves as nodes.
u64 device_bytes(const TreeView& tree, const TreeForm& form);

/// A tree on the device that searches it, with its upload time.
class DeviceTree {
 public:
  /// @throws DoesNotFit with the needed and the available memory or texture size
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

/// The k-mer tables of a tree on a device.
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

/// Device copy that lives as long as the tree (SuffixTree::device_copy): the last form of the tree and the
/// last tables. Sessions share ownership.
struct DeviceCopy {
  std::shared_ptr<const DeviceTree> tree;
  std::shared_ptr<const DeviceWords> words;        // nullptr: not requested
  bool tree_uploaded = false, words_made = false;  // whether the returning call uploaded or made them
};

/// The copy of a tree for a policy: that of the last session, or a new upload.
/// @param letters  of k-mer tables; ignored without policy.words
DeviceCopy tree_on_device(const SuffixTree& tree, const MatchPolicy& policy, const WordLetters& letters,
                          cuda::CudaDevice& device, ThreadPool& pool);

}  // namespace gpuseq::exact_match
