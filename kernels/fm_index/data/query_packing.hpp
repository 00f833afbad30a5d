#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "kernels/fm_index/data/base_code.hpp"

// Queries as QueryView has them: 2 bits per base, the last base first, in the lowest bits.

namespace gpuseq::fm_index {

/// 32-bit words of a packed query: whole units of 16 bytes.
constexpr u64 packed_words(u64 bases) {
  return (bases + 63) / 64 * 4;
}

/// Puts the base that is met as the `at`-th, from 0, into a packed query that was zero there.
constexpr void put_base(u32* packed, u64 at, u32 code) {
  packed[at / 16] |= code << (2 * (at % 16));
}

inline constexpr u8 kOtherLetter = 4;
/// The code of every letter; kOtherLetter for those that are no base.
inline constexpr std::array<u8, 256> kLetterCodes = [] {
  std::array<u8, 256> codes{};
  for (std::size_t letter = 0; letter < codes.size(); ++letter)
    codes[letter] = base_code(static_cast<char>(letter)).value_or(kOtherLetter);
  return codes;
}();

/// Packs a query. @param packed  [packed_words(letters.size())] overwritten up to the last base; zeros behind
/// it
/// @returns false where a letter is none of A C G T; `packed` is then no query
constexpr bool pack_query(std::string_view letters, u32* packed) {
  u32 seen = 0;
  for (std::size_t left = letters.size(); left > 0; ++packed) {
    u32 word = 0;
    for (u32 i = 0; i < 16 && left > 0; ++i) {
      const u32 code = kLetterCodes[static_cast<u8>(letters[--left])];
      seen |= code;
      word |= code << (2 * i);
    }
    *packed = word;
  }
  return (seen & kOtherLetter) == 0;
}

}  // namespace gpuseq::fm_index
