#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "runtime/file_descriptor.hpp"
#include "runtime/host_device.hpp"

namespace gpuseq::exact_match {

/// A file that is written block by block, each in few large writes. One thread fills the page cache with 1 to
/// 2 GB/s, which is more than matches are found with; positions written by several threads would leave holes
/// in a file whose program is killed.
class MatchFile {
 public:
  /// Opens and empties the file. @throws ResourceError with the reason
  explicit MatchFile(std::filesystem::path path);
  /// Appends. A file that cannot take all of it is left as it was before.
  /// @throws ResourceError with the reason
  void write(std::span<const std::string> texts);
  /// @throws ResourceError with the reason
  void close();

 private:
  std::filesystem::path path_;
  FileDescriptor file_;
  u64 bytes_ = 0;
};

}  // namespace gpuseq::exact_match
