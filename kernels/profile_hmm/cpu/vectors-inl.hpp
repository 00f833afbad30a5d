// Vectors of bytes and words, and the move to the next lane. Compiled once per Highway target.
#if defined(GPUSEQ_PROFILE_HMM_CPU_VECTORS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUSEQ_PROFILE_HMM_CPU_VECTORS_INL
#undef GPUSEQ_PROFILE_HMM_CPU_VECTORS_INL
#else
#define GPUSEQ_PROFILE_HMM_CPU_VECTORS_INL
#endif

#include "hwy/highway.h"
#include "kernels/profile_hmm/cpu/kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuseq::profile_hmm::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
using Lanes = hn::ScalableTag<T>;
template <typename T>
using V = hn::Vec<Lanes<T>>;
template <typename T>
inline constexpr std::size_t kLanes = hn::MaxLanes(Lanes<T>());

using Byte = std::int8_t;
using Word = std::int16_t;

template <typename T>
HWY_INLINE V<T> set(i32 value) {
  return hn::Set(Lanes<T>(), static_cast<T>(value));
}
template <typename T>
HWY_INLINE V<T> load(const T* at) {
  return hn::Load(Lanes<T>(), at);
}

/// The vector shifted up by a lane; the first lane is from `fill`, whose lanes are all equal.
template <typename T>
HWY_INLINE V<T> next_lane(V<T> v, V<T> fill) {
#if HWY_TARGET <= HWY_AVX3_DL
  if constexpr (sizeof(T) == 1) {
    const auto before =
        hn::Sub(hn::Iota(hn::RebindToUnsigned<Lanes<T>>(), 0), hn::Set(hn::RebindToUnsigned<Lanes<T>>(), 1));
    return V<T>{_mm512_mask_permutexvar_epi8(fill.raw, ~__mmask64{1}, before.raw, v.raw)};
  }
#endif
  // The last lane of each 16-byte block moves to the next block.
#if HWY_TARGET <= HWY_AVX3
  const V<T> before{_mm512_alignr_epi64(v.raw, fill.raw, 6)};
#elif HWY_TARGET == HWY_AVX2
  const V<T> before{_mm256_permute2x128_si256(fill.raw, v.raw, 0x21)};
#else
  const V<T> before = fill;
#endif
  return hn::CombineShiftRightBytes<16 - sizeof(T)>(Lanes<T>(), v, before);
}

/// Ends the lifetime of the register's old value. Otherwise the compiler assigns two registers to the old and
/// new values of a loop's vectors and copies between them.
template <typename Vector>
HWY_INLINE void in_place(Vector& v) {
  auto held = v.raw;  // for an array member the compiler would use memory
#if HWY_TARGET <= HWY_AVX3
  asm("" : "+v"(held));
#elif HWY_ARCH_X86
  asm("" : "+x"(held));
#endif
  v.raw = held;
}

/// Loads a vector that is used several times, which the compiler would load each time.
template <typename T>
HWY_INLINE V<T> load_once(const T* at) {
  V<T> v = load(at);
  in_place(v);
  return v;
}

template <typename T>
HWY_INLINE i32 largest(V<T> v) {
  const Lanes<T> d;
#if HWY_TARGET <= HWY_AVX3
  v = hn::Max(v, hn::ConcatLowerUpper(d, v, v));
#endif
#if HWY_TARGET <= HWY_AVX2
  v = hn::Max(v, hn::SwapAdjacentBlocks(v));
#endif
  v = hn::Max(v, hn::CombineShiftRightBytes<8>(d, v, v));
  v = hn::Max(v, hn::CombineShiftRightBytes<4>(d, v, v));
  v = hn::Max(v, hn::CombineShiftRightBytes<2>(d, v, v));
  if constexpr (sizeof(T) == 1) v = hn::Max(v, hn::CombineShiftRightBytes<1>(d, v, v));
  return hn::GetLane(v);
}

template <typename T>
HWY_INLINE bool any_above(V<T> v, V<T> limit) {
  return !hn::AllFalse(Lanes<T>(), hn::Gt(v, limit));
}

}  // namespace gpuseq::profile_hmm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
