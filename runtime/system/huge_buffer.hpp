#pragma once

#include <cstddef>
#include <utility>

namespace gpuseq {

/// Pages of 4 KiB; transparent huge pages, by advice to the kernel; or 2 MiB huge pages reserved
/// by vm.nr_hugepages.
enum class Pages { small, huge, set_aside };

/// Page-aligned host memory, zeroed.
class HugeBuffer {
 public:
  HugeBuffer() = default;
  /// @throws ResourceError with the size if the memory is not available, e.g. with too few reserved pages
  explicit HugeBuffer(std::size_t bytes, Pages pages = Pages::huge);
  ~HugeBuffer();
  HugeBuffer(HugeBuffer&& other) noexcept { swap(other); }
  HugeBuffer& operator=(HugeBuffer&& other) noexcept {
    swap(other);
    return *this;
  }
  std::byte* data() { return static_cast<std::byte*>(data_); }
  const std::byte* data() const { return static_cast<const std::byte*>(data_); }
  std::size_t size() const { return bytes_; }

 private:
  void swap(HugeBuffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(mapped_bytes_, other.mapped_bytes_);
  }
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t mapped_bytes_ = 0;
};

}  // namespace gpuseq
