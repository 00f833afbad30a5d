#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "runtime/folders/scratch_folder.hpp"

namespace gpuseq {

/// A folder that is written elsewhere and moved to its place when it is complete. If the program is killed
/// before, its place stays empty; the next staged folder there removes the remains.
///
/// An existing folder that cannot be replaced as a whole (it is not empty, is the current one, or is on
/// another file system than its parent) receives the files one after the other.
class StagedFolder {
 public:
  /// @param lost  a name in the existing folder that may be lost with it; empty: none
  /// @throws ResourceError if nothing can be written there
  explicit StagedFolder(const std::filesystem::path& target, std::string_view lost = {});
  /// The folder to write files to.
  const std::filesystem::path& path() const { return content_; }
  /// Moves the folder to its place: the last call. @throws ResourceError, and the place is unchanged
  void publish();

 private:
  void move_entries() const;

  std::filesystem::path target_;  // absolute, without links
  bool as_a_whole_;
  std::optional<ScratchFolder> scratch_;
  std::filesystem::path content_;
};

}  // namespace gpuseq
