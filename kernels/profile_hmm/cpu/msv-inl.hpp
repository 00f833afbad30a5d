// MSV row by row with J. Compiled once per Highway target.
#if defined(GPUSEQ_PROFILE_HMM_CPU_MSV_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUSEQ_PROFILE_HMM_CPU_MSV_INL
#undef GPUSEQ_PROFILE_HMM_CPU_MSV_INL
#else
#define GPUSEQ_PROFILE_HMM_CPU_MSV_INL
#endif

#include <algorithm>
#include <utility>

#include "kernels/profile_hmm/cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuseq::profile_hmm::HWY_NAMESPACE {

/// HMMER's values of B and of the cells of one sequence. B rises only if a cell exceeds all earlier cells.
/// Rows are therefore compared with the record; reducing each row to its maximum would delay the next row.
class MsvRecord {
 public:
  MsvRecord(const MsvJob& job, u32 s) : job_(job), enter_(job.levels[s].enter) {}

  /// A cell up to this value changes nothing.
  i32 record() const { return record_; }
  i32 begin() const { return std::max(0, std::max(job_.base, record_ - job_.end) - enter_); }
  void raise(i32 cell) { record_ = std::max(record_, cell); }

 private:
  const MsvJob& job_;
  const i32 enter_;
  i32 record_ = std::min(job_.base + job_.end, 254 - job_.bias);
};

/// The states of a sequence in the kernels' numbers, which begin at -128.
struct MsvCells {
  MsvRecord states;
  i32 offset;  // HMMER's number minus the kernels' number
  V<Byte> begin, record, most;

  MsvCells(const MsvJob& job, u32 s)
      : states(job, s), offset(job.levels[s].floor + 128), begin(set<Byte>(-128)), most(begin) {
    record = set<Byte>(states.record() - offset);
  }
  HWY_INLINE void end_row() {
    if (HWY_LIKELY(!any_above<Byte>(most, record))) return;
    const i32 cell = largest<Byte>(most);
    states.raise(cell + offset);
    begin = set<Byte>(std::min(states.begin() - offset, 127));
    record = set<Byte>(cell);
  }
};

/// Cells in registers; each row they move to the next vector.
template <u32 kVectors, u32 kSequences>
class MsvInRegisters {
  static constexpr std::size_t N = kLanes<Byte>;
  template <std::size_t... kIndex>
  using List = std::index_sequence<kIndex...>;
  using Vectors = std::make_index_sequence<kVectors>;

 public:
  static void run(const MsvJob& job, Best& best) {
    follow(job, best, std::make_index_sequence<kSequences>());
  }

 private:
  template <std::size_t... kSequence>
  static void follow(const MsvJob& job, Best& best, List<kSequence...>) {
    MsvCells states[] = {MsvCells(job, kSequence)...};
    V<Byte> cells[kSequences][kVectors];
    (fill(cells[kSequence], Vectors()), ...);
    const std::size_t row = job.profile.stripes.row();
    for (u32 i = 0, end = job.batch->lengths[0]; i < end; ++i) {
      (step(cells[kSequence], states[kSequence], job.profile.costs + job.batch->codes[kSequence][i] * row,
            Vectors()),
       ...);
      (states[kSequence].end_row(), ...);
    }
    ((best[kSequence] = largest<Byte>(states[kSequence].most)), ...);
  }
  template <std::size_t... kVector>
  HWY_INLINE static void fill(V<Byte> (&cells)[kVectors], List<kVector...>) {
    ((cells[kVector] = set<Byte>(-128)), ...);
  }
  template <std::size_t... kVector>
  HWY_INLINE static void step(V<Byte> (&cells)[kVectors], MsvCells& states, const Byte* costs,
                              List<kVector...>) {
    // From the last vector to the first, so that each is read before it is overwritten.
    const V<Byte> first = next_lane<Byte>(cells[kVectors - 1], set<Byte>(-128));
    V<Byte> most[2] = {states.most, states.most};
    (cell(cells[kVectors - 1 - kVector],
          kVector + 1 < kVectors ? cells[(kVectors - 2 - kVector) % kVectors] : first, states.begin,
          most[kVector % 2], costs + (kVectors - 1 - kVector) * N),
     ...);
    states.most = hn::Max(most[0], most[1]);
  }
  HWY_INLINE static void cell(V<Byte>& cell, V<Byte> before, V<Byte> begin, V<Byte>& most, const Byte* cost) {
    cell = hn::SaturatedSub(hn::Max(before, begin), load(cost));
    most = hn::Max(most, cell);
  }
};

