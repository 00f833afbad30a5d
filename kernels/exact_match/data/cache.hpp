#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "kernels/exact_match/data/suffix_tree.hpp"

namespace gpuseq::exact_match {

/// The suffix tree of one text on disk, with its nodes in kOrder unless another order is requested:
/// converting the order takes longer than reading.
///
/// File: a header (magic, version, hash of the text, sizes, checksum of each section, which is that of its
/// pieces' checksums, and of itself), then the arrays of the tree. Only private files are read
/// (private_file.hpp). Checksums detect damage; a damaged file is rebuilt.
class TreeCache {
 public:
  static constexpr u64 kVersion = 3;
  static constexpr NodeOrder kOrder = NodeOrder::breadth_first;

  /// @param folder  may not exist yet; empty: no caching
  /// @param text  must outlive the cache
  TreeCache(std::filesystem::path folder, std::span<const u8> text);

  /// nullopt if there is no file, or no trusted one; note() then gives the reason.
  std::optional<SuffixTree> load(ThreadPool& pool);
  /// Replaces the file. False if it cannot be written; note() then gives the reason.
  /// @param tree  its nodes in kOrder
  bool store(const SuffixTree& tree, ThreadPool& pool);

  const std::filesystem::path& path() const { return path_; }
  const std::string& note() const { return note_; }

 private:
  std::filesystem::path folder_, path_;
  std::span<const u8> text_;
  u64 text_hash_;
  std::string note_;
};

/// A tree and its origin.
struct LoadedTree {
  SuffixTree tree;
  bool from_cache = false;
  double elapsed_s = 0;   // time for building or reading, and for ordering
  std::string note = {};  // a remark for the record, or empty
};

/// The tree of a text from the cache, or built and stored in the cache.
LoadedTree load_tree(const std::filesystem::path& cache_dir, std::span<const u8> text, NodeOrder order,
                     ThreadPool& pool);

}  // namespace gpuseq::exact_match
