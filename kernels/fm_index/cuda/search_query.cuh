#pragma once

#include "kernels/fm_index/cuda/search_device.cuh"

namespace gpuseq::fm_index {

/// Reads a packed query a word at a time: 16 bytes (64 bases) a load, kept in registers.
class QueryReader {
 public:
  /// @param units the query's first 16 bytes
  GPUSEQ_HD void open(const u8* units) {
    next_ = units;
    waiting_ = 0;
    load();
    bits_ = 0;
    held_ = 0;
    append();
  }
  /// The first `symbols` (0 ... 15) bases as a word; to be called once, right after open().
  GPUSEQ_HD u32 take_prefix(u32 symbols) {
    const u32 word = static_cast<u32>(bits_) & ((1u << (2 * symbols)) - 1);
    bits_ >>= 2 * symbols;
    held_ -= symbols;
    return word;
  }
  /// The next k bases. Reads no further than the 16 bytes that hold them.
  template <u32 k>
  GPUSEQ_HD u32 take() {
    if (held_ < k) {
      if (waiting_ == 0) load();
      append();
    }
    const u32 word = static_cast<u32>(bits_) & (~0u >> (32 - 2 * k));
    bits_ >>= 2 * k;
    held_ -= k;
    return word;
  }

 private:
  GPUSEQ_HD void load() {
    unit_ = load_piece<true>(next_);
    next_ += sizeof(Piece);
    waiting_ = 4;
  }
  GPUSEQ_HD void append() {
    bits_ |= u64{unit_.word[0]} << (2 * held_);
    held_ += 16;
    unit_.word[0] = unit_.word[1];
    unit_.word[1] = unit_.word[2];
    unit_.word[2] = unit_.word[3];
    --waiting_;
  }

  const u8* next_ = nullptr;
  u64 bits_ = 0;     // bases to come, the next in the lowest bits
  u32 held_ = 0;     // how many of them
  u32 waiting_ = 0;  // words of unit_ not yet in bits_
  Piece unit_{};
};

}  // namespace gpuseq::fm_index
