#pragma once

#include "runtime/cuda/device/warp.cuh"

// Read-only loads, and with them the letters of texts and strands, one or four at a time.

namespace gpuseq::exact_match {

/// @param address  8-byte aligned, memory that the kernel does not write
GPUSEQ_HD u64 load_eight(const u8* address) {
  u64 word;
#if defined(__CUDA_ARCH__)
  asm("ld.global.nc.u64 %0, [%1];" : "=l"(word) : "l"(address));
#else
  __builtin_memcpy(&word, __builtin_assume_aligned(address, 8), sizeof word);
#endif
  return word;
}

/// Loads a byte that the kernel does not write.
GPUSEQ_HD u8 load_byte(const u8* address) {
#if defined(__CUDA_ARCH__)
  u32 byte;
  asm("ld.global.nc.u8 %0, [%1];" : "=r"(byte) : "l"(address));
  return static_cast<u8>(byte);
#else
  return *address;
#endif
}

GPUSEQ_HD u32 load_number(const u32* address) {
  return load_word<true>(reinterpret_cast<const u8*>(address));
}

/// The lowest nonzero byte of a word.
GPUSEQ_HD u32 first_byte(u32 word) {
#if defined(__CUDA_ARCH__)
  return static_cast<u32>(__ffs(static_cast<int>(word)) - 1) / 8;
#else
  return static_cast<u32>(__builtin_ctz(word)) / 8;
#endif
}

/// The lower 32 bits of high : low shifted by less than 32.
GPUSEQ_HD u32 shift_right(u32 low, u32 high, u32 bits) {
#if defined(__CUDA_ARCH__)
  return __funnelshift_r(low, high, bits);
#else
  return static_cast<u32>((u64{high} << 32 | low) >> bits);
#endif
}

GPUSEQ_HD u32 reversed_bytes(u32 word) {
#if defined(__CUDA_ARCH__)
  return __byte_perm(word, 0, 0x0123);
#else
  return __builtin_bswap32(word);
#endif
}

/// Letters from any address on, four at a time, by aligned loads up to the word with the letter after the
/// requested ones. Eight at a time would need more registers and so reduce the resident threads.
class LetterStream {
 public:
  GPUSEQ_HD explicit LetterStream(const u8* letters)
      : shift_(static_cast<u32>(reinterpret_cast<u64>(letters) % 4) * 8),
        at_(reinterpret_cast<const u32*>(letters - shift_ / 8)),
        low_(load_number(at_)) {}
  GPUSEQ_HD u32 next() {
    const u32 high = load_number(++at_);
    const u32 word = shift_right(low_, high, shift_);
    low_ = high;
    return word;
  }

 private:
  u32 shift_;  // bits
  const u32* at_;
  u32 low_;
};

/// Letters of a strand: those of a query, or their complements from the query's end on.
class StrandLetters {
 public:
  /// @param letters  the query's; reads extend up to 7 letters beyond either end of the query
  GPUSEQ_HD StrandLetters(const u8* letters, u32 length, bool reversed)
      : mirror_(2 * reinterpret_cast<u64>(letters) + length - 1), reversed_(reversed) {}

  /// @param at  an address in the strand as if its letters were stored at those of the query
  GPUSEQ_HD const u8* place(const u8* at) const {
    return reversed_ ? reinterpret_cast<const u8*>(mirror_ - reinterpret_cast<u64>(at)) : at;
  }
  GPUSEQ_HD u8 letter(const u8* at) const {
    const u8 code = load_byte(place(at));
    return reversed_ && code < 4 ? static_cast<u8>(3 - code) : code;
  }

  /// Like LetterStream, for the strand.
  class Stream {
   public:
    GPUSEQ_HD Stream(const u8* place, bool reversed)
        : shift_((static_cast<u32>(reinterpret_cast<u64>(place)) + (reversed ? 1 : 0)) % 4 * 8),
          at_(reinterpret_cast<const u32*>((reinterpret_cast<u64>(place) + (reversed ? 1 : 0)) / 4 * 4)),
          last_(load_number(at_)),
          reversed_(reversed) {}
    GPUSEQ_HD u32 next() {
      at_ += reversed_ ? -1 : 1;
      const u32 word = load_number(at_);
      const u32 letters = reversed_ ? shift_right(word, last_, shift_) : shift_right(last_, word, shift_);
      last_ = word;
      return reversed_ ? complements(reversed_bytes(letters)) : letters;
    }

   private:
    u32 shift_;  // bits
    const u32* at_;
    u32 last_;
    bool reversed_;
  };
  GPUSEQ_HD Stream stream(const u8* at) const { return {place(at), reversed_}; }

 private:
  /// Complements four codes; codes above 3 are unchanged.
  GPUSEQ_HD static u32 complements(u32 codes) { return codes ^ (0x03030303 ^ (codes >> 2 & 0x01010101) * 3); }

  u64 mirror_;  // sum of the addresses of a letter and of its complement
  bool reversed_;
};

}  // namespace gpuseq::exact_match
