#include "runtime/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include "runtime/errors.hpp"
#include "runtime/file_descriptor.hpp"

namespace gpuseq {

namespace {

/// Makes a rename in `folder` durable; some file systems cannot, and the file itself is flushed by then.
void flush_folder(const std::filesystem::path& folder) {
  const FileDescriptor descriptor(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor) fsync(descriptor.get());
}

/// A device, a pipe or a terminal, which must not be replaced by a file.
bool is_special(const std::filesystem::path& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

/// @returns 0 or errno
int write_parts(const FileDescriptor& file, std::span<const std::string_view> parts) {
  int error = 0;
  for (const std::string_view part : parts)
    if (error == 0) error = file.write_all(part);
  return error;
}

void write_special(const std::filesystem::path& path, std::span<const std::string_view> parts) {
  const FileDescriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  const int error = file ? write_parts(file, parts) : errno;
  if (error != 0) throw_unwritable(path, error);
}

}  // namespace

void throw_unwritable(const std::filesystem::path& path, int error) {
  throw ResourceError(fmt::format("cannot write {}: {}", path.string(), std::strerror(error)));
}

FileDescriptor::~FileDescriptor() {
  if (descriptor_ >= 0) close(descriptor_);
}

int FileDescriptor::write_all(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

bool FileDescriptor::read_all_at(std::uint64_t offset, void* to, std::uint64_t bytes) const {
  char* at = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t got = pread(descriptor_, at, bytes, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    offset += static_cast<std::uint64_t>(got);
    bytes -= static_cast<std::uint64_t>(got);
  }
  return true;
}

void write_file_atomically(const std::filesystem::path& path, std::string_view content,
                           Durability durability) {
  write_file_atomically(path, std::span(&content, 1), durability);
}

void write_file_atomically(const std::filesystem::path& path, std::span<const std::string_view> parts,
                           Durability durability) {
  if (is_special(path)) return write_special(path, parts);
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::string temporary = (folder / fmt::format(".{}.XXXXXX", path.filename().string())).string();
  const FileDescriptor file(mkostemp(temporary.data(), O_CLOEXEC));
  if (!file) throw_unwritable(path, errno);
  int error = write_parts(file, parts);
  if (error == 0 && fchmod(file.get(), 0644) != 0) error = errno;
  if (error == 0 && durability == Durability::survives_loss_of_power && fsync(file.get()) != 0) error = errno;
  if (error == 0 && rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    unlink(temporary.c_str());
    throw_unwritable(path, error);
  }
  if (durability == Durability::survives_loss_of_power) flush_folder(folder);
}

std::string read_file(const std::filesystem::path& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string content;
  std::array<char, 1 << 16> buffer;
  ssize_t got = file ? 1 : -1;
  while (got > 0) {
    got = read(file.get(), buffer.data(), buffer.size());
    if (got > 0) content.append(buffer.data(), static_cast<std::size_t>(got));
    if (got < 0 && errno == EINTR) got = 1;
  }
  if (got < 0) throw UsageError(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
  return content;
}

}  // namespace gpuseq
