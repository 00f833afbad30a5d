#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gpuseq {

/// A 64-bit hash of content for cache keys and problem hashes; not for adversaries. XXH64 (Collet; the
/// specification of xxHash 0.1.1), seed 0: any tool that knows XXH64 gives the same digits.
class Hash {
 public:
  Hash& update(std::span<const std::byte> bytes);
  Hash& update(std::string_view text) { return update(std::as_bytes(std::span(text.data(), text.size()))); }
  /// The bytes of the elements, which must have no padding.
  template <typename T>
  Hash& update(std::span<const T> values) {
    return update(std::as_bytes(values));
  }

  /// Hash of everything given so far; more may follow.
  std::uint64_t value() const;
  /// value() as 16 hexadecimal digits.
  std::string hex16() const;

 private:
  void stripe(const std::byte* bytes);
  std::array<std::uint64_t, 4> lanes_{0x9e3779b185ebca87u + 0xc2b2ae3d27d4eb4fu, 0xc2b2ae3d27d4eb4fu, 0,
                                      0 - 0x9e3779b185ebca87u};
  std::array<std::byte, 32> rest_{};
  std::uint64_t total_bytes_ = 0;
};

/// hex16() of one text.
std::string hash_hex16(std::string_view text);

}  // namespace gpuseq