/// Cells in memory, for profiles of any length.
template <u32 kSequences>
class MsvInMemory {
  static constexpr std::size_t N = kLanes<Byte>;
  template <std::size_t... kIndex>
  using List = std::index_sequence<kIndex...>;

 public:
  static void run(const MsvJob& job, Best& best) {
    follow(job, best, std::make_index_sequence<kSequences>());
  }

 private:
  template <std::size_t... kSequence>
  static void follow(const MsvJob& job, Best& best, List<kSequence...>) {
    MsvCells states[] = {MsvCells(job, kSequence)...};
    const std::size_t row = job.profile.stripes.row();
    const u32 vectors = job.profile.stripes.vectors;
    Byte* const cells = job.scratch;
    std::fill_n(cells, row * kSequences, Byte{-128});
    for (u32 i = 0, end = job.batch->lengths[0]; i < end; ++i) {
      const Byte* costs[] = {job.profile.costs + job.batch->codes[kSequence][i] * row...};
      V<Byte> before[] = {
          next_lane<Byte>(load(cells + ((vectors - 1) * kSequences + kSequence) * N), set<Byte>(-128))...};
      for (u32 q = 0; q < vectors; ++q)
        (step(cells + (q * kSequences + kSequence) * N, before[kSequence], states[kSequence],
              costs[kSequence] + q * N),
         ...);
      (states[kSequence].end_row(), ...);
    }
    ((best[kSequence] = largest<Byte>(states[kSequence].most)), ...);
  }
  HWY_INLINE static void step(Byte* at, V<Byte>& before, MsvCells& states, const Byte* cost) {
    const V<Byte> cell = hn::SaturatedSub(hn::Max(before, states.begin), load(cost));
    states.most = hn::Max(states.most, cell);
    before = load(at);
    hn::Store(cell, Lanes<Byte>(), at);
  }
};

/// HMMER's own numbers and its four operations per cell: exact for all costs and biases,
/// also below the floor.
inline void msv_all_costs(const MsvJob& job, Best& best) {
  constexpr std::size_t N = kLanes<u8>;
  MsvRecord states(job, 0);
  const std::size_t row = job.profile.stripes.row();
  const u32 vectors = job.profile.stripes.vectors;
  u8* const cells = reinterpret_cast<u8*>(job.scratch);
  std::fill_n(cells, row, u8{0});
  const V<u8> bias = set<u8>(job.bias), zero = set<u8>(0);
  V<u8> begin = set<u8>(states.begin()), most = zero;
  for (u32 i = 0; i < job.batch->lengths[0]; ++i) {
    const u8* costs = job.all_costs + job.batch->codes[0][i] * row;
    V<u8> before = next_lane<u8>(load(cells + (vectors - 1) * N), zero);
    for (u32 q = 0; q < vectors; ++q) {
      const V<u8> gained = hn::SaturatedAdd(hn::Max(before, begin), bias);
      const V<u8> cell = hn::SaturatedSub(gained, load(costs + q * N));
      most = hn::Max(most, cell);
      before = load(cells + q * N);
      hn::Store(cell, Lanes<u8>(), cells + q * N);
    }
    const i32 cell = largest<u8>(most);
    if (cell <= states.record()) continue;
    states.raise(cell);
    begin = set<u8>(states.begin());
  }
  best[0] = largest<u8>(most);
}

template <u32 kSequences, std::size_t... kVectors>
MsvKernel msv_in_registers(u32 vectors, std::index_sequence<kVectors...>) {
  static constexpr MsvKernel kKernels[] = {&MsvInRegisters<kVectors + 1, kSequences>::run...};
  return vectors <= sizeof...(kVectors) ? kKernels[vectors - 1] : nullptr;
}

inline MsvKernel msv(u32 vectors, u32 sequences) {
  if (vectors == 0)
    return sequences == 1   ? &MsvInMemory<1>::run
           : sequences == 2 ? &MsvInMemory<2>::run
           : sequences == 4 ? &MsvInMemory<4>::run
                            : nullptr;
  constexpr u32 kMost = HWY_TARGET <= HWY_AVX3 ? 20 : 10;
  if (sequences == 1) return msv_in_registers<1>(vectors, std::make_index_sequence<kMost>());
  if (sequences == 2) return msv_in_registers<2>(vectors, std::make_index_sequence<kMost / 2 - 1>());
  if (sequences == 4) return msv_in_registers<4>(vectors, std::make_index_sequence<kMost / 4 - 1>());
  return nullptr;
}

}  // namespace gpuseq::profile_hmm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
