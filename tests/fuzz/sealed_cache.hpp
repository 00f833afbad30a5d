#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "runtime/io/hash.hpp"

// Cache files with right checksums, whatever they hold: a checksum tells damage, not who wrote a file. The
// formats are those of kernels/fm_index/data/cache.cpp, kernels/exact_match/data/cache.cpp and
// runtime/cuda/cubin_cache.cpp; the targets check at their start that a file which the program wrote is
// sealed as it is.

namespace gpuseq::fuzz {

inline std::uint64_t word(const std::string& file, std::size_t index) {
  std::uint64_t value;
  std::memcpy(&value, file.data() + 8 * index, sizeof value);
  return value;
}

inline void set_word(std::string& file, std::size_t index, std::uint64_t value) {
  std::memcpy(file.data() + 8 * index, &value, sizeof value);
}

/// Of at most `size` bytes from `begin` on that are there.
inline std::uint64_t sum(std::string_view file, std::size_t begin, std::size_t size) {
  return Hash().update(file.substr(std::min(begin, file.size()), size)).value();
}

/// A sorted text: 16 words, the column, the suffix array.
inline std::string sealed_bwt(std::string_view content) {
  constexpr std::size_t kColumnBytes = 11, kHeaderBytes = 128;
  std::string file(content);
  if (file.size() < kHeaderBytes) return file;
  const std::uint64_t column = word(file, kColumnBytes);
  set_word(file, kColumnBytes + 1, sum(content, kHeaderBytes, column));
  if (column < file.size())
    set_word(file, kColumnBytes + 3, sum(content, kHeaderBytes + column, word(file, kColumnBytes + 2)));
  set_word(file, 15, sum(file, 0, 8 * 15));
  return file;
}

/// A suffix tree: 12 words, then nodes, ranges, leaves' parents, leaves' depths and leaves, each of one
/// piece.
inline std::string sealed_tree(std::string_view content) {
  constexpr std::size_t kHeaderBytes = 96, kMost = 1 << 20;
  std::string file(content);
  if (file.size() < kHeaderBytes) return file;
  const std::size_t letters = word(file, 3), nodes = word(file, 4), leaves = word(file, 5);
  if (letters < kMost && nodes < kMost && leaves < kMost) {
    std::size_t at = kHeaderBytes, number = 6;
    for (const std::size_t bytes : {nodes * 32, nodes * 8, letters * 4, letters, leaves * 4}) {
      const std::uint64_t piece = sum(content, at, bytes);
      set_word(file, number++, Hash().update(std::span(&piece, bytes > 0 ? 1u : 0u)).value());
      at += bytes;
    }
  }
  set_word(file, 11, sum(file, 0, 8 * 11));
  return file;
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
