#pragma once

#include "kernels/papara/scoring.cuh"
#include "runtime/cuda/device/warp.cuh"

// What a scoring kernel is compiled for, and what it is launched with.

namespace gpuseq::papara {

/// How a thread walks through its matrix (Alachiotis et al. 2012, figures 3 and 4).
enum class Scheme : u32 {
  row_wise_global,   // a row after the other, the row in global memory
  blocked_shared,    // blocks of columns, a block's row in shared memory
  blocked_registers  // blocks of columns, a block's row in registers
};

/// The numbers that scores are: lanes of a 32-bit word, a reference each.
enum class Arithmetic : u32 { s32, s16x2, f16x2 };

/// Elements of 5 bits in a word of compressed references.
constexpr u32 kElementsPerWord = 6;
constexpr u32 kElementBits = 5;
constexpr u32 kWarpThreads = 32;
constexpr u32 kWordBits = 32;

/// The compile-time parameters of one kernel. kernels/papara/cuda/policy.cpp lists their values.
struct Policy {
  Scheme scheme = Scheme::blocked_registers;
  Arithmetic arithmetic = Arithmetic::s16x2;
  u32 unroll = 30;         // columns of a block; row-wise: cells of a row in one turn of the loop
  bool compressed = true;  // references at 5 bits an element, or in a word (s32) or half a word each
  u32 threads_per_block = 64;
  bool branched = true;  // costs: a register for each base and code for each, or bytes that are selected
  bool mixed = true;     // branched: sums of the diagonal by the multiply-add pipe in every other column
  bool boundary_in_shared = true;  // blocked: the column between two blocks is in shared or in global memory
  bool printed = false;            // blocked_shared: cells by equation 1 as it is printed, without potentials
  bool square_ends = false;        // blocked_shared: columns at both ends in square blocks, see Ends
  Alphabet alphabet = Alphabet::dna;  // amino acids are packed letter by letter, see score_letters.cuh

  GPUSEQ_HD constexpr u32 lanes() const { return arithmetic == Arithmetic::s32 ? 1 : 2; }
  GPUSEQ_HD constexpr bool blocked() const { return scheme != Scheme::row_wise_global; }
  /// Whether cells are potentials; see score_block.cuh.
  GPUSEQ_HD constexpr bool has_potentials() const { return blocked() && !printed; }
  /// References of a warp.
  GPUSEQ_HD constexpr u32 warp_references() const { return lanes() * kWarpThreads; }
  GPUSEQ_HD constexpr bool by_letters() const { return alphabet != Alphabet::dna; }
  /// Sites of a word: 5 bits an element, or one element of each lane; of one letter, a bit for each lane.
  GPUSEQ_HD constexpr u32 word_sites() const {
    if (by_letters()) return kWordBits / lanes();
    return compressed ? kElementsPerWord / lanes() : 1;
  }
  /// Sites that are packed together, from a word's border on: a block's, or a word's.
  GPUSEQ_HD constexpr u32 pack_sites() const { return blocked() ? unroll : word_sites(); }
  GPUSEQ_HD constexpr u32 pack_words() const {
    const u32 words = (pack_sites() + word_sites() - 1) / word_sites();
    return by_letters() ? (letters_of(alphabet) + 1) * words : words;  // CGAP is one letter more
  }
  /// Whether sums along the diagonal are multiply-adds, in every other column. Halves have an addition that
  /// is off the pipe of minima anyway.
  GPUSEQ_HD constexpr bool multiplies() const {
    return mixed && blocked() && branched && arithmetic != Arithmetic::f16x2;
  }
  GPUSEQ_HD constexpr bool multiplies(u32 column) const { return multiplies() && column % 2 == 1; }
};

/// Words of a pack for each letter; 1 where it is not packed by letters. A function of its own: calling a
/// member of a template's static policy needs its address.
GPUSEQ_HD constexpr u32 words_of_letter(const Policy policy) {
  return policy.by_letters() ? policy.pack_words() / (letters_of(policy.alphabet) + 1) : 1;
}

/// Where the bit of a column is in a word of a letter, of lane 0; that of lane 1 is 16 on. A shift to the
/// left brings the bits of 4 / lanes columns to where they are the highest of bytes.
GPUSEQ_HD constexpr u32 letter_bit(u32 lanes, u32 column) {
  const u32 at_once = 4 / lanes;
  return 8 * (column % at_once) + 7 - column / at_once;
}

/// The columns of a matrix where those at its ends are in square blocks (Alachiotis et al. 2012, figures 4
/// and 5): of the blocks between them every query has every row, so that no row begins or ends in one.
struct Ends {
  u32 left;    // columns of the first square block
  u32 blocks;  // of Policy::unroll columns each
  u32 right;   // columns of the last square block
};

/// @param longest  bases of the longest query of the problem
GPUSEQ_HD constexpr Ends ends_of(u32 unroll, u32 sites, u32 longest) {
  const u32 least = longest > 0 ? longest : 1;
  if (sites + 1 < 2 * least + unroll) return {sites, 0, 0};
  const u32 blocks = (sites + 1 - 2 * least) / unroll;
  return {least, blocks, sites - least - blocks * unroll};
}

/// A query as the kernels read it.
struct QueryEntry {
  u32 begin;  // of its words in ScoreArguments::bases
  u32 bases;
  u32 row;  // of the scores
};

/// A base of a query: its number, or, of an ambiguous one, kAmbiguous and its set.
constexpr u32 kAmbiguous = u32{1} << 31;

/// Words behind the last base of a query, which kernels read and do not use.
constexpr u32 kQueryPadding = 2;

/// The single argument of every scoring kernel; pointers are to device memory.
struct ScoreArguments {
  const u32* references;      // [packs][pack_words][threads], as reference_packing.hpp says
  const QueryEntry* queries;  // longest first
  const u32* bases;           // each query's words, and kQueryPadding more
  i32* scores;                // [queries of the problem][score_stride]
  void* scratch;  // row-wise: a row for each thread; boundary in global memory: a column for each; square
                  // ends: then the row of a square block for each
  u32 query_count;
  u32 sites;
  u32 reference_count;   // of this launch; the warps of a query: ceil(reference_count / warp_references)
  u32 reference_stride;  // words between a thread's: threads of all the references that were packed together
  u32 first_reference;   // column of the scores of the first of them
  u32 score_stride;
  u32 longest;  // bases of the longest query of the problem
  u32 one;      // 1, which the compiler must not know: it would take the multiplication away
  Penalties penalties;
};

}  // namespace gpuseq::papara
