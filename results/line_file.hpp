#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "runtime/file_descriptor.hpp"

namespace gpuseq::results {

/// An append-only file of JSON lines, flushed to the disk per line. Several processes may hold it at once:
/// each append locks the file while it lasts.
class LineFile {
 public:
  /// Opens for appending; creates the folder and the file where missing, drops a torn last line, and checks
  /// that the disk has room for a line.
  /// @param what  for messages: "journal"
  /// @throws UsageError if the path cannot be written; ResourceError if the disk is full
  LineFile(std::filesystem::path path, std::string what);

  const std::filesystem::path& path() const { return path_; }

  /// Writes a line each and flushes them together. @throws ResourceError if that fails (full disk); the file
  /// then ends as it did before
  void append(std::span<const nlohmann::ordered_json> lines);

 private:
  void require_room() const;

  std::filesystem::path path_;
  std::string what_;
  FileDescriptor file_;
};

/// Calls `read` with every whole line of a file, parsed. A last line without its end (a writer was killed) is
/// left out; a file that does not exist is an error.
/// @throws UsageError with file and line for what is not JSON, nests too deep, or what `read` throws as one
void read_lines(const std::filesystem::path& path, const std::function<void(nlohmann::json)>& read);

}  // namespace gpuseq::results
