#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "runtime/io/hash.hpp"

// Cache files with right checksums, whatever they hold: a checksum tells damage, not who wrote a file. The
// format is that of runtime/cuda/cubin_cache.cpp; the target checks at its start that a file which the
// program wrote is sealed as it is.

namespace gpuseq::fuzz {

inline std::uint64_t word(const std::string& file, std::size_t index) {
  std::uint64_t value;
  std::memcpy(&value, file.data() + 8 * index, sizeof value);
  return value;
}

inline void set_word(std::string& file, std::size_t index, std::uint64_t value) {
  std::memcpy(file.data() + 8 * index, &value, sizeof value);
}

/// A checksum of at most `size` bytes from `begin` on that are there.
inline std::uint64_t sum(std::string_view file, std::size_t begin, std::size_t size) {
  return Hash().update(file.substr(std::min(begin, file.size()), size)).value();
}

/// A compiled kernel: 7 words, of which the checksum covers four lengths, then four parts.
inline std::string sealed_cubin(std::string_view content) {
  constexpr std::size_t kHeaderBytes = 56;
  std::string file(content);
  if (file.size() < kHeaderBytes) return file;
  Hash hash;
  hash.update(std::string_view(file).substr(16, 32)).update(std::string_view(file).substr(kHeaderBytes));
  set_word(file, 6, hash.value());
  return file;
}

}  // namespace gpuseq::fuzz
