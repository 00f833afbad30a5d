#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
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

/// The next bytes, valid until the next call; empty at the end.
using NextBytes = std::function<std::string_view()>;

/// The lines of a ByteSource without their ends (LF or CRLF).
class LineReader {
 public:
  explicit LineReader(const std::filesystem::path& path)
      : source_([source = std::make_shared<ByteSource>(path)] { return source->next(); }) {}
  /// @param before  number of the line before the first
  explicit LineReader(NextBytes source, std::size_t before = 0)
      : source_(std::move(source)), number_(before) {}
  /// Replaces `line` by the next one; false at the end.
  bool next(std::string& line);
  /// Number of the last line read, from 1.
  std::size_t number() const { return number_; }

 private:
  NextBytes source_;
  std::string_view left_;
  std::size_t number_ = 0;
};

}  // namespace gpuseq
