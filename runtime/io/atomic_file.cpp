#include "runtime/io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include "runtime/contract/errors.hpp"
#include "runtime/io/staged_file.hpp"

namespace gpuseq {

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
  StagedFile file(path);
  for (const std::string_view part : parts)
    file.out().write(part.data(), static_cast<std::streamsize>(part.size()));
  file.commit(durability);
}

FileDescriptor open_regular_file(const std::filesystem::path& path) {
  const auto refuse = [&](const char* why) {
    throw UsageError(fmt::format("cannot read {}: {}", path.string(), why));
  };
  // A blocking open() would wait for a pipe without a writer.
  FileDescriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (!file || fstat(file.get(), &status) != 0) refuse(std::strerror(errno));
  if (!S_ISREG(status.st_mode)) refuse(S_ISDIR(status.st_mode) ? "it is a folder" : "it is no regular file");
  return file;
}

std::string read_file(const std::filesystem::path& path) {
  const FileDescriptor file = open_regular_file(path);
  std::string content;
  std::array<char, 1 << 16> buffer;
  ssize_t got = 1;
  while (got > 0) {
    got = read(file.get(), buffer.data(), buffer.size());
    if (got > 0) content.append(buffer.data(), static_cast<std::size_t>(got));
    if (got < 0 && errno == EINTR) got = 1;
  }
  if (got < 0) throw UsageError(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
  return content;
}

}  // namespace gpuseq
