#pragma once

#include <filesystem>
#include <memory>

#include "kernels/common/library/section_file.hpp"
#include "kernels/fm_index/data/index.hpp"

// Files of indexes; FORMAT.md has the offsets.

namespace gpuseq::fm_index {

/// @throws ResourceError with the path and the reason
void write_index(const std::filesystem::path& path, const Index& index);

/// An index in a mapped file.
class IndexFile {
 public:
  /// Checks the head: sizes fit the layout and the text.
  /// @param layout  the allowed one, for a text that is not wide.
  /// @throws library::RefusedFile with the value found, its place,
  /// and the allowed ones; UsageError if the file cannot be read
  IndexFile(const std::filesystem::path& path, const Layout& layout, u32 prefix_symbols);

  /// Proves that a search reads nothing outside the index, in time linear in it, and compares checksums. That
  /// its answers are right is not proved: who wrote the file may have written the index of another text.
  /// @throws library::RefusedFile
  void check_content(ThreadPool& pool) const;

  const Layout& layout() const { return layout_; }
  /// Into the mapped file.
  const IndexView& view() const { return view_; }
  std::span<const std::byte> entries() const { return file_.section(0); }
  std::span<const std::byte> superblocks() const { return file_.section(1); }
  std::span<const std::byte> prefix() const { return file_.section(2); }

 private:
  void read_layout(const Layout& allowed, u32 prefix_symbols);
  void read_rows();
  void read_marked_rows();
  void check_sizes() const;

  library::SectionFile file_;
  Layout layout_;
  IndexView view_{};
};

}  // namespace gpuseq::fm_index
