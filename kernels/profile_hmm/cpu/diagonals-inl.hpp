// SSV: diagonals in registers over a whole sequence. Compiled once per Highway target.
#if defined(GPUSEQ_PROFILE_HMM_CPU_DIAGONALS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUSEQ_PROFILE_HMM_CPU_DIAGONALS_INL
#undef GPUSEQ_PROFILE_HMM_CPU_DIAGONALS_INL
#else
#define GPUSEQ_PROFILE_HMM_CPU_DIAGONALS_INL
#endif

#include <algorithm>
#include <utility>

#include "kernels/profile_hmm/cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuseq::profile_hmm::HWY_NAMESPACE {

/// kWidth vectors of diagonals per sequence, adjacent in the stripes. With every residue they move
/// to the next vector of the profile. A vector that leaves the last one continues in the first,
/// shifted up by a lane.
template <u32 kWidth, u32 kSequences>
class Diagonals {
  // A single maximum would form a dependency chain through all vectors of a row.
  static constexpr u32 kChains = HWY_TARGET <= HWY_AVX3 ? 6 : 4;
  static constexpr u32 kMaxima = std::min(kWidth, std::max(1u, kChains / kSequences));
  static constexpr std::size_t N = kLanes<Byte>;
  // The compiler keeps arrays in registers only if every index is a constant before optimisation: no loops.
  template <std::size_t... kVector>
  using Vectors = std::index_sequence<kVector...>;
  using All = std::make_index_sequence<kWidth>;
  using Sequences = std::make_index_sequence<kSequences>;

 public:
  static void run(const StripedCosts& profile, u32 first, const Batch& batch, Best& best) {
    Diagonals diagonals;
    diagonals.start(Sequences());
    diagonals.follow(profile, first, batch);
    diagonals.finish(best, Sequences());
  }

 private:
  template <std::size_t... kSequence>
  HWY_INLINE void start(Vectors<kSequence...>) {
    (start_one(cells_[kSequence], most_[kSequence], All()), ...);
  }
  template <std::size_t... kVector>
  HWY_INLINE static void start_one(V<Byte> (&cells)[kWidth], V<Byte> (&most)[kMaxima], Vectors<kVector...>) {
    ((cells[kVector] = set<Byte>(-128)), ...);
    ((most[kVector % kMaxima] = set<Byte>(-128)), ...);
  }

  HWY_INLINE void follow(const StripedCosts& profile, u32 first, const Batch& batch) {
    const std::size_t row = profile.stripes.row(), turn = (profile.stripes.vectors - kWidth) * N;
    const u32 end = batch.lengths[0];
    std::size_t at = first * N;
    for (u32 i = 0;;) {
      for (const u32 straight = std::min<u32>(end, i + static_cast<u32>((turn - at) / N)); i < straight;
           ++i) {
        step_all(profile.costs + at, row, batch, i, Sequences());
        keep(Sequences());
        at += N;
      }
      if (i == end || !turn_all(profile.costs, row, turn, batch, i, end, All())) return;
      at = 0;
    }
  }

  template <std::size_t... kSequence>
  HWY_INLINE void keep(Vectors<kSequence...>) {
    (keep_one(cells_[kSequence], most_[kSequence], All()), ...);
  }
  template <std::size_t... kVector>
  HWY_INLINE static void keep_one(V<Byte> (&cells)[kWidth], V<Byte> (&most)[kMaxima], Vectors<kVector...>) {
    (in_place(cells[kVector]), ...);
    ((kVector < kMaxima ? in_place(most[kVector % kMaxima]) : void()), ...);
  }

