#pragma once

#define XXH_STATIC_LINKING_ONLY  // makes the state a complete type
#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gpuseq {

/// A 64-bit hash of content for cache keys and problem hashes; not secure against adversaries. XXH64 with
/// seed 0: any XXH64 tool gives the same digits.
class Hash {
 public:
  Hash();
  Hash& update(std::span<const std::byte> bytes);
  Hash& update(std::string_view text) { return update(std::as_bytes(std::span(text.data(), text.size()))); }
  /// The bytes of the elements, which must have no padding.
  template <typename T>
  Hash& update(std::span<const T> values) {
    return update(std::as_bytes(values));
  }

  /// Hash of all data so far; more may follow.
  std::uint64_t value() const;
  /// value() as 16 hexadecimal digits.
  std::string hex16() const;

 private:
  XXH64_state_t state_;
};

/// hex16() of one text.
std::string hash_hex16(std::string_view text);

}  // namespace gpuseq
