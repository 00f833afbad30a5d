#pragma once

#include <filesystem>
#include <string_view>

#include "runtime/io/file_descriptor.hpp"

namespace gpuseq {

/// A folder for one process's temporary files, of mode 0700, removed with everything in it. Those of the same
/// user's processes that died are removed by the next one.
class ScratchFolder {
 public:
  /// @param parent  is made, and must be private (private_file.hpp); empty: the system's folder of temporary
  /// files
  /// @throws ResourceError if it cannot be made
  explicit ScratchFolder(const std::filesystem::path& parent);
  /// A hidden one in a folder that is there and that others may write to.
  struct Hidden {
    std::filesystem::path in;
  };
  explicit ScratchFolder(const Hidden& hidden);
  /// Whether a path has the name of a hidden one.
  static bool is_hidden_one(const std::filesystem::path& path);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  void make(const std::filesystem::path& base, std::string_view prefix);

  std::filesystem::path path_;
  FileDescriptor lock_;  // held as long as the folder is in use
};

}  // namespace gpuseq
