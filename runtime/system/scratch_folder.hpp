#pragma once

#include <filesystem>

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
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  FileDescriptor lock_;  // held as long as the folder is in use
};

}  // namespace gpuseq
