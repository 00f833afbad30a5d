#include "kernels/exact_match/cuda/tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "kernels/exact_match/data/texture_layout.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::exact_match {
namespace {

using cuda::ArrayTexture;
using cuda::CudaDevice;
using cuda::DeviceBuffer;
using cuda::LinearTexture;

/// Kernels read letters in aligned words, up to two of them behind the last.
constexpr u64 kSpareTextBytes = 16;
constexpr u64 kNodesAtATime = u64{1} << 20;

template <typename T>
std::span<const std::byte> bytes_of(const HugeArray<T>& array) {
  return std::as_bytes(std::span(array.data(), array.size()));
}

template <typename T>
DeviceBuffer uploaded(CudaDevice& device, const HugeArray<T>& array, u64 spare_bytes = 0) {
  DeviceBuffer buffer(device, array.size() * sizeof(T) + spare_bytes);
  buffer.upload(bytes_of(array));
  return buffer;
}

bool two_dimensional(const TreeForm& form) {
  return form.memory == MemoryPath::texture_2d;
}

u64 text_bytes(u64 letters, const TreeForm& form) {
  const u64 held = form.text_2d ? text_rows(letters + kTextPadding) * kTextColumns : letters + kTextPadding;
  return held + (two_dimensional(form) ? 0 : kSpareTextBytes);
}

u64 node_bytes(u64 nodes, const TreeForm& form) {
  return two_dimensional(form) ? node_rows(nodes) * kNodeTexelsAcross * sizeof(TreeNode)
                               : nodes * sizeof(TreeNode);
}

}  // namespace

TreeForm tree_form(const MatchPolicy& policy) {
  return {.memory = policy.memory, .text_2d = policy.text_2d, .listing = policy.listed};
}

u64 device_bytes(const TreeView& tree, const TreeForm& form) {
  const u64 leaves = u64{tree.text_letters} * (sizeof(u32) + sizeof(u8));
  const u64 listing =
      form.listing ? u64{tree.node_count} * sizeof(LeafRange) + u64{tree.leaf_count} * sizeof(u32) : 0;
  return text_bytes(tree.text_letters, form) + node_bytes(tree.node_count, form) + leaves + listing;
}

DeviceTree::DeviceTree(const SuffixTree& tree, const TreeForm& form, CudaDevice& device, ThreadPool& pool)
    : form_(form), device_(&device), bytes_(device_bytes(tree.view(), form)), view_(tree.view()) {
  if (const u64 available = device.free_bytes(); bytes_ > available)
    throw DoesNotFit(fmt::format(
        "a suffix tree of {} letters and {} nodes needs {} bytes; {} has {} free (margin subtracted)",
        view_.text_letters, view_.node_count, bytes_, device.id(), available));
  const auto start = std::chrono::steady_clock::now();
  upload_text({tree.text.data(), tree.text.size()}, pool);
  upload_nodes({tree.nodes.data(), tree.nodes.size()});
  leaf_parent_ = uploaded(device, tree.leaf_parent);
  leaf_depth_ = uploaded(device, tree.leaf_depth);
  if (form.listing) {
    ranges_ = uploaded(device, tree.ranges);
    leaves_ = uploaded(device, tree.leaves);
  }
  view_.text = text_.as<const u8>();
  view_.nodes = form.memory == MemoryPath::global ? nodes_.as<const TreeNode>() : nullptr;
  view_.leaf_parent = leaf_parent_.as<const u32>();
  view_.leaf_depth = leaf_depth_.as<const u8>();
  view_.ranges = ranges_.as<const LeafRange>();
  view_.leaves = leaves_.as<const u32>();
  upload_s_ = seconds_since(start);
}

void DeviceTree::upload_text(std::span<const u8> text, ThreadPool& pool) {
  const HugeArray<u8> arranged = form_.text_2d ? text_in_2d(text, pool) : HugeArray<u8>();
  if (two_dimensional(form_)) {
    text_array_ = ArrayTexture(*device_, cuda::Texel::u8x1, kTextColumns, text_rows(text.size()));
    text_array_.upload(bytes_of(arranged));
    return;
  }
  const auto bytes = form_.text_2d ? bytes_of(arranged) : std::as_bytes(text);
  text_ = DeviceBuffer(*device_, bytes.size() + kSpareTextBytes);
  text_.fill(kSeparator);
  text_.upload(bytes);
  if (form_.memory == MemoryPath::texture_linear)
    text_linear_ = LinearTexture(*device_, cuda::Texel::u8x1, text_);
}

