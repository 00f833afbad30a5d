#pragma once

#include <filesystem>
#include <string_view>

#include "runtime/io/file_descriptor.hpp"

namespace gpuseq {

/// A folder for one process's temporary files, of mode 0700, removed with its content. It also removes the
/// folders of the same user's processes that have ended.
class ScratchFolder {
 public:
  /// @param parent  is created, and must be private (private_file.hpp); empty: the system's folder
  /// of temporary files
  /// @throws ResourceError if it cannot be created
  explicit ScratchFolder(const std::filesystem::path& parent);
  /// A hidden folder in an existing folder that others may write to.
  struct Hidden {
    std::filesystem::path in;
  };
  explicit ScratchFolder(const Hidden& hidden);
  /// Whether a path has the name of a hidden scratch folder.
  static bool is_hidden_one(const std::filesystem::path& path);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  void make(const std::filesystem::path& base, std::string_view prefix);

  std::filesystem::path path_;
  FileDescriptor lock_;  // held while the folder is in use
};

/// Removes the scratch folders of processes that died; of a folder that is not there none.
void remove_abandoned_scratch(const std::filesystem::path& parent);

}  // namespace gpuseq
