#include "runtime/system/huge_buffer.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>

#include "runtime/contract/errors.hpp"
#include "runtime/system/huge_vector.hpp"

namespace gpuseq {

namespace {

constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;

std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

[[noreturn]] void throw_no_memory(std::size_t bytes, int error) {
  throw ResourceError(
      fmt::format("cannot allocate {} bytes of host memory: {}", bytes, std::strerror(error)));
}

void* map_set_aside(std::size_t bytes) {
  constexpr int kOf2MiB = 21 << MAP_HUGE_SHIFT;
  void* mapping = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | kOf2MiB, -1, 0);
  if (mapping == MAP_FAILED)
    throw ResourceError(
        fmt::format("cannot allocate {} bytes on explicit huge pages: {}; "
                    "/proc/sys/vm/nr_hugepages says how many are set aside",
                    bytes, std::strerror(errno)));
  return mapping;
}

}  // namespace

void advise_huge_pages(void* memory, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t begin = round_up(address, kHugePageBytes);
  const std::uintptr_t end = (address + bytes) / kHugePageBytes * kHugePageBytes;
  if (begin < end) madvise(static_cast<std::byte*>(memory) + (begin - address), end - begin, MADV_HUGEPAGE);
}

HugeBuffer::HugeBuffer(std::size_t bytes, Pages pages) : bytes_(bytes) {
  if (bytes == 0) return;
  const std::size_t unit =
      pages != Pages::small ? kHugePageBytes : static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  if (bytes > std::numeric_limits<std::size_t>::max() / 2) throw_no_memory(bytes, ENOMEM);
  mapped_bytes_ = round_up(bytes, unit);
  if (pages == Pages::set_aside) {
    data_ = map_set_aside(mapped_bytes_);
    return;
  }
  // mmap aligns to a small page only: maps one unit more and unmaps the ends.
  const std::size_t slack = pages == Pages::huge ? unit : 0;
  void* mapping =
      mmap(nullptr, mapped_bytes_ + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) throw_no_memory(bytes, errno);
  char* begin = static_cast<char*>(mapping);
  const std::size_t before = slack == 0 ? 0
                                        : round_up(reinterpret_cast<std::uintptr_t>(begin), unit) -
                                              reinterpret_cast<std::uintptr_t>(begin);
  if (before > 0) munmap(begin, before);
  if (slack > before) munmap(begin + before + mapped_bytes_, slack - before);
  data_ = begin + before;

  // Advice only: a kernel without transparent huge pages rejects it, and the memory stays usable.
  madvise(data_, mapped_bytes_, pages == Pages::huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
}

HugeBuffer::~HugeBuffer() {
  if (data_ != nullptr) munmap(data_, mapped_bytes_);
}

}  // namespace gpuseq
