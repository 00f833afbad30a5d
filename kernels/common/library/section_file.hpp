#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/common/library/c_interface.hpp"
#include "runtime/cuda/device/host_device.cuh"
#include "runtime/system/threads.hpp"

// Index files of exported libraries: a head of numbers, then sections that are used in mapped memory. All
// numbers are little-endian; FORMAT.md of each library has the offsets.

namespace gpuseq::library {

/// Identifies a kind of file; determines the size of its head.
struct FileFormat {
  std::string_view magic;  // 8 letters
  u32 version = 1;
  u32 fields = 0;  // number of 64-bit numbers that describe the sections
  u32 sections = 0;

  u64 head_bytes() const { return 40 + u64{8} * fields + u64{24} * sections; }
};

/// Sections begin at multiples of this, so that they are as aligned as in memory.
inline constexpr u64 kSectionAlignment = 4096;

/// Writes a file atomically: a reader sees the old or the new file.
/// @throws ResourceError with the path and the reason
void write_section_file(const std::filesystem::path& path, const FileFormat& format,
                        std::span<const u64> fields, std::span<const std::span<const std::byte>> sections);

/// A mapped file with a valid head: sections are inside it and do not overlap. Their content is not checked.
class SectionFile {
 public:
  /// @throws RefusedFile with the value found, its place, and
  /// the allowed ones; UsageError if the file cannot be read
  SectionFile(const std::filesystem::path& path, const FileFormat& format);
  ~SectionFile();
  SectionFile(const SectionFile&) = delete;
  SectionFile& operator=(const SectionFile&) = delete;

  u64 field(u32 number) const;
  std::span<const std::byte> section(u32 number) const { return sections_[number]; }

  /// @throws RefusedFile if a section is damaged; does not detect malicious changes
  void check_sums(ThreadPool& pool) const;
  /// @throws RefusedFile with the file, the offset of a field, and its value
  [[noreturn]] void refuse_field(u32 number, std::string_view what, std::string_view allowed) const;
  [[noreturn]] void refuse(u64 offset, std::string_view problem) const;
  /// The file offset of a byte in a section.
  u64 offset_of(u32 section, u64 byte) const;

 private:
  void check_head(u64 bytes);

  std::filesystem::path path_;
  FileFormat format_;
  const std::byte* data_ = nullptr;
  u64 bytes_ = 0;
  std::vector<std::span<const std::byte>> sections_;
};

}  // namespace gpuseq::library