void DeviceTree::upload_nodes(std::span<const TreeNode> nodes) {
  if (form_.memory == MemoryPath::global) {
    nodes_ = DeviceBuffer(*device_, nodes.size_bytes());
    nodes_.upload(std::as_bytes(nodes));
    return;
  }
  std::vector<HalfNode> halves(two_dimensional(form_) ? kNodesOfABand
                                                      : std::min<u64>(kNodesAtATime, nodes.size()));
  const auto bytes = std::as_bytes(std::span(halves));
  for (const Half half : {Half::node, Half::children}) {
    if (two_dimensional(form_)) {
      ArrayTexture& array = half == Half::node ? node_array_ : child_array_;
      array = ArrayTexture(*device_, cuda::Texel::u32x4, kNodeTexelsAcross, node_rows(nodes.size()));
      for (u64 band = 0; band * kNodesOfABand < nodes.size(); ++band) {
        band_of_nodes(nodes, half, band, halves);
        array.upload(bytes, band * kBlockSide);
      }
      continue;
    }
    DeviceBuffer& buffer = half == Half::node ? nodes_ : children_;
    buffer = DeviceBuffer(*device_, nodes.size() * sizeof(HalfNode));
    for (u64 first = 0; first < nodes.size(); first += halves.size()) {
      const u64 count = std::min<u64>(halves.size(), nodes.size() - first);
      halve_nodes(nodes, half, first, std::span(halves).first(count));
      buffer.upload(bytes.first(count * sizeof(HalfNode)), first * sizeof(HalfNode));
    }
    (half == Half::node ? node_linear_ : child_linear_) = LinearTexture(*device_, cuda::Texel::u32x4, buffer);
  }
}

void DeviceTree::set(MatchArguments& arguments) const {
  const bool array = two_dimensional(form_);
  arguments.tree = view_;
  arguments.text_texture = array ? text_array_.object() : text_linear_.object();
  arguments.node_texture = array ? node_array_.object() : node_linear_.object();
  arguments.child_texture = array ? child_array_.object() : child_linear_.object();
}

DeviceWords::DeviceWords(const SuffixTree& tree, const WordLetters& letters, CudaDevice& device,
                         ThreadPool& pool)
    : letters_(letters), device_(&device) {
  const auto making = std::chrono::steady_clock::now();
  const PrefixTable prefixes = make_prefix_table(tree.view(), letters.prefix, pool);
  const WordFilter filter = make_word_filter({tree.text.data(), tree.text.size()}, letters.filter);
  make_s_ = seconds_since(making);
  const auto uploading = std::chrono::steady_clock::now();
  prefixes_ = uploaded(device, prefixes.slots);
  filter_ = uploaded(device, filter.words);
  upload_s_ = seconds_since(uploading);
}

void DeviceWords::set(MatchArguments& arguments) const {
  arguments.prefixes = prefixes_.as<const Slot>();
  arguments.filter = filter_.as<const u64>();
  arguments.prefix_letters = letters_.prefix;
  arguments.filter_letters = letters_.filter;
}

DeviceCopy tree_on_device(const SuffixTree& tree, const MatchPolicy& policy, const WordLetters& letters,
                          CudaDevice& device, ThreadPool& pool) {
  DeviceCopy copy;
  if (tree.device_copy != nullptr) copy = *static_cast<const DeviceCopy*>(tree.device_copy.get());
  tree.device_copy.reset();
  const bool there =
      copy.tree != nullptr && copy.tree->device() == &device && copy.tree->form().serves(tree_form(policy));
  const bool words_there = copy.words != nullptr && (!policy.words || copy.words->has(letters, device));
  // What does not serve goes before its memory is needed.
  if (!there) copy.tree.reset();
  if (!words_there) copy.words.reset();
  if (!there) copy.tree = std::make_shared<const DeviceTree>(tree, tree_form(policy), device, pool);
  if (policy.words && !words_there)
    copy.words = std::make_shared<const DeviceWords>(tree, letters, device, pool);
  tree.device_copy = std::make_shared<const DeviceCopy>(copy);
  copy.tree_uploaded = !there;
  copy.words_made = policy.words && !words_there;
  return copy;
}

}  // namespace gpuseq::exact_match
