#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/profile_hmm/scores.hpp"
#include "runtime/simd/simd_target.hpp"

// What the striped CPU kernels take: a profile laid out for vectors, and a few sequences.

namespace gpuseq::profile_hmm {

/// Follows the sequences of a batch that are shorter than its longest: no alignment goes on through it.
inline constexpr u8 kPadding = kResidueCodes;
inline constexpr u32 kProfileRows = kResidueCodes + 1;

inline constexpr u32 kMostInterleaved = 4;

/// Sequences that are scored side by side, because each alone would leave the processor waiting for its
/// longest chain of instructions. Longest first; the codes of each go on with padding up to the first's end.
struct Batch {
  u32 count = 0;
  std::array<const u8*, kMostInterleaved> codes{};
  std::array<u32, kMostInterleaved> lengths{};
  std::array<u32, kMostInterleaved> used{};  // bit c: code c occurs; where a scorer reads it
  std::array<LengthModel, kMostInterleaved> models{};
};

/// Positions in Farrar's order: position k is in lane k / vectors of vector k % vectors.
struct Stripes {
  u32 lanes = 0;
  u32 vectors = 0;
  std::size_t row() const { return std::size_t{vectors} * lanes; }
};

/// Costs less the bias, at most 127; 127 beyond the last position.
struct StripedCosts {
  Stripes stripes;
  const std::int8_t* costs = nullptr;  // [kProfileRows][vectors][lanes]
};

/// What the kernels find in sequences of a batch. Bytes begin at -128, which stands for `floor` of MsvLevels.
using Best = std::array<i32, kMostInterleaved>;

/// SSV along the diagonals that begin in vectors `first` ... `first` + width - 1 of the stripes.
/// @param best  the largest cell; kept where it is larger than those of these diagonals
using DiagonalKernel = void (*)(const StripedCosts& profile, u32 first, const Batch& batch, Best& best);

/// The least that a cell can begin with (HMMER's xB while J is not used), and what J -> B -> M costs.
struct MsvLevels {
  i32 floor = 0, enter = 0;
};
struct MsvJob {
  StripedCosts profile;
  const u8* all_costs = nullptr;  // as HMMER has them, laid out alike; 255 beyond the last position
  i32 base = 0, bias = 0, end = 0;
  std::array<MsvLevels, kMostInterleaved> levels{};
  const Batch* batch = nullptr;
  std::int8_t* scratch = nullptr;  // [vectors][count][lanes]
};
/// @param best  the largest cell of any row, J followed; beyond 254 - bias only that it is
using MsvKernel = void (*)(const MsvJob& job, Best& best);

/// Steps of the Viterbi recurrence in the order of their use. The first three lead to the next position.
enum StripedStep : u32 {
  kToMatch,
  kInsertToMatch,
  kDeleteToMatch,
  kToDelete,
  kAlongDelete,
  kToInsert,
  kAlongInsert
};
inline constexpr u32 kStripedSteps = 7;

struct StripedWords {
  Stripes stripes;
  const i16* scores = nullptr;  // [kProfileRows][vectors][lanes]
  const i16* steps = nullptr;   // [vectors][kStripedSteps][lanes]
  const i16* begin = nullptr;   // [vectors][lanes]: B -> M
  /// [vectors][lanes]: what any way from a delete state to a match state of the next row gains over B -> M
  /// there. A delete state matters only where with this it is above B.
  const i16* gain = nullptr;
};
struct ViterbiJob {
  StripedWords profile;
  i32 base = 0, end_loop = 0;
  i16 floor = kWordFloor;                    // what states that nothing leads to begin with
  std::array<i32, kMostInterleaved> move{};  // N or J -> B
  const Batch* batch = nullptr;
  i16* scratch = nullptr;  // [vectors][count][kViterbiStates][lanes]
  u64 rows_corrected = 0, vectors_corrected = 0;
};
inline constexpr u32 kViterbiStates = 3;
/// @param best  the largest match state of any row; 32767: overflow
using ViterbiKernel = void (*)(ViterbiJob& job, Best& best);

/// Kernels of one instruction set. Null: not compiled for so many vectors in registers (from 1) or sequences
/// side by side (1, 2 or 4).
struct StripedKernels {
  u32 bytes = 0;          // of a vector
  u32 most_vectors = 0;   // of diagonals in registers
  u32 usual_vectors = 0;  // the same, what is fastest
  DiagonalKernel (*diagonals)(u32 width, u32 sequences) = nullptr;
  MsvKernel (*msv)(u32 vectors, u32 sequences) = nullptr;  // 0 vectors: cells in memory
  MsvKernel msv_all_costs = nullptr;                       // of one sequence
  /// @param plain_steps  the sums with transitions do not saturate (twice as many a cycle): see WordStripes
  ViterbiKernel (*viterbi)(u32 sequences, bool plain_steps) = nullptr;
  explicit operator bool() const { return bytes > 0; }
};

}  // namespace gpuseq::profile_hmm
