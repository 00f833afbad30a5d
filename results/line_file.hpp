#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "results/json_element.hpp"
#include "runtime/io/file_descriptor.hpp"

namespace gpuseq::results {

/// An append-only file of JSON lines. Appended lines survive the death of the program at once, and a power
/// failure once they are flushed. Several processes may have the file open: each append locks it while it
/// writes.
class LineFile {
 public:
  /// Opens for appending. Creates the folder and the file if missing,
  /// drops a torn last line, and checks that the disk has room for a line.
  /// @param what  name for messages: "journal"
  /// @throws UsageError if the path cannot be written; ResourceError if the disk is full
  LineFile(std::filesystem::path path, std::string what);
  /// Flushes, and ignores errors.
  ~LineFile();
  LineFile(LineFile&&) noexcept = default;
  LineFile& operator=(LineFile&&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Writes one line per value, and flushes the file unless it was flushed within `flush_interval`.
  /// @returns the byte where the first line begins
  /// @throws ResourceError if that fails (full disk); if no line was written, the end of the file is
  /// unchanged
  std::uint64_t append(std::span<const nlohmann::ordered_json> lines,
                       std::chrono::milliseconds flush_interval = {});

  /// Flushes lines of this process, unless the file was flushed within `flush_interval`. @throws
  /// ResourceError
  void flush_if_older(std::chrono::milliseconds flush_interval);

 private:
  void require_room() const;

  std::filesystem::path path_;
  std::string what_;
  FileDescriptor file_;
  bool unflushed_ = false;
  std::chrono::steady_clock::time_point flushed_at_ = {};
};

/// A value as a line of such a file, with its newline. Bytes that are not UTF-8 are replaced.
std::string json_line(const nlohmann::ordered_json& value);

/// The JSON of a line. @throws UsageError if it is not JSON, or nests so deep that reading, copying and
/// printing it would exhaust the stack
nlohmann::ordered_json parse_line(std::string_view line);

/// Calls `read` with every whole line of a file, parsed. A last line without an end (its writer was killed)
/// is left out; a missing file is an error.
/// @throws UsageError with file and line if a line is not JSON or nests too deep, or if `read` throws one
void read_lines(const std::filesystem::path& path, const std::function<void(const JsonElement&)>& read);

/// Calls `read` with the text of each line, without its newline, and its number from 1. Otherwise as
/// read_lines().
void read_raw_lines(const std::filesystem::path& path,
                    const std::function<void(std::string_view line, std::size_t number)>& read);

/// Flushes a file, also lines of other processes, if it exists. @throws ResourceError
void flush_file(const std::filesystem::path& path);

/// The last whole line without its newline; nullopt if there is no line or no file.
std::optional<std::string> last_line(const std::filesystem::path& path);

}  // namespace gpuseq::results
