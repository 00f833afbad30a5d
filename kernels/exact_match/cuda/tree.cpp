#include "kernels/exact_match/cuda/tree.hpp"

#include <fmt/format.h>

#include <chrono>

#include "runtime/contract/errors.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::exact_match {
namespace {

using cuda::CudaDevice;

template <typename T>
cuda::DeviceBuffer uploaded(CudaDevice& device, const HugeArray<T>& array) {
  cuda::DeviceBuffer buffer(device, array.size() * sizeof(T));
  buffer.upload(std::as_bytes(std::span(array.data(), array.size())));
  return buffer;
}

bool two_dimensional(const TreeForm& form) {
  return form.memory == MemoryPath::texture_2d;
}

u64 text_bytes(u64 letters, const TreeForm& form) {
  const u64 held = form.text_2d ? text_rows(letters + kTextPadding) * kTextColumns : letters + kTextPadding;
  return held + (two_dimensional(form) ? 0 : kSpareLetterBytes);
}

u64 node_bytes(u64 nodes, const TreeForm& form) {
  return two_dimensional(form) ? node_rows(nodes) * kNodeTexelsAcross * sizeof(TreeNode)
                               : nodes * sizeof(TreeNode);
}

}  // namespace

u64 device_bytes(const TreeView& tree, const TreeForm& form) {
  if (form.leaf_nodes)
    return text_bytes(tree.text_letters, form) + node_bytes(u64{tree.node_count} + tree.leaf_count, form);
  const u64 leaves = u64{tree.text_letters} * (sizeof(u32) + sizeof(u8));
  const u64 listing =
      form.listing ? u64{tree.node_count} * sizeof(LeafRange) + u64{tree.leaf_count} * sizeof(u32) : 0;
  return text_bytes(tree.text_letters, form) + node_bytes(tree.node_count, form) + leaves + listing;
}

DeviceTree::DeviceTree(const SuffixTree& tree, const TreeForm& form, CudaDevice& device, ThreadPool& pool)
    : form_(form), device_(&device), bytes_(device_bytes(tree.view(), form)) {
  if (const u64 available = device.free_bytes(); bytes_ > available)
    throw DoesNotFit(fmt::format(
        "a suffix tree of {} letters and {} nodes needs {} bytes; {} has {} free (margin subtracted)",
        tree.view().text_letters, tree.nodes.size(), bytes_, device.id(), available));
  const auto start = std::chrono::steady_clock::now();
  arrays_.emplace(DriverMemory{&device}, tree, form, pool);
  upload_s_ = seconds_since(start);
}

DeviceWords::DeviceWords(const SuffixTree& tree, const WordLetters& letters, CudaDevice& device,
                         ThreadPool& pool)
    : letters_(letters), device_(&device) {
  const auto making = std::chrono::steady_clock::now();
  const PrefixTable prefixes = make_prefix_table(tree.view(), letters.prefix, pool);
  const WordFilter filter = make_word_filter({tree.text.data(), tree.text.size()}, letters.filter, pool);
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
  // Frees an unsuitable tree before its memory is needed.
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
