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

#include "runtime/atomic_file.hpp"
#include "runtime/errors.hpp"

namespace gpuseq::results {

namespace fs = std::filesystem;

namespace {

/// Holds the lock of the file while one writer looks at its end and changes it.
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

/// Size up to and including the last newline.
off_t whole_lines(int descriptor) {
  std::array<char, 4096> buffer;
  for (off_t end = size_of(descriptor); end > 0;) {
    const off_t begin = std::max<off_t>(0, end - static_cast<off_t>(buffer.size()));
    const ssize_t got = pread(descriptor, buffer.data(), static_cast<std::size_t>(end - begin), begin);
    if (got <= 0) return end;  // unreadable: leave it as it is
    const std::size_t newline = std::string_view(buffer.data(), static_cast<std::size_t>(got)).rfind('\n');
    if (newline != std::string_view::npos) return begin + static_cast<off_t>(newline) + 1;
    end = begin;
  }
  return 0;
}

/// Parses with a limit to nesting: reading, copying and printing deeper values would exhaust the stack.
nlohmann::json parse_line(std::string_view line) {
  static constexpr int kMostNesting = 100;
  return nlohmann::json::parse(line, [](int depth, auto, auto&) {
    if (depth > kMostNesting) throw UsageError(fmt::format("nested more than {} deep", kMostNesting));
    return true;
  });
}

}  // namespace

LineFile::LineFile(fs::path path, std::string what)
    : path_(std::move(path)), what_(std::move(what)), file_(open_for_append(path_, what_)) {
  const FileLock lock(file_.get());
  const off_t whole = whole_lines(file_.get());
  if (whole != size_of(file_.get()) && ftruncate(file_.get(), whole) != 0)
    throw ResourceError(
        fmt::format("cannot drop the torn last line of {}: {}", path_.string(), std::strerror(errno)));
  require_room();
}

void LineFile::require_room() const {
  constexpr off_t kLineBytes = 64 << 10;
  const off_t size = size_of(file_.get());
  // Blocks beyond the end are reserved and given back; a file system without reservation is not asked again.
  if (fallocate(file_.get(), FALLOC_FL_KEEP_SIZE, size, kLineBytes) == 0) {
    if (ftruncate(file_.get(), size) == 0) return;
  } else if (errno != ENOSPC && errno != EDQUOT && errno != EFBIG) {
    return;
  }
  throw ResourceError(fmt::format("no room in the {} {}: {}", what_, path_.string(), std::strerror(errno)));
}

void LineFile::append(std::span<const nlohmann::ordered_json> lines) {
  std::string text;
  for (const nlohmann::ordered_json& line : lines)
    text += line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  const FileLock lock(file_.get());
  const off_t before = size_of(file_.get());
  int error = file_.write_all(text);
  if (error == 0 && fsync(file_.get()) != 0) error = errno;
  if (error == 0) return;
  const bool restored = ftruncate(file_.get(), before) == 0;
  throw ResourceError(fmt::format("cannot write to the {} {}: {}; {}", what_, path_.string(),
                                  std::strerror(error),
                                  restored ? "the lines before it are kept"
                                           : "its last line is torn and will be dropped when it is read"));
}

void read_lines(const fs::path& path, const std::function<void(nlohmann::json)>& read) {
  const std::string content = read_file(path);
  std::size_t line_number = 0;
  for (std::string_view left = content;;) {
    const std::size_t newline = left.find('\n');
    if (newline == std::string_view::npos) return;
    const std::string_view line = left.substr(0, newline);
    left.remove_prefix(newline + 1);
    ++line_number;
    try {
      read(parse_line(line));
    } catch (const nlohmann::json::exception& error) {
      throw UsageError(fmt::format("{}:{}: not JSON: {}", path.string(), line_number, error.what()));
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}:{}: {}", path.string(), line_number, error.what()));
    }
  }
}

}  // namespace gpuseq::results
