#include "kernels/common/library/section_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "runtime/io/atomic_file.hpp"
#include "runtime/io/file_descriptor.hpp"
#include "runtime/io/hash.hpp"

namespace gpuseq::library {
namespace {

static_assert(std::endian::native == std::endian::little, "files are used as they are mapped");

// Offsets in the head.
constexpr u64 kVersionAt = 8, kSectionsAt = 12, kFileBytesAt = 16, kFieldsAt = 24, kSumAt = 32,
              kFirstFieldAt = 40;

struct Place {
  u64 offset, bytes, checksum;
};

u64 aligned(u64 offset) {
  return (offset + kSectionAlignment - 1) / kSectionAlignment * kSectionAlignment;
}

template <typename T>
void put(std::string& head, u64 at, T value) {
  std::memcpy(head.data() + at, &value, sizeof value);
}

template <typename T>
T get(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The checksum of the head without the checksum itself.
u64 head_checksum(std::string_view head) {
  return Hash().update(head.substr(0, kSumAt)).update(head.substr(kFirstFieldAt)).value();
}

/// A magic for a message, with dots for characters other than letters and digits.
std::string shown(std::string_view magic) {
  std::string shown(magic);
  std::ranges::replace_if(
      shown, [](char letter) { return letter < '0' || letter > 'z'; }, '.');
  return shown;
}

}  // namespace

void write_section_file(const std::filesystem::path& path, const FileFormat& format,
                        std::span<const u64> fields, std::span<const std::span<const std::byte>> sections) {
  std::string head(format.head_bytes(), '\0');
  std::memcpy(head.data(), format.magic.data(), 8);
  put(head, kVersionAt, format.version);
  put(head, kSectionsAt, format.sections);
  put(head, kFieldsAt, u64{format.fields});
  for (std::size_t i = 0; i < fields.size(); ++i) put(head, kFirstFieldAt + 8 * i, fields[i]);
  static constexpr std::array<char, kSectionAlignment> kPadding{};
  std::vector<std::string_view> parts{head};
  u64 end = head.size(), place = kFirstFieldAt + u64{8} * format.fields;
  for (const auto& section : sections) {
    parts.emplace_back(kPadding.data(), aligned(end) - end);
    if (!section.empty()) parts.push_back(text_of(section));
    put(head, place, Place{aligned(end), section.size(), Hash().update(section).value()});
    end = aligned(end) + section.size();
    place += sizeof(Place);
  }
  put(head, kFileBytesAt, end);
  put(head, kSumAt, head_checksum(head));
  write_file_atomically(path, parts);
}

SectionFile::SectionFile(const std::filesystem::path& path, const FileFormat& format)
    : path_(path), format_(format) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat info {};
  if (!file || fstat(file.get(), &info) != 0)
    throw UsageError(fmt::format("{}: {}", path.string(), std::strerror(errno)));
  if (!S_ISREG(info.st_mode)) throw UsageError(fmt::format("{}: is no regular file", path.string()));
  const u64 bytes = static_cast<u64>(info.st_size);
  if (bytes < format.head_bytes())
    refuse(bytes, fmt::format("the file ends, allowed: a head of {} bytes", format.head_bytes()));
  void* mapping = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file.get(), 0);
  if (mapping == MAP_FAILED)
    throw ResourceError(fmt::format("{}: cannot be mapped: {}", path.string(), std::strerror(errno)));
  data_ = static_cast<const std::byte*>(mapping);
  bytes_ = bytes;
  try {
    check_head(bytes);
  } catch (...) {
    munmap(const_cast<std::byte*>(data_), bytes_);
    throw;
  }
}

SectionFile::~SectionFile() {
  munmap(const_cast<std::byte*>(data_), bytes_);
}

void SectionFile::check_head(u64 bytes) {
  const std::string_view head = text_of({data_, format_.head_bytes()});
  if (head.substr(0, 8) != format_.magic)
    refuse(0, fmt::format("magic: found '{}', allowed: '{}'", shown(head.substr(0, 8)), format_.magic));
  const auto require = [&](u64 at, std::string_view what, u64 found, u64 allowed) {
    if (found != allowed) refuse(at, fmt::format("{}: found {}, allowed: {}", what, found, allowed));
  };
  require(kVersionAt, "format version", get<u32>(data_ + kVersionAt), format_.version);
  require(kSectionsAt, "sections", get<u32>(data_ + kSectionsAt), format_.sections);
  require(kFieldsAt, "fields", get<u64>(data_ + kFieldsAt), format_.fields);
  require(kFileBytesAt, "bytes of the file", get<u64>(data_ + kFileBytesAt), bytes);
  if (get<u64>(data_ + kSumAt) != head_checksum(head))
    refuse(kSumAt, fmt::format("checksum of the head: found {:016x}, allowed: {:016x}",
                               get<u64>(data_ + kSumAt), head_checksum(head)));
  u64 end = format_.head_bytes(), at = kFirstFieldAt + u64{8} * format_.fields;
  for (u32 i = 0; i < format_.sections; ++i, at += sizeof(Place)) {
    const Place place = get<Place>(data_ + at);
    if (place.offset != aligned(end) || place.offset > bytes || place.bytes > bytes - place.offset)
      refuse(at, fmt::format("section {}: found {} bytes at {}, allowed: from {}, up to {}", i, place.bytes,
                             place.offset, aligned(end), bytes));
    sections_.emplace_back(data_ + place.offset, place.bytes);
    end = place.offset + place.bytes;
  }
  require(at, "end of the last section", end, bytes);
}

u64 SectionFile::field(u32 number) const {
  return get<u64>(data_ + kFirstFieldAt + u64{8} * number);
}

void SectionFile::check_sums(ThreadPool& pool) const {
  pool.parallel_for(sections_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const u64 at = kFirstFieldAt + u64{8} * format_.fields + sizeof(Place) * i;
      if (Hash().update(sections_[i]).value() != get<Place>(data_ + at).checksum)
        refuse(static_cast<u64>(sections_[i].data() - data_),
               fmt::format("section {}: its bytes do not match the checksum at byte {}", i, at + 16));
    }
  });
}

void SectionFile::refuse(u64 offset, std::string_view problem) const {
  throw RefusedFile(fmt::format("{}: at byte {}: {}", path_.string(), offset, problem));
}

void SectionFile::refuse_field(u32 number, std::string_view what, std::string_view allowed) const {
  refuse(kFirstFieldAt + u64{8} * number,
         fmt::format("{}: found {}, allowed: {}", what, field(number), allowed));
}

u64 SectionFile::offset_of(u32 section, u64 byte) const {
  return static_cast<u64>(sections_[section].data() - data_) + byte;
}

}  // namespace gpuseq::library
