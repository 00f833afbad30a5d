#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/profile_hmm/scores.hpp"
#include "runtime/simd/simd_target.hpp"

// Arguments of the striped CPU kernels: a profile in vector layout, and a few sequences.

namespace gpuseq::profile_hmm {

/// Pads sequences that are shorter than the longest of a batch: no alignment continues through it.
inline constexpr u8 kPadding = kResidueCodes;
inline constexpr u32 kProfileRows = kResidueCodes + 1;

inline constexpr u32 kMostInterleaved = 4;

/// Sequences that are scored interleaved, as each alone is bound by its longest dependency chain. Longest
/// first; the codes of the others are padded to the length of the first.
struct Batch {
  u32 count = 0;
  std::array<const u8*, kMostInterleaved> codes{};
  std::array<u32, kMostInterleaved> lengths{};
  std::array<u32, kMostInterleaved> used{};  // bit c: code c occurs; filled if the scorer reads it
  std::array<LengthModel, kMostInterleaved> models{};
};

/// Positions in Farrar's order: position k is in lane k / vectors of vector k % vectors.
struct Stripes {
  u32 lanes = 0;
  u32 vectors = 0;
  std::size_t row() const { return std::size_t{vectors} * lanes; }
};

/// Costs minus the bias, at most 127; 127 beyond the last position.
struct StripedCosts {
  Stripes stripes;
  const std::int8_t* costs = nullptr;  // [kProfileRows][vectors][lanes]
};

/// Results for the sequences of a batch. Bytes begin at -128, which represents `floor` of MsvLevels.
using Best = std::array<i32, kMostInterleaved>;

/// SSV along the diagonals that begin in vectors `first` ... `first` + width - 1 of the stripes.
/// @param best  the largest cell; raised by the cells of these diagonals
using DiagonalKernel = void (*)(const StripedCosts& profile, u32 first, const Batch& batch, Best& best);

/// The least value at which a cell can begin (HMMER's xB if J is not used), and the cost of J -> B -> M.
struct MsvLevels {
  i32 floor = 0, enter = 0;
};
struct MsvJob {
  StripedCosts profile;
  const u8* all_costs = nullptr;  // HMMER's costs in the same layout; 255 beyond the last position
  i32 base = 0, bias = 0, end = 0;
  std::array<MsvLevels, kMostInterleaved> levels{};
  const Batch* batch = nullptr;
  std::int8_t* scratch = nullptr;  // [vectors][count][lanes]
};
/// @param best  the largest cell of any row, with J; above 254 - bias its value is not exact
using MsvKernel = void (*)(const MsvJob& job, Best& best);

/// Steps of the Viterbi recurrence in order of use. The first three lead to the next position.
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
  /// [vectors][lanes]: the most that a path from a delete state to a match state of the next row gains over B
  /// -> M. A delete state matters only if its score plus this gain exceeds B.
  const i16* gain = nullptr;
};
struct ViterbiJob {
  StripedWords profile;
  i32 base = 0, end_loop = 0;
  i16 floor = kWordFloor;                    // initial value of unreachable states
  std::array<i32, kMostInterleaved> move{};  // N or J -> B
  const Batch* batch = nullptr;
  i16* scratch = nullptr;  // [vectors][count][kViterbiStates][lanes]
  u64 rows_corrected = 0, vectors_corrected = 0;
};
inline constexpr u32 kViterbiStates = 3;
/// @param best  the largest match state of any row; 32767: overflow
using ViterbiKernel = void (*)(ViterbiJob& job, Best& best);

/// Kernels of one instruction set. Null: not compiled for this number of vectors in registers (from 1) or of
/// interleaved sequences (1, 2 or 4).
struct StripedKernels {
  u32 bytes = 0;          // bytes per vector
  u32 most_vectors = 0;   // most vectors of diagonals in registers
  u32 usual_vectors = 0;  // fastest number of vectors of diagonals in registers
  DiagonalKernel (*diagonals)(u32 width, u32 sequences) = nullptr;
  MsvKernel (*msv)(u32 vectors, u32 sequences) = nullptr;  // 0 vectors: cells in memory
  MsvKernel msv_all_costs = nullptr;                       // for one sequence
  /// @param plain_steps  sums with transitions do not saturate (twice the rate): see WordStripes
  ViterbiKernel (*viterbi)(u32 sequences, bool plain_steps) = nullptr;
  explicit operator bool() const { return bytes > 0; }
};

}  // namespace gpuseq::profile_hmm
