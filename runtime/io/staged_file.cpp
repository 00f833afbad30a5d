#include "runtime/io/staged_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <optional>
#include <random>

#include "runtime/contract/errors.hpp"

namespace gpuseq {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferBytes = std::size_t{1} << 16;
constexpr mode_t kNewFile = 0666;  // the system applies the umask
constexpr mode_t kPermissions = 0777;

/// The descriptor number of a path that leads to a name in /proc/self/fd, through any links.
std::optional<int> descriptor_named(const fs::path& path) {
  std::error_code error;
  const fs::path folder = fs::canonical(path.parent_path(), error);
  if (error || folder != fs::canonical("/proc/self/fd", error) || error) return std::nullopt;
  const std::string name = path.filename().string();
  int number = -1;
  const auto [end, failed] = std::from_chars(name.data(), name.data() + name.size(), number);
  return failed == std::errc() && end == name.data() + name.size() ? std::optional(number) : std::nullopt;
}

/// The target of symbolic links, which need not exist. Stops at the name of an open file.
/// @throws ResourceError for cyclic links, with the path `given`
fs::path target_of(const fs::path& given) {
  constexpr int kMostLinks = 40;  // the limit of Linux
  fs::path path = given;
  std::error_code error;
  for (int links = 0; fs::is_symlink(path, error) && !descriptor_named(path); ++links) {
    if (links == kMostLinks) throw_unwritable(given, ELOOP);
    const fs::path next = fs::read_symlink(path, error);
    if (error) throw_unwritable(given, error.value());
    path = path.parent_path() / next;
  }
  return path;
}

/// errno of a reason why another file cannot replace `old`; 0: none known.
int hindrance(const fs::path& path, const struct stat& old, const fs::path& folder) {
  // Renaming does not check whether the old file is writable.
  if (faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) return errno;
  struct stat parent {};
  if (stat(folder.c_str(), &parent) != 0) return errno;
  const uid_t user = geteuid();
  const bool others = user != 0 && user != old.st_uid && user != parent.st_uid;
  if (others && (parent.st_mode & S_ISVTX) != 0) return EPERM;
  struct statx mount {};
  if (statx(AT_FDCWD, path.c_str(), 0, STATX_BASIC_STATS, &mount) == 0 &&
      (mount.stx_attributes_mask & mount.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0)
    return EBUSY;
  return 0;
}

std::string new_name(const fs::path& folder) {
  std::random_device random;
  return (folder / fmt::format(".gpuseq-{:08x}{:08x}", random(), random())).string();
}

/// Calls make(name) with new names until it creates a new file. @returns that name; else
/// empty, with errno set
template <typename Make>
std::string with_new_name(const fs::path& folder, Make make) {
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    std::string name = new_name(folder);
    if (make(name.c_str())) return name;
    if (errno != EEXIST) break;
  }
  return {};
}

/// The path from which an unnamed file can be linked.
std::string link_source(const FileDescriptor& file) {
  return fmt::format("/proc/self/fd/{}", file.get());
}

/// Makes a rename in `folder` durable. Some file systems cannot; the file itself is already flushed.
void flush_folder(const fs::path& folder) {
  const FileDescriptor descriptor(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor) fsync(descriptor.get());
}

}  // namespace

DescriptorBuffer::DescriptorBuffer(const FileDescriptor& file)
    : file_(file), buffer_(std::make_unique_for_overwrite<char[]>(kBufferBytes)) {
  setp(buffer_.get(), buffer_.get() + kBufferBytes);
}

bool DescriptorBuffer::write(std::string_view bytes) {
  if (error_ == 0) error_ = file_.write_all(bytes);
  return error_ == 0;
}

int DescriptorBuffer::sync() {
  const bool written = write({pbase(), static_cast<std::size_t>(pptr() - pbase())});
  setp(buffer_.get(), buffer_.get() + kBufferBytes);
  return written ? 0 : -1;
}

DescriptorBuffer::int_type DescriptorBuffer::overflow(int_type letter) {
  if (sync() != 0) return traits_type::eof();
  if (!traits_type::eq_int_type(letter, traits_type::eof())) sputc(traits_type::to_char_type(letter));
  return traits_type::not_eof(letter);
}

