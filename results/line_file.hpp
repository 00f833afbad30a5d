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

/// An append-only file of JSON lines. What was appended survives the death of the program at once, and a loss
/// of power once it is flushed. Several processes may hold the file at once: each append locks it while it
/// lasts.
class LineFile {
 public:
  /// Opens for appending; creates the folder and the file where missing, drops a torn last line, and checks
  /// that the disk has room for a line.
  /// @param what  for messages: "journal"
  /// @throws UsageError if the path cannot be written; ResourceError if the disk is full
  LineFile(std::filesystem::path path, std::string what);
  /// Flushes; what goes wrong then is not told.
  ~LineFile();
  LineFile(LineFile&&) noexcept = default;
  LineFile& operator=(LineFile&&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Writes a line each, and flushes the file unless that was done within `flush_interval`.
  /// @returns the byte where the first begins
  /// @throws ResourceError if that fails (full disk); if nothing was written, the file ends as it did before
  std::uint64_t append(std::span<const nlohmann::ordered_json> lines,
                       std::chrono::milliseconds flush_interval = {});

  /// Flushes what this process appended, unless that was done within `flush_interval`. @throws ResourceError
  void flush_if_older(std::chrono::milliseconds flush_interval);

 private:
  void require_room() const;

  std::filesystem::path path_;
  std::string what_;
  FileDescriptor file_;
  bool unflushed_ = false;
  std::chrono::steady_clock::time_point flushed_at_ = {};
};

/// A value as such files have it, with the end of its line. Bytes that are no UTF-8 are replaced.
std::string json_line(const nlohmann::ordered_json& value);

/// A line's JSON. @throws UsageError for what is not JSON, or nests so deep that reading, copying and
/// printing it would exhaust the stack
nlohmann::ordered_json parse_line(std::string_view line);

/// Calls `read` with every whole line of a file, parsed. A last line without its end (a writer was killed) is
/// left out; a file that does not exist is an error.
/// @throws UsageError with file and line for what is not JSON, nests too deep, or what `read` throws as one
void read_lines(const std::filesystem::path& path, const std::function<void(const JsonElement&)>& read);

/// The same for lines as they are. @param read  gets the line without its end, and its number from 1
void read_raw_lines(const std::filesystem::path& path,
                    const std::function<void(std::string_view line, std::size_t number)>& read);

/// Brings what any process wrote to a file to the disk, if there is such a file. @throws ResourceError
void flush_file(const std::filesystem::path& path);

/// The last whole line without its end; nullopt: there is none, or no such file.
std::optional<std::string> last_line(const std::filesystem::path& path);

}  // namespace gpuseq::results
