#pragma once

#include "kernels/papara/cuda/score_costs.cuh"

// Amino acids. A set of 20 does not fit the bytes or registers that hold the costs of four bases, and a row
// has one letter. References are therefore packed letter by letter, one bit for each column and lane, and a
// row reads the bits of its letter. These bits are shifted to the highest bit of their bytes: one
// instruction, which can repeat a byte's highest bit, then makes a mask of a column's lanes.

namespace gpuseq::papara {

/// Bits of a word whose columns have `lanes` lanes each.
template <u32 lanes>
struct LetterBits {
  static constexpr u32 columns = kWordBits / lanes;  // per word
  static constexpr u32 at_once = 4 / lanes;          // columns whose bits are the highest of their
                                                     // bytes after one shift

  /// The column's bits in bit 0 of each lane.
  GPUSEQ_HD static u32 flags(u32 word, u32 column) {
    return word >> letter_bit(lanes, column) & (lanes == 2 ? 0x10001u : 1u);
  }
  /// The column's bits in all bits of each lane.
  GPUSEQ_HD static u32 mask(u32 word, u32 column) {
    const u32 bytes = lanes == 2 ? 0xaa88u : 0x8888u;
    return select_bytes(word << (column / at_once), 0, bytes + 0x1111u * (column % at_once));
  }
};

/// The bits of a row's letter in a block.
template <class Tuned>
struct LetterRow {
  static constexpr u32 words = words_of_letter(Tuned::value);
  u32 bits[words];
};

/// Location of the letters of a thread's references, for the columns of a block or (row-wise) of a word.
template <class Tuned>
struct LettersAt {
  static constexpr u32 words = words_of_letter(Tuned::value);
  const u32* first;
  u32 stride;  // between words

  /// @param letter  or cgap_letter, for CGAP
  GPUSEQ_HD LetterRow<Tuned> row(u32 letter) const {
    LetterRow<Tuned> row;
#pragma unroll
    for (u32 word = 0; word < words; ++word)
      row.bits[word] = read_early(first + u64{letter * words + word} * stride);
    return row;
  }
  /// @param base  a query's word: a letter, or any of a set
  GPUSEQ_HD LetterRow<Tuned> of(u32 base) const {
    if (!(base & kAmbiguous)) return row(base);
    LetterRow<Tuned> any{};
#pragma unroll 1
    for (u32 letter = 0; letter < cgap_letter; ++letter) {
      if (!(base >> letter & 1)) continue;
      const LetterRow<Tuned> one = row(letter);
#pragma unroll
      for (u32 word = 0; word < words; ++word) any.bits[word] |= one.bits[word];
    }
    return any;
  }

  static constexpr u32 cgap_letter = letters_of(Alphabet::protein);

 private:
  /// Forces the load here: the compiler would move it to its use and wait there.
  GPUSEQ_HD static u32 read_early(const u32* at) {
#if defined(__CUDA_ARCH__)
    u32 value;
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(value) : "l"(at));
    return value;
#else
    return *at;
#endif
  }
};

/// c of every column with a match and without: two registers, selected by the row's letter.
template <class Tuned>
struct LetterCosts {
  static constexpr u32 columns = Tuned::value.unroll;
  static constexpr u32 lanes = Tuned::value.lanes();
  using L = Lanes<Tuned::value.arithmetic>;
  using Bits = LetterBits<lanes>;
  u32 match[columns], mismatch[columns];

  /// @param cgap  in bit 0 of each lane
  GPUSEQ_HD void set(u32 column, u32 cgap, const CostWords<Tuned::value.arithmetic>& words) {
    match[column] = choose<lanes>(cgap, words.cgap_match, words.match);
    mismatch[column] = choose<lanes>(cgap, words.cgap_mismatch, words.mismatch);
    if (!multiplies<Tuned>(column)) return;
    // Both have the same sign (exactness.cpp checks it): otherwise lanes could not be selected one by one.
    match[column] = L::carrying(match[column]);
    mismatch[column] = L::carrying(mismatch[column]);
  }
  GPUSEQ_HD u32 of(u32 column, const LetterRow<Tuned>& row) const {
    const u32 mask = Bits::mask(row.bits[column / Bits::columns], column % Bits::columns);
    return (match[column] & mask) | (mismatch[column] & ~mask);
  }
  GPUSEQ_HD u32 lanes_of(u32 column, const LetterRow<Tuned>& row) const {
    return multiplies<Tuned>(column) ? L::without_carry(of(column, row)) : of(column, row);
  }
};

}  // namespace gpuseq::papara
