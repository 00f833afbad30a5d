#pragma once

#include "kernels/common/library/section_file.hpp"
#include "tests/fuzz/fuzz_input.hpp"
#include "tests/fuzz/sealed_cache.hpp"

// Index files of exported libraries with right checksums, whatever they hold.

namespace gpuseq::fuzz {

/// A kind of file by the numbers of its fields and sections.
struct SectionFileShape {
  std::size_t fields, sections;

  std::size_t places() const { return 40 + 8 * fields; }
  std::size_t head_bytes() const { return places() + 24 * sections; }
};

/// With right checksums of the head and of those sections that lie in the file.
inline std::string sealed_sections(std::string file, const SectionFileShape& shape) {
  constexpr std::size_t kSum = 32;
  if (file.size() < shape.head_bytes()) return file;
  for (std::size_t place = shape.places(); place < shape.head_bytes(); place += 24) {
    const std::uint64_t offset = word(file, place / 8), bytes = word(file, place / 8 + 1);
    if (offset <= file.size() && bytes <= file.size() - offset)
      set_word(file, place / 8 + 2, sum(file, offset, bytes));
  }
  Hash hash;
  hash.update(std::string_view(file).substr(0, kSum));
  hash.update(std::string_view(file).substr(kSum + 8, shape.head_bytes() - kSum - 8));
  set_word(file, kSum / 8, hash.value());
  return file;
}

/// A sound file with changes, each a place in 16 bits, among the
/// bytes that mean something, and a number added to the byte there.
inline std::string changed_sections(std::string file, const SectionFileShape& shape,
                                    std::string_view changes) {
  std::vector<std::size_t> used;
  for (std::size_t at = 0; at < shape.places(); ++at) used.push_back(at);
  for (std::size_t place = shape.places(); place < shape.head_bytes(); place += 24)
    for (std::size_t at = 0; at < word(file, place / 8 + 1); ++at) used.push_back(word(file, place / 8) + at);
  const auto number = [&](std::size_t i) { return std::size_t{static_cast<unsigned char>(changes[i])}; };
  for (std::size_t i = 0; i + 2 < changes.size(); i += 3) {
    char& byte = file[used[(number(i) | number(i + 1) << 8) % used.size()]];
    byte = static_cast<char>(byte + static_cast<char>(number(i + 2)));
  }
  return file;
}

}  // namespace gpuseq::fuzz
