#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "runtime/folders/scratch_folder.hpp"

namespace gpuseq {

/// A folder that is written out of sight and takes its place when it is complete. If the program is killed
/// before, nothing is at its place; what lies beside it is removed by the next staged folder there.
///
/// A folder that is there and cannot be replaced as a whole (it is not empty, is the current one, or belongs
/// to another file system than its parent) receives the files one after the other.
class StagedFolder {
 public:
  /// @param lost  a name in the folder that is there which may be lost with it; empty: none
  /// @throws ResourceError if nothing can be written there
  explicit StagedFolder(const std::filesystem::path& target, std::string_view lost = {});
  /// Where its files are to be written.
  const std::filesystem::path& path() const { return content_; }
  /// Puts the folder in its place: the last call. @throws ResourceError, and the place is as it was
  void publish();

 private:
  void move_entries() const;

  std::filesystem::path target_;  // absolute, without links
  bool as_a_whole_;
  std::optional<ScratchFolder> scratch_;
  std::filesystem::path content_;
};

}  // namespace gpuseq
