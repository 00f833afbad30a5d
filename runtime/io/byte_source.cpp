#include "runtime/io/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "runtime/contract/errors.hpp"
#include "runtime/io/file_descriptor.hpp"

namespace gpuseq {

namespace {

constexpr std::size_t kChunkBytes = 64 << 10;

/// The kind of a file that is not data; nullptr if it may be data.
const char* refused_kind(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return nullptr;
}

/// Standard input is continued at its current position: opened by name, a file would restart, and a
/// socket cannot be opened.
FileDescriptor open_for_reading(const std::filesystem::path& path) {
  const bool standard = is_standard_input(path);
  struct stat status {};
  const bool known = (standard ? fstat(STDIN_FILENO, &status) : stat(path.c_str(), &status)) == 0;
  if (known)  // before opening, which has side effects on some devices
    if (const char* kind = refused_kind(status.st_mode))
      throw UsageError(
          fmt::format("cannot read {}: it is {}, allowed: a file or a pipe", path.string(), kind));
  FileDescriptor file(standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                               : open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) throw UsageError(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
  return file;
}

}  // namespace

struct ByteSource::State {
  explicit State(std::filesystem::path from)
      : path(std::move(from)), file(open_for_reading(path)), input(kChunkBytes) {}
  ~State() {
    if (gzip) inflateEnd(&stream);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError(fmt::format("cannot read {}: {}", path.string(), what));
  }

  /// Appends to the `held` bytes at the start of the input buffer; returns the total.
  std::size_t fill(std::size_t held) {
    while (true) {
      const ssize_t got = read(file.get(), input.data() + held, input.size() - held);
      if (got >= 0) {
        compressed_bytes += static_cast<std::size_t>(got);
        return held + static_cast<std::size_t>(got);
      }
      if (errno != EINTR) fail(std::strerror(errno));
    }
  }

  /// Reads the first bytes and detects the format.
  void begin() {
    std::size_t held = 0;
    for (std::size_t before = 1; held < kByteOrderMark.size() && before != held;) {
      before = held;
      held = fill(held);
    }
    first = std::string_view(input.data(), held);
    gzip = first.starts_with("\x1f\x8b");
    if (!gzip) return drop_mark(first);
    output.resize(kChunkBytes);
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (inflateInit2(&stream, kGzipOnly) != Z_OK) {
      gzip = false;
      fail("zlib cannot be initialised");
    }
    stream.next_in = reinterpret_cast<Bytef*>(input.data());
    stream.avail_in = static_cast<uInt>(held);
  }

  static void drop_mark(std::string_view& bytes) {
    if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  }

  /// Whether there are compressed bytes; reads some if necessary.
  bool has_input() {
    if (stream.avail_in > 0) return true;
    stream.next_in = reinterpret_cast<Bytef*>(input.data());
    stream.avail_in = static_cast<uInt>(fill(0));
    return stream.avail_in > 0;
  }

  [[noreturn]] void fail_damaged(const std::string& what) const {
    fail(fmt::format("damaged gzip data near compressed byte {}: {}", compressed_bytes - stream.avail_in,
                     what));
  }

  /// Moves to the next member, skipping the zero bytes that pad tapes and block devices. False at
  /// the end of the file.
  bool begin_member() {
    while (has_input() && *stream.next_in == 0) {
      ++stream.next_in;
      --stream.avail_in;
    }
    if (stream.avail_in == 0) return false;
    constexpr Bytef kMagic = 0x1f;
    if (*stream.next_in != kMagic)
      fail_damaged(fmt::format("found {} behind the data, allowed: more gzip data, or zero bytes",
                               shown(static_cast<char>(*stream.next_in))));
    inflateReset(&stream);
    between_members = false;
    return true;
  }

  /// Decompresses at least `least` bytes, or up to the end.
  std::string_view decompress(std::size_t least) {
    stream.next_out = reinterpret_cast<Bytef*>(output.data());
    stream.avail_out = static_cast<uInt>(output.size());
    while (output.size() - stream.avail_out < least) {
      if (between_members && !begin_member()) break;
      if (!has_input()) fail("the gzip data ends early (a truncated file)");
      const int status = inflate(&stream, Z_NO_FLUSH);
      if (status == Z_STREAM_END)
        between_members = true;
      else if (status != Z_OK && status != Z_BUF_ERROR)
        fail_damaged(stream.msg != nullptr ? stream.msg : zError(status));
    }
    return {output.data(), output.size() - stream.avail_out};
  }

  std::string_view decompressed() {
    if (!std::exchange(at_start, false)) return decompress(1);
    std::string_view bytes = decompress(kByteOrderMark.size());
    drop_mark(bytes);
    return bytes.empty() ? decompress(1) : bytes;
  }

  std::string_view plain() {
    if (!first.empty()) return std::exchange(first, {});
    return {input.data(), fill(0)};
  }

  std::filesystem::path path;
  FileDescriptor file;
  std::vector<char> input;
  std::vector<char> output;
  std::string_view first;
  std::size_t compressed_bytes = 0;
  z_stream stream{};
  bool gzip = false;
  bool at_start = true;  // nothing is decompressed yet
  bool between_members = false;
};

ByteSource::ByteSource(const std::filesystem::path& path) : state_(std::make_unique<State>(path)) {
  state_->begin();
}
ByteSource::~ByteSource() = default;
ByteSource::ByteSource(ByteSource&&) noexcept = default;
ByteSource& ByteSource::operator=(ByteSource&&) noexcept = default;

std::string_view ByteSource::next() {
  return state_->gzip ? state_->decompressed() : state_->plain();
}

bool ByteSource::is_gzip() const {
  return state_->gzip;
}

std::filesystem::path standard_input() {
  return "/dev/stdin";
}

bool is_standard_input(const std::filesystem::path& path) {
  return path == standard_input();
}

bool is_file_to_open_again(const std::filesystem::path& path) {
  std::error_code error;
  return !is_standard_input(path) && std::filesystem::is_regular_file(path, error);
}

std::string shown(char letter) {
  const auto code = static_cast<unsigned char>(letter);
  return code > 0x20 && code < 0x7f ? fmt::format("'{}'", letter) : fmt::format("the byte 0x{:02x}", code);
}

bool LineReader::next(std::string& line) {
  line.clear();
  bool any = false;
  while (peek()) {
    any = true;
    const std::size_t newline = left_.find('\n');
    const std::string_view part = left_.substr(0, newline);
    if (part.size() > limits_.line_bytes - line.size())
      throw UsageError(fmt::format("{}:{}: the line does not end within {} bytes, allowed: so many", path_,
                                   number_ + 1, limits_.line_bytes));
    memory_.make_room(line, part.size());
    line.append(part);
    left_.remove_prefix(newline == std::string_view::npos ? left_.size() : newline + 1);
    if (newline != std::string_view::npos) break;
  }
  if (!any) return false;
  ++number_;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  count_blank(line);
  return true;
}

void LineReader::count_blank(const std::string& line) {
  if (line.find_first_not_of(" \t") != std::string::npos)
    blank_lines_ = 0;
  else if (++blank_lines_ > limits_.blank_lines)
    throw UsageError(fmt::format("{}:{}: {} blank lines one after the other, allowed: up to {}", path_,
                                 number_, blank_lines_, limits_.blank_lines));
}

std::optional<char> LineReader::peek() {
  if (left_.empty()) left_ = source_();
  return left_.empty() ? std::nullopt : std::optional(left_.front());
}

}  // namespace gpuseq
