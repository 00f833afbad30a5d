#include "runtime/io/private_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace gpuseq {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kOthersMayWrite = S_IWGRP | S_IWOTH;
constexpr int kMostAttempts = 100;
constexpr off_t kMostBytes = off_t{1} << 30;  // limit of a file that is read as a whole

/// Why an open file or folder is not private to the caller; empty if it is.
std::string why_shared(const fs::path& path, const struct stat& status, const char* kind) {
  if (status.st_uid != geteuid())
    return fmt::format(
        "{} belongs to the user {}, not to {}, who runs this program; allowed: a {} of one's own",
        path.string(), status.st_uid, geteuid(), kind);
  if ((status.st_mode & kOthersMayWrite) != 0)
    return fmt::format(
        "{} has the mode {:04o}, so others may write to it; allowed: a {} that only its owner may "
        "write to (chmod go-w)",
        path.string(), status.st_mode & 07777, kind);
  return {};
}

std::string failed(const char* what, const fs::path& path, int error) {
  return fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(error));
}

/// Opens a folder that is private to the caller. @param reason  is set for an existing folder that is not
FileDescriptor open_private_folder(const fs::path& path, std::string& reason) {
  const fs::path folder = path.has_filename() ? path : path.parent_path();  // a final "/" would follow links
  struct stat link {
  }, status{};
  if (lstat(folder.c_str(), &link) != 0) {
    if (errno != ENOENT && errno != ENOTDIR) reason = failed("open the folder", folder, errno);
    return FileDescriptor();
  }
  if (S_ISLNK(link.st_mode) && link.st_uid != geteuid()) {
    reason = why_shared(folder, link, "symbolic link");
    return FileDescriptor();
  }
  FileDescriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened) {
    reason = failed("open the folder", folder, errno);
    return FileDescriptor();
  }
  reason = fstat(opened.get(), &status) != 0 ? failed("open the folder", folder, errno)
                                             : why_shared(folder, status, "folder");
  return reason.empty() ? std::move(opened) : FileDescriptor();
}

/// @returns 0 or errno
int make_folders(const fs::path& folder) {
  if (mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST) return 0;
  const fs::path above = folder.parent_path();
  if (errno != ENOENT || above.empty() || above == folder) return errno;
  if (const int error = make_folders(above)) return error;
  return mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST ? 0 : errno;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

/// Creates a new file. @param name  receives its name in the folder
FileDescriptor make_temporary(const FileDescriptor& folder, const fs::path& path, std::string& name) {
  static std::atomic<unsigned> count{0};  // per process, as several threads write files
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    struct timespec now {};
    clock_gettime(CLOCK_REALTIME, &now);
    name = fmt::format(".{}.{}.{}.{}", path.filename().string(), getpid(), count++, now.tv_nsec);
    FileDescriptor file(openat(folder.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (file || errno != EEXIST) return file;
  }
  return FileDescriptor();
}

}  // namespace

std::string why_not_private(const fs::path& folder) {
  std::string reason;
  open_private_folder(folder, reason);
  return reason;
}

std::string make_private_folder(const fs::path& folder) {
  if (const int error = make_folders(folder.has_filename() ? folder : folder.parent_path()))
    return failed("make the folder", folder, error);
  std::string reason;
  const FileDescriptor opened = open_private_folder(folder, reason);
  return opened || !reason.empty() ? reason : failed("open the folder", folder, ENOENT);
}

FileDescriptor open_private_file(const fs::path& path, std::string& refusal) {
  const FileDescriptor folder = open_private_folder(folder_of(path), refusal);
  if (!folder) return FileDescriptor();
  FileDescriptor file(
      openat(folder.get(), path.filename().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file) {
    if (errno == ELOOP)
      refusal = fmt::format("{} is a symbolic link; allowed: a file", path.string());
    else if (errno != ENOENT)
      refusal = failed("open", path, errno);
    return FileDescriptor();
  }
  struct stat status {};
  if (fstat(file.get(), &status) != 0)
    refusal = failed("open", path, errno);
  else if (!S_ISREG(status.st_mode))
    refusal = fmt::format("{} is no regular file; allowed: one", path.string());
  else
    refusal = why_shared(path, status, "file");
  return refusal.empty() ? std::move(file) : FileDescriptor();
}

std::optional<std::string> read_private_file(const fs::path& path, std::string& refusal) {
  const FileDescriptor file = open_private_file(path, refusal);
  if (!file) return std::nullopt;
  struct stat status {};
  std::string content;
  if (fstat(file.get(), &status) == 0 && status.st_size <= kMostBytes)
    content.resize(static_cast<std::size_t>(status.st_size));
  if (content.size() == static_cast<std::size_t>(status.st_size) &&
      file.read_all_at(0, content.data(), content.size()))
    return content;
  refusal = fmt::format("cannot read {}", path.string());
  return std::nullopt;
}

std::string write_private_file(const fs::path& path, std::span<const std::string_view> parts) {
  const auto unwritable = [&](const std::string& reason) {
    return fmt::format("cannot write {}: {}", path.string(), reason);
  };
  std::string reason = make_private_folder(folder_of(path)), name;
  if (!reason.empty()) return unwritable(reason);
  const FileDescriptor folder = open_private_folder(folder_of(path), reason);
  if (!folder) return unwritable(reason.empty() ? "its folder is gone" : reason);
  const FileDescriptor file = make_temporary(folder, path, name);
  if (!file) return unwritable(std::strerror(errno));
  int error = 0;
  for (const std::string_view part : parts)
    if (error == 0) error = file.write_all(part);
  if (error == 0 && renameat(folder.get(), name.c_str(), folder.get(), path.filename().c_str()) != 0)
    error = errno;
  if (error == 0) return {};
  unlinkat(folder.get(), name.c_str(), 0);
  return unwritable(std::strerror(error));
}

}  // namespace gpuseq