  template <std::size_t... kSequence>
  HWY_INLINE void step_all(const Byte* costs, std::size_t row, const Batch& batch, u32 i,
                           Vectors<kSequence...>) {
    (step(cells_[kSequence], most_[kSequence], costs + batch.codes[kSequence][i] * row, All()), ...);
  }
  template <std::size_t... kVector>
  HWY_INLINE static void step(V<Byte> (&cells)[kWidth], V<Byte> (&most)[kMaxima], const Byte* costs,
                              Vectors<kVector...>) {
    (cell(cells[kVector], most[kVector % kMaxima], costs + kVector * N), ...);
  }
  HWY_INLINE static void cell(V<Byte>& cell, V<Byte>& most, const Byte* cost) {
    cell = hn::SaturatedSub(cell, load(cost));
    most = hn::Max(most, cell);
  }

  /// The rows in which the vectors, one per row, leave the last vector of the profile.
  /// @returns false at the end
  template <std::size_t... kRow>
  HWY_INLINE bool turn_all(const Byte* costs, std::size_t row, std::size_t turn, const Batch& batch, u32& i,
                           u32 end, Vectors<kRow...>) {
    return ((turn_row<kRow>(costs, row, turn, batch, i, Sequences()), ++i < end) && ...);
  }
  template <std::size_t kRow, std::size_t... kSequence>
  HWY_INLINE void turn_row(const Byte* costs, std::size_t row, std::size_t turn, const Batch& batch, u32 i,
                           Vectors<kSequence...>) {
    (turn_step<kRow>(cells_[kSequence], most_[kSequence], costs + batch.codes[kSequence][i] * row, turn,
                     All()),
     ...);
  }
  template <std::size_t kRow, std::size_t... kVector>
  HWY_INLINE static void turn_step(V<Byte> (&cells)[kWidth], V<Byte> (&most)[kMaxima], const Byte* costs,
                                   std::size_t turn, Vectors<kVector...>) {
    const Byte* const late = costs + turn;
    (cell(cells[kVector], most[kVector % kMaxima],
          kVector + kRow < kWidth ? late + (kVector + kRow) * N : costs + (kVector + kRow - kWidth) * N),
     ...);
    V<Byte>& leaving = cells[kWidth - 1 - kRow];
    leaving = next_lane<Byte>(leaving, set<Byte>(-128));
  }

  template <std::size_t... kSequence>
  HWY_INLINE void finish(Best& best, Vectors<kSequence...>) const {
    ((best[kSequence] = std::max(best[kSequence], most(most_[kSequence]))), ...);
  }
  HWY_INLINE static i32 most(const V<Byte> (&maxima)[kMaxima]) {
    V<Byte> all = maxima[0];
    for (u32 i = 1; i < kMaxima; ++i) all = hn::Max(all, maxima[i]);
    return largest<Byte>(all);
  }

  V<Byte> cells_[kSequences][kWidth];
  V<Byte> most_[kSequences][kMaxima];
};

/// Vectors that fit the registers in addition to the maxima and the operands of a row. With AVX-512 two
/// sequences with half as many vectors each are faster than one: more instructions are independent.
inline constexpr bool kManyRegisters = HWY_TARGET <= HWY_AVX3;
inline constexpr u32 kMostVectors = kManyRegisters ? 16 : 10;
inline constexpr u32 kUsualVectors = kManyRegisters ? 8 : 9;
inline constexpr u32 kInterleavedVectors = kManyRegisters ? 16 : 8;  // sum over all sequences

template <u32 kSequences, std::size_t... kWidth>
DiagonalKernel diagonals_of(u32 width, std::index_sequence<kWidth...>) {
  static constexpr DiagonalKernel kKernels[] = {&Diagonals<kWidth + 1, kSequences>::run...};
  return width >= 1 && width <= sizeof...(kWidth) ? kKernels[width - 1] : nullptr;
}

inline DiagonalKernel diagonals(u32 width, u32 sequences) {
  if (sequences == 1) return diagonals_of<1>(width, std::make_index_sequence<kMostVectors>());
  if (sequences == 2) return diagonals_of<2>(width, std::make_index_sequence<kInterleavedVectors / 2>());
  if (sequences == 4) return diagonals_of<4>(width, std::make_index_sequence<kInterleavedVectors / 4>());
  return nullptr;
}

}  // namespace gpuseq::profile_hmm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