std::streamsize DescriptorBuffer::xsputn(const char* letters, std::streamsize count) {
  if (count > epptr() - pptr() && sync() != 0) return 0;
  if (count >= static_cast<std::streamsize>(kBufferBytes))
    return write({letters, static_cast<std::size_t>(count)}) ? count : 0;
  std::memcpy(pptr(), letters, static_cast<std::size_t>(count));
  pbump(static_cast<int>(count));
  return count;
}

StagedFile::StagedFile(fs::path path, Staging staging)
    : path_(std::move(path)), target_(target_of(path_)), buffer_(file_), out_(&buffer_) {
  if (target_.empty()) throw_unwritable(path_, ENOENT);
  struct stat status {};
  const bool exists = stat(target_.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) throw_unwritable(path_, errno);
  if (descriptor_named(target_) || (exists && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))) {
    open_in_place();
    return;
  }
  if ((exists && S_ISDIR(status.st_mode)) || !target_.has_filename()) throw_unwritable(path_, EISDIR);
  folder_ = target_.has_parent_path() ? target_.parent_path() : ".";
  const int error = exists ? hindrance(target_, status, folder_) : 0;
  if (error != 0) throw_unwritable(path_, error);
  stage(staging);
}

StagedFile::~StagedFile() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

/// An open file is shared, not opened again: it keeps its position, and `>> file` appends.
void StagedFile::open_in_place() {
  if (const std::optional<int> number = descriptor_named(target_)) {
    const int flags = fcntl(*number, F_GETFL);
    if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY) throw_unwritable(path_, EBADF);
    file_ = FileDescriptor(fcntl(*number, F_DUPFD_CLOEXEC, 0));
  } else {
    file_ = FileDescriptor(open(target_.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
  }
  if (!file_) throw_unwritable(path_, errno);
}

void StagedFile::stage(Staging staging) {
  if (staging == Staging::unnamed) {
    file_ = FileDescriptor(open(folder_.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kNewFile));
    if (file_ && access(link_source(file_).c_str(), F_OK) == 0) return;  // fails without /proc
  }
  temporary_ = with_new_name(folder_, [&](const char* name) {
    file_ = FileDescriptor(open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kNewFile));
    return static_cast<bool>(file_);
  });
  if (temporary_.empty()) throw_unwritable(path_, errno);
}

void StagedFile::flush() {
  out_.flush();
  if (!out_) throw_unwritable(path_, buffer_.error() != 0 ? buffer_.error() : EIO);
}

void StagedFile::complete() {
  flush();
  // Closing any descriptor of a file reports write errors, which a destructor could not pass on.
  const int descriptor = dup(file_.get());
  if (descriptor < 0 || close(descriptor) != 0) throw_unwritable(path_, errno);
}

/// Copies mode and owner of the replaced file. @returns 0 or errno
int StagedFile::take_attributes_of_target() const {
  struct stat old {};
  if (stat(target_.c_str(), &old) != 0 || !S_ISREG(old.st_mode)) return 0;
  struct stat made {};
  if (fstat(file_.get(), &made) != 0) return errno;
  const bool other = made.st_uid != old.st_uid || made.st_gid != old.st_gid;
  if (other && fchown(file_.get(), old.st_uid, old.st_gid) != 0) [[maybe_unused]]
    const int also_refused = fchown(file_.get(), static_cast<uid_t>(-1), old.st_gid);
  return fchmod(file_.get(), old.st_mode & kPermissions) == 0 ? 0 : errno;
}

/// @returns 0 or errno
int StagedFile::put_in_place() {
  if (temporary_.empty()) {
    const std::string source = link_source(file_);
    const auto link = [&](const char* name) {
      return linkat(AT_FDCWD, source.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
    };
    if (link(target_.c_str())) return 0;
    if (errno != EEXIST) return errno;
    temporary_ = with_new_name(folder_, link);  // a link cannot replace a file, but a rename can
    if (temporary_.empty()) return errno;
  }
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) return errno;
  temporary_.clear();
  return 0;
}

void StagedFile::commit(Durability durability) {
  complete();
  if (folder_.empty()) return;
  const bool durable = durability == Durability::survives_loss_of_power;
  int error = take_attributes_of_target();
  if (error == 0 && durable && fsync(file_.get()) != 0) error = errno;
  if (error == 0) error = put_in_place();
  if (error != 0) throw_unwritable(path_, error);
  if (durable) flush_folder(folder_);
}

}  // namespace gpuseq
