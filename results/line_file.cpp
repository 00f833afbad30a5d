#include "results/line_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "results/json_parser.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/io/json_text.hpp"
#include "runtime/text/printable.hpp"

namespace gpuseq::results {

namespace fs = std::filesystem;

namespace {

/// Locks the file while one writer reads and changes its end.
class FileLock {
 public:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {
    while (flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~FileLock() { flock(descriptor_, LOCK_UN); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int descriptor_;
};

FileDescriptor open_for_append(const fs::path& path, const std::string& what) {
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (error)
    throw UsageError(
        fmt::format("cannot create the folder {}: {}", path.parent_path().string(), error.message()));
  FileDescriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!file && errno == ENOSPC)
    throw ResourceError(
        fmt::format("cannot create the {} {}: {}", what, path.string(), std::strerror(errno)));
  if (!file)
    throw UsageError(
        fmt::format("cannot open the {} {} for appending: {}", what, path.string(), std::strerror(errno)));
  struct stat status {};
  if (fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
    throw UsageError(fmt::format("the {} {} is not a regular file", what, path.string()));
  return file;
}

off_t size_of(int descriptor) {
  return lseek(descriptor, 0, SEEK_END);
}

/// Size up to and including the last newline before `end`.
off_t whole_lines(int descriptor, off_t end) {
  std::array<char, 4096> buffer;
  while (end > 0) {
    const off_t begin = std::max<off_t>(0, end - static_cast<off_t>(buffer.size()));
    const ssize_t got = pread(descriptor, buffer.data(), static_cast<std::size_t>(end - begin), begin);
    if (got <= 0) return end;  // unreadable: leave it as it is
    const std::size_t newline = std::string_view(buffer.data(), static_cast<std::size_t>(got)).rfind('\n');
    if (newline != std::string_view::npos) return begin + static_cast<off_t>(newline) + 1;
    end = begin;
  }
  return 0;
}

void flush(const FileDescriptor& file, const fs::path& path) {
  if (fdatasync(file.get()) != 0)
    throw ResourceError(fmt::format("cannot flush {} to the disk: {}", path.string(), std::strerror(errno)));
}

}  // namespace

LineFile::LineFile(fs::path path, std::string what)
    : path_(std::move(path)), what_(std::move(what)), file_(open_for_append(path_, what_)) {
  const FileLock lock(file_.get());
  const off_t whole = whole_lines(file_.get(), size_of(file_.get()));
  if (whole != size_of(file_.get()) && ftruncate(file_.get(), whole) != 0)
    throw ResourceError(
        fmt::format("cannot drop the torn last line of {}: {}", path_.string(), std::strerror(errno)));
  require_room();
}

void LineFile::require_room() const {
  constexpr off_t kLineBytes = 64 << 10;
  const off_t size = size_of(file_.get());
  // Reserves blocks beyond the end and frees them. File systems without reservation are not checked.
  if (fallocate(file_.get(), FALLOC_FL_KEEP_SIZE, size, kLineBytes) == 0) {
    if (ftruncate(file_.get(), size) == 0) return;
  } else if (errno != ENOSPC && errno != EDQUOT && errno != EFBIG) {
    return;
  }
  throw ResourceError(fmt::format("no room in the {} {}: {}", what_, path_.string(), std::strerror(errno)));
}

LineFile::~LineFile() {
  if (file_ && unflushed_) fdatasync(file_.get());
}

std::string json_line(const nlohmann::ordered_json& value) {
  return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::uint64_t LineFile::append(std::span<const nlohmann::ordered_json> lines,
                               std::chrono::milliseconds flush_interval) {
  std::string text;
  for (const nlohmann::ordered_json& line : lines) text += json_line(line);
  off_t before = 0;
  {
    const FileLock lock(file_.get());
    before = size_of(file_.get());
    if (const int error = file_.write_all(text); error != 0) {
      const bool restored = ftruncate(file_.get(), before) == 0;
      throw ResourceError(
          fmt::format("cannot write to the {} {}: {}; {}", what_, path_.string(), std::strerror(error),
                      restored ? "the lines before it are kept"
                               : "its last line is torn and will be dropped when it is read"));
    }
    unflushed_ = true;
  }
  flush_if_older(flush_interval);
  return static_cast<std::uint64_t>(before);
}

void LineFile::flush_if_older(std::chrono::milliseconds flush_interval) {
  if (!unflushed_ || std::chrono::steady_clock::now() - flushed_at_ < flush_interval) return;
  flush(file_, path_);
  unflushed_ = false;
  flushed_at_ = std::chrono::steady_clock::now();
}

void flush_file(const fs::path& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file) flush(file, path);
}

nlohmann::ordered_json parse_line(std::string_view line) {
  if (nests_too_deep(line)) throw UsageError(fmt::format("nested more than {} deep", kMostNesting));
  try {
    return nlohmann::ordered_json::parse(line);
  } catch (const nlohmann::json::exception& error) {
    throw UsageError(fmt::format("not JSON: {}", reason_of(error)));
  }
}

void read_raw_lines(const fs::path& path, const std::function<void(std::string_view, std::size_t)>& read) {
  const FileDescriptor file = open_regular_file(path);
  std::vector<char> block(std::size_t{1} << 20);
  std::string unread;  // the beginning of an incomplete line
  std::size_t number = 0;
  while (true) {
    const ssize_t got = ::read(file.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw UsageError(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
    if (got == 0) return;
    std::string_view left(block.data(), static_cast<std::size_t>(got));
    for (std::size_t end; (end = left.find('\n')) != std::string_view::npos; left.remove_prefix(end + 1)) {
      if (unread.empty()) {
        read(left.substr(0, end), ++number);
      } else {
        unread.append(left.substr(0, end));
        read(unread, ++number);
        unread.clear();
      }
    }
    unread.append(left);
  }
}

void read_lines(const fs::path& path, const std::function<void(const JsonElement&)>& read) {
  JsonParser parser;
  std::string buffer;
  read_raw_lines(path, [&](std::string_view line, std::size_t number) {
    try {
      read(parser.parse(printable_json(line, buffer)));
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}:{}: {}", path.string(), number, error.what()));
    }
  });
}

std::optional<std::string> last_line(const fs::path& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file) return std::nullopt;
  const off_t end = whole_lines(file.get(), size_of(file.get()));
  if (end == 0) return std::nullopt;
  const off_t begin = whole_lines(file.get(), end - 1);
  std::string line(static_cast<std::size_t>(end - 1 - begin), '\0');
  if (!file.read_all_at(static_cast<std::uint64_t>(begin), line.data(), line.size())) return std::nullopt;
  return line;
}

}  // namespace gpuseq::results
