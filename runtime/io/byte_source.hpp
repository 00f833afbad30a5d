#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/system/host_memory.hpp"

namespace gpuseq {

/// The file name of standard input. ByteSource continues it at its current position, once.
std::filesystem::path standard_input();
bool is_standard_input(const std::filesystem::path& path);
/// Whether opening a file again gives the same bytes, unlike a pipe and standard input.
bool is_file_to_open_again(const std::filesystem::path& path);

/// The byte order mark that some Windows programs write before UTF-8 text.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// The bytes of a file from begin to end, decompressed if its content is gzip (any number of
/// members, as written by bgzip, with zero bytes after each). A byte order mark at the start is
/// skipped. Also reads pipes.
class ByteSource {
 public:
  /// @throws UsageError if the file is missing, a folder, a device or unreadable
  explicit ByteSource(const std::filesystem::path& path);
  ~ByteSource();
  ByteSource(ByteSource&&) noexcept;
  ByteSource& operator=(ByteSource&&) noexcept;

  /// The next bytes, valid until the next call; empty at the end.
  /// @throws UsageError if reading fails, or gzip data is damaged or ends early
  std::string_view next();
  bool is_gzip() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A byte of an input for messages: "'x'", "the byte 0x07".
std::string shown(char letter);

/// The next bytes, valid until the next call; empty at the end.
using NextBytes = std::function<std::string_view()>;

/// Limits of a text, so that an endless source is not read for hours. Both take seconds to read.
struct LineLimits {
  u64 line_bytes = u64{1} << 34;
  u64 blank_lines = 100'000'000;  // consecutive
};

/// The lines of a ByteSource without their ends (LF or CRLF).
class LineReader {
 public:
  explicit LineReader(const std::filesystem::path& path)
      : LineReader(path, [source = std::make_shared<ByteSource>(path)] { return source->next(); }) {}
  /// @param path    for messages
  /// @param before  number of the line before the first
  LineReader(const std::filesystem::path& path, NextBytes source, std::size_t before = 0,
             const LineLimits& limits = {})
      : path_(path.string()),
        source_(std::move(source)),
        limits_(limits),
        number_(before),
        memory_("reading " + path_) {}
  /// Replaces `line` by the next one; false at the end.
  /// @throws UsageError above a limit; DoesNotFit for a line that exceeds the host's memory
  bool next(std::string& line);
  /// The next byte without consuming it; nullopt at the end.
  std::optional<char> peek();
  /// Number of the last line read, from 1.
  std::size_t number() const { return number_; }
  /// Counts the memory of kept lines.
  GrowingMemory& memory() { return memory_; }

 private:
  void count_blank(const std::string& line);

  std::string path_;
  NextBytes source_;
  LineLimits limits_;
  std::string_view left_;
  std::size_t number_ = 0;
  u64 blank_lines_ = 0;  // consecutive ones up to here
  GrowingMemory memory_;
};

}  // namespace gpuseq
