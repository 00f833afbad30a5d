#include "kernels/exact_match/library/tree_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/exact_match/data/tree_check.hpp"

namespace gpuseq::exact_match {
namespace {

/// Indices of fields; kFields is their number.
enum Field : u32 { kOrder, kTextLetters, kNodes, kLeaves, kSequences, kFields };
enum Part : u32 { kText, kTreeNodes, kRanges, kLeafParents, kLeafDepths, kSortedLeaves, kBegins, kParts };
constexpr library::FileFormat kFormat{
    .magic = "GSQTREE2", .version = 1, .fields = kFields, .sections = kParts};

template <typename T>
std::span<const std::byte> bytes_of(const HugeArray<T>& array) {
  return std::as_bytes(std::span(array.data(), array.size()));
}

template <typename T>
HugeArray<T> array_in(const library::SectionFile& file, Part part) {
  return HugeArray<T>::borrowed(reinterpret_cast<const T*>(file.section(part).data()),
                                file.section(part).size() / sizeof(T));
}

}  // namespace

void write_tree(const std::filesystem::path& path, const Reference& reference, const SuffixTree& tree,
                NodeOrder order) {
  const TreeView view = tree.view();
  const std::array<u64, kFields> fields{static_cast<u64>(order), view.text_letters, view.node_count,
                                        view.leaf_count, reference.count()};
  const std::array sections{bytes_of(tree.text),
                            bytes_of(tree.nodes),
                            bytes_of(tree.ranges),
                            bytes_of(tree.leaf_parent),
                            bytes_of(tree.leaf_depth),
                            bytes_of(tree.leaves),
                            std::as_bytes(std::span(reference.begin))};
  library::write_section_file(path, kFormat, fields, sections);
}

TreeFile::TreeFile(const std::filesystem::path& path, NodeOrder order) : file_(path, kFormat) {
  if (file_.field(kOrder) != static_cast<u64>(order))
    file_.refuse_field(kOrder, "order of nodes", fmt::format("{}", static_cast<u64>(order)));
  const auto require = [&](Field field, const char* what, u64 least, u64 most) {
    if (file_.field(field) < least || file_.field(field) > most)
      file_.refuse_field(field, what, fmt::format("{} to {}", least, most));
    return file_.field(field);
  };
  const u64 letters = require(kTextLetters, "letters of the text", 2, kMostTextLetters);
  const u64 nodes = require(kNodes, "nodes", 1, letters);
  const u64 leaves = require(kLeaves, "leaves", 0, letters);
  const u64 sequences = require(kSequences, "sequences", 1, letters - 1);
  const std::array<u64, kParts> bytes{letters + kTextPadding,
                                      nodes * sizeof(TreeNode),
                                      nodes * sizeof(LeafRange),
                                      letters * 4,
                                      letters,
                                      leaves * 4,
                                      (sequences + 1) * 4};
  for (u32 part = 0; part < kParts; ++part)
    if (file_.section(part).size() != bytes[part])
      file_.refuse(file_.offset_of(part, 0), fmt::format("bytes of section {}: found {}, allowed: {}", part,
                                                         file_.section(part).size(), bytes[part]));
  tree_.text = array_in<u8>(file_, kText);
  tree_.nodes = array_in<TreeNode>(file_, kTreeNodes);
  tree_.ranges = array_in<LeafRange>(file_, kRanges);
  tree_.leaf_parent = array_in<u32>(file_, kLeafParents);
  tree_.leaf_depth = array_in<u8>(file_, kLeafDepths);
  tree_.leaves = array_in<u32>(file_, kSortedLeaves);
  begins_ = {reinterpret_cast<const u32*>(file_.section(kBegins).data()), sequences + 1};
}

void TreeFile::check_text() const {
  const std::span<const std::byte> text = file_.section(kText);
  const auto code = [&](u64 at) { return static_cast<u8>(text[at]); };
  u64 bases = 0;
  const u64 letters = tree_.text.size() - kTextPadding;
  for (u64 at = 0; at < text.size(); ++at) {
    const bool separator = at == 0 || at + 1 >= letters;
    if (separator ? code(at) != kSeparator : code(at) > kSeparator)
      file_.refuse(file_.offset_of(kText, at), fmt::format("letter {}: found {}, allowed: {}", at, code(at),
                                                           separator ? "4, a separator" : "0 to 4"));
    bases += code(at) < kSeparator ? 1 : 0;
  }
  if (bases != tree_.leaves.size())
    file_.refuse_field(kLeaves, "leaves", fmt::format("{}, as the text has bases", bases));
  for (u64 i = 0; i < begins_.size(); ++i) {
    const bool right = i == 0 ? begins_[0] == 1 : begins_[i] > begins_[i - 1] && begins_[i] <= letters;
    if (!right || code(begins_[i] - 1) != kSeparator || (i + 1 == begins_.size() && begins_[i] != letters))
      file_.refuse(
          file_.offset_of(kBegins, 4 * i),
          fmt::format(
              "begin of sequence {}: found {}, allowed: ascending from 1, behind separators, the last {}", i,
              begins_[i], letters));
  }
}

void TreeFile::check_content(ThreadPool& pool) const {
  file_.check_sums(pool);
  check_text();
  if (!is_suffix_tree(tree_, pool))
    file_.refuse(file_.offset_of(kTreeNodes, 0), "the nodes are not the suffix tree of the text");
}

}  // namespace gpuseq::exact_match
