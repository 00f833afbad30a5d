#include "runtime/io/hash.hpp"

#include <fmt/format.h>

namespace gpuseq {

Hash::Hash() {
  XXH64_reset(&state_, 0);
}

Hash& Hash::update(std::span<const std::byte> bytes) {
  if (!bytes.empty()) XXH64_update(&state_, bytes.data(), bytes.size());
  return *this;
}

std::uint64_t Hash::value() const {
  return XXH64_digest(&state_);
}

std::string Hash::hex16() const {
  return fmt::format("{:016x}", value());
}

std::string hash_hex16(std::string_view text) {
  return Hash().update(text).hex16();
}

}  // namespace gpuseq
