#pragma once

#include "kernels/papara/scoring.cuh"
#include "runtime/cuda/device/warp.cuh"

// Compile-time parameters and launch arguments of the scoring kernels.

namespace gpuseq::papara {

/// Order in which a thread computes its matrix (Alachiotis et al. 2012, figures 3 and 4).
enum class Scheme : u32 {
  row_wise_global,   // row by row, the row in global memory
  blocked_shared,    // blocks of columns, a block's row in shared memory
  blocked_registers  // blocks of columns, a block's row in registers
};

/// The number type of scores: lanes of a 32-bit word, one reference per lane.
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
  u32 unroll = 30;         // columns of a block; row-wise: cells per loop iteration
  bool compressed = true;  // references with 5 bits per element, or with a word (s32) or half a word each
  u32 threads_per_block = 64;
  bool branched = true;            // costs: a register per base and code for each base, or selected bytes
  bool mixed = true;               // branched: every other column sums the diagonal in the multiply-add pipe
  bool boundary_in_shared = true;  // blocked: the column between two blocks is in shared or in global memory
  bool printed = false;            // blocked_shared: cells by equation 1 as printed, without potentials
  bool square_ends = false;        // blocked_shared: columns at both ends in square blocks, see Ends
  Alphabet alphabet = Alphabet::dna;  // amino acids are packed letter by letter, see score_letters.cuh

  GPUSEQ_HD constexpr u32 lanes() const { return arithmetic == Arithmetic::s32 ? 1 : 2; }
  GPUSEQ_HD constexpr bool blocked() const { return scheme != Scheme::row_wise_global; }
  /// Whether cells are potentials; see score_block.cuh.
  GPUSEQ_HD constexpr bool has_potentials() const { return blocked() && !printed; }
  /// References per warp.
  GPUSEQ_HD constexpr u32 warp_references() const { return lanes() * kWarpThreads; }
  GPUSEQ_HD constexpr bool by_letters() const { return alphabet != Alphabet::dna; }
  /// Sites per word: 5 bits per element, or one element per lane; packed by letter, one bit per lane.
  GPUSEQ_HD constexpr u32 word_sites() const {
    if (by_letters()) return kWordBits / lanes();
    return compressed ? kElementsPerWord / lanes() : 1;
  }
  /// Sites that are packed together: a block's or a word's.
  GPUSEQ_HD constexpr u32 pack_sites() const { return blocked() ? unroll : word_sites(); }
  GPUSEQ_HD constexpr u32 pack_words() const {
    const u32 words = (pack_sites() + word_sites() - 1) / word_sites();
    return by_letters() ? (letters_of(alphabet) + 1) * words : words;  // CGAP counts as a letter
  }
  /// Whether every other column sums the diagonal by multiply-adds. The addition of halves does not use the
  /// pipe of minima anyway.
  GPUSEQ_HD constexpr bool multiplies() const {
    return mixed && blocked() && branched && arithmetic != Arithmetic::f16x2;
  }
  GPUSEQ_HD constexpr bool multiplies(u32 column) const { return multiplies() && column % 2 == 1; }
};

/// Words of a pack for each letter; 1 if it is not packed by letters. A free function, as calling a member of
/// a template's static policy needs its address.
GPUSEQ_HD constexpr u32 words_of_letter(const Policy policy) {
  return policy.by_letters() ? policy.pack_words() / (letters_of(policy.alphabet) + 1) : 1;
}

/// Bit of a column in a letter's word, for lane 0; lane 1 is 16 bits higher. One left shift moves the bits of
/// 4 / lanes columns to the highest bits of bytes.
GPUSEQ_HD constexpr u32 letter_bit(u32 lanes, u32 column) {
  const u32 at_once = 4 / lanes;
  return 8 * (column % at_once) + 7 - column / at_once;
}

/// The columns of a matrix with square end blocks (Alachiotis et al. 2012, figures 4 and 5): every query has
/// every row of the blocks between the ends, so that no row begins or ends in them.
struct Ends {
  u32 left;    // columns of the first square block
  u32 blocks;  // blocks of Policy::unroll columns
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
  u32 begin;  // index of its first word in ScoreArguments::bases
  u32 bases;
  u32 row;  // row in the scores
};

/// A base of a query: its number, or for an ambiguous base kAmbiguous and its set.
constexpr u32 kAmbiguous = u32{1} << 31;

/// Words after the last base of a query, which kernels read but do not use.
constexpr u32 kQueryPadding = 2;

/// The single argument of every scoring kernel; pointers are to device memory.
struct ScoreArguments {
  const u32* references;      // [packs][pack_words][threads], see reference_packing.hpp
  const QueryEntry* queries;  // longest first
  const u32* bases;           // words of each query, and kQueryPadding more
  i32* scores;                // [queries of the problem][score_stride]
  void* scratch;  // row-wise: a row per thread; boundary in global memory: a column per thread; square ends:
                  // then the row of a square block per thread
  u32 query_count;
  u32 sites;
  u32 reference_count;   // references of this launch; warps per query: ceil(reference_count
                         // / warp_references)
  u32 reference_stride;  // words between those of a thread: threads of all references packed together
  u32 first_reference;   // column of the launch's first reference in the scores
  u32 score_stride;
  u32 longest;  // bases of the longest query of the problem
  u32 one;      // 1, hidden from the compiler, which would remove the multiplication
  Penalties penalties;
};

}  // namespace gpuseq::papara
