// Vectors with one reference per lane: codes of a site, saturating sums, costs. Compiled once
// per Highway target.
#if defined(GPUSEQ_PAPARA_CPU_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUSEQ_PAPARA_CPU_LANES_INL
#undef GPUSEQ_PAPARA_CPU_LANES_INL
#else
#define GPUSEQ_PAPARA_CPU_LANES_INL
#endif

#include "hwy/highway.h"
#include "kernels/papara/cpu/kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuseq::papara::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
using Lanes = hn::ScalableTag<T>;
template <typename T>
using V = hn::Vec<Lanes<T>>;
template <typename T>
inline constexpr std::size_t kLanes = hn::MaxLanes(Lanes<T>());

template <typename T>
HWY_INLINE V<T> set(i32 value) {
  return hn::Set(Lanes<T>(), static_cast<T>(value));
}

/// Saturates in lanes of 8 and 16 bits.
template <typename T>
HWY_INLINE V<T> add(V<T> a, V<T> b) {
  if constexpr (sizeof(T) == 4)
    return hn::Add(a, b);
  else
    return hn::SaturatedAdd(a, b);
}

/// The codes of a site, one per lane.
template <typename T>
HWY_INLINE V<T> load_codes(const u8* at) {
  const Lanes<T> d;
  if constexpr (sizeof(T) == 1)
    return hn::BitCast(d, hn::LoadU(hn::Repartition<u8, Lanes<T>>(), at));
  else
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<u8, Lanes<T>>(), at));
}

/// `cgap` in lanes whose CGAP flag is set, else `other`.
template <typename T>
HWY_INLINE V<T> by_cgap(V<T> codes, V<T> cgap, V<T> other) {
  return hn::IfThenElse(hn::TestBit(codes, set<T>(kCgapFlag)), cgap, other);
}

/// `cost` in lanes where the sets of site and base are disjoint, else 0.
template <typename T>
HWY_INLINE V<T> if_nothing(V<T> common, V<T> cost) {
  return hn::IfThenElseZero(hn::Eq(common, hn::Zero(Lanes<T>())), cost);
}

/// Writes the lanes as scores, which are relative to the lane value of score 0.
template <typename T>
void write_scores(V<T> best, const LaneArithmetic& arithmetic, i32* scores) {
  HWY_ALIGN T lane[kLanes<T>];
  hn::Store(best, Lanes<T>(), lane);
  for (std::size_t i = 0; i < kLanes<T>; ++i)
    scores[i] = std::min(i32{lane[i]}, arithmetic.infinity) - arithmetic.zero;
}

}  // namespace gpuseq::papara::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
