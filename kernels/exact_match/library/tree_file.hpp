#pragma once

#include <filesystem>
#include <span>

#include "kernels/common/library/section_file.hpp"
#include "kernels/exact_match/data/sequences.hpp"
#include "kernels/exact_match/data/suffix_tree.hpp"

// Files of suffix trees; FORMAT.md has the offsets.

namespace gpuseq::exact_match {

/// @throws ResourceError with the path and the reason
void write_tree(const std::filesystem::path& path, const Reference& reference, const SuffixTree& tree,
                NodeOrder order);

/// A suffix tree in a mapped file.
class TreeFile {
 public:
  /// Checks the head and the sizes of sections.
  /// @param order  the allowed order of nodes
  /// @throws library::RefusedFile with the value found, its place,
  /// and the allowed ones; UsageError if the file cannot be read
  TreeFile(const std::filesystem::path& path, NodeOrder order);

  /// Compares checksums and validates that the tree is that of its text, in time linear in the text.
  /// @throws library::RefusedFile
  void check_content(ThreadPool& pool) const;

  /// Its arrays are in the mapped file.
  const SuffixTree& tree() const { return tree_; }
  /// See Reference::begin.
  std::span<const u32> begins() const { return begins_; }

 private:
  void check_text() const;

  library::SectionFile file_;
  SuffixTree tree_;
  std::span<const u32> begins_;
};

}  // namespace gpuseq::exact_match
