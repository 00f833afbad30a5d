#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace gpuseq {

/// The bytes of a file from begin to end, decompressed where its content is gzip (any number of members, as
/// bgzip writes). Reads pipes as well as files.
class ByteSource {
 public:
  /// @throws UsageError if the file is missing, a folder or unreadable
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

/// The lines of a ByteSource without their ends (LF or CRLF).
class LineReader {
 public:
  explicit LineReader(const std::filesystem::path& path) : source_(path) {}
  /// Replaces `line` by the next one; false at the end.
  bool next(std::string& line);
  /// Number of the last line read, from 1.
  std::size_t number() const { return number_; }

 private:
  ByteSource source_;
  std::string_view left_;
  std::size_t number_ = 0;
};

}  // namespace gpuseq
