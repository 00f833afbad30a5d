#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <vector>

#include "kernels/common/suffix_sort.hpp"
#include "runtime/system/huge_vector.hpp"

namespace gpuseq {

/// 32 letters of a suffix, the first highest, and a number that distinguishes suffixes that end within them.
struct SuffixKey {
  u64 letters;
  u32 end;  // kGoesOn, or a number that orders keys with the same letters
};

/// A text with two bits per letter, a quarter of its size in bytes, so that more of it stays in caches.
class PackedLetters {
 public:
  static constexpr u32 kKeyLetters = 32;

  static u64 bytes(u64 text_letters, SuffixEnds ends) {
    return (text_letters / kKeyLetters + 2) *
           (ends == SuffixEnds::text ? sizeof(u64) : sizeof(u64) + sizeof(u32));
  }

  PackedLetters(std::span<const u8> text, SuffixEnds ends, ThreadPool& pool)
      : ends_(ends), text_letters_(text.size()), words_(huge_vector<u64>(text.size() / kKeyLetters + 2)) {
    if (ends == SuffixEnds::separators) separators_ = huge_vector<u32>(words_.size());
    pool.parallel_for(words_.size(), kWordsPerTask, [&](std::size_t begin, std::size_t end) {
      for (u64 i = begin; i < end; ++i) pack(text, i);
    });
  }

  /// Letters from `at` on; `at` may be past the text.
  u64 letters_at(u64 at) const { return joined(words_[at / 32], words_[at / 32 + 1], at % 32); }

  /// Calls `take` with each position from `begin` to `end`, and the letters there.
  template <typename Take>
  void for_letters(u64 begin, u64 end, const Take& take) const {
    for (u64 at = begin; at < end;) {
      u64 letters = letters_at(at), next = words_[at / kKeyLetters + 1] << (2 * (at % kKeyLetters));
      for (const u64 last = std::min(end, (at / kKeyLetters + 1) * kKeyLetters); at < last; ++at) {
        take(at, letters);
        letters = letters << 2 | next >> 62;
        next <<= 2;
      }
    }
  }

  SuffixKey key_at(u64 at) const {
    const u64 letters = letters_at(at);
    if (ends_ == SuffixEnds::text) {
      // Letters past the text are 0; of equal keys the suffix that ends sooner is smaller.
      const u64 left = text_letters_ - at;
      return {letters, left >= kKeyLetters ? kGoesOn : static_cast<u32>(left)};
    }
    // Letters from a separator on are 3; of equal keys the suffix that ends sooner is greater.
    const u64 shift = at % 32;
    const u32 separators =
        static_cast<u32>(((u64{separators_[at / 32]} << 32 | separators_[at / 32 + 1]) << shift) >> 32);
    if (separators == 0) return {letters, kGoesOn};
    const u32 left = static_cast<u32>(std::countl_zero(separators));
    return {letters | ~u64{0} >> (2 * left), kGoesOn + kKeyLetters - left};
  }
  /// `end` of a key in which its suffix does not end. The others are smaller for `$` and
  /// greater for separators.
  static constexpr u32 kGoesOn = kKeyLetters;

 private:
  static constexpr std::size_t kWordsPerTask = std::size_t{1} << 13;

  static u64 joined(u64 first, u64 second, u64 letters) {
    return letters == 0 ? first : first << (2 * letters) | second >> (64 - 2 * letters);
  }

  /// The two low bits of each of eight bytes, and their third bits, the first byte highest.
  static u64 low_bits(u64 bytes) {
    bytes &= 0x0303030303030303;
    bytes = (bytes | bytes >> 6) & 0x000f000f000f000f;
    bytes = (bytes | bytes >> 12) & 0x000000ff000000ff;
    return (bytes | bytes >> 24) & 0xffff;
  }
  static u64 third_bits(u64 bytes) {
    bytes = bytes >> 2 & 0x0101010101010101;
    bytes = (bytes | bytes >> 7) & 0x0003000300030003;
    bytes = (bytes | bytes >> 14) & 0x0000000f0000000f;
    return (bytes | bytes >> 28) & 0xff;
  }

  void pack(std::span<const u8> text, u64 word) {
    std::array<u8, kKeyLetters> padded{};
    const u64 begin = std::min<u64>(word * kKeyLetters, text.size());
    const u64 count = std::min<u64>(kKeyLetters, text.size() - begin);
    const u8* from = count == kKeyLetters ? &text[begin] : padded.data();
    std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(begin), count == kKeyLetters ? 0 : count,
                padded.begin());
    u64 letters = 0, separators = 0;
    for (u32 i = 0; i < kKeyLetters; i += 8) {
      u64 bytes;
      std::memcpy(&bytes, from + i, sizeof bytes);
      if constexpr (std::endian::native == std::endian::little) bytes = __builtin_bswap64(bytes);
      letters = letters << 16 | low_bits(bytes);
      separators = separators << 8 | third_bits(bytes);
    }
    words_[word] = letters;
    if (!separators_.empty()) separators_[word] = static_cast<u32>(separators);
  }

  SuffixEnds ends_;
  u64 text_letters_;
  std::vector<u64> words_;
  std::vector<u32> separators_;  // one bit per letter, in words of 32
};

}  // namespace gpuseq
