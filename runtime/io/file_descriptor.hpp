#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

namespace gpuseq {

/// Owns a POSIX file descriptor.
class FileDescriptor {
 public:
  explicit FileDescriptor(int descriptor = -1) : descriptor_(descriptor) {}
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }

  /// Writes all of `bytes`; returns 0, or errno of the failure (then a part may be written).
  int write_all(std::string_view bytes) const;
  /// Reads exactly `bytes` bytes from `offset` on; false if the file ends before or cannot be read.
  bool read_all_at(std::uint64_t offset, void* to, std::uint64_t bytes) const;

 private:
  int descriptor_;
};

}  // namespace gpuseq
