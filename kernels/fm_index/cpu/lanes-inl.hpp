// Vectors with one query per 64-bit lane: loads from an address per lane, division, masks. Compiled once per
// Highway target.
#if defined(GPUSEQ_FM_INDEX_CPU_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUSEQ_FM_INDEX_CPU_LANES_INL
#undef GPUSEQ_FM_INDEX_CPU_LANES_INL
#else
#define GPUSEQ_FM_INDEX_CPU_LANES_INL
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "kernels/fm_index/data/layout.cuh"

HWY_BEFORE_NAMESPACE();
namespace gpuseq::fm_index::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::ScalableTag<std::uint64_t>;
using V = hn::Vec<Lanes>;
inline constexpr std::size_t kLanes = HWY_MAX_BYTES / sizeof(std::uint64_t);
using LaneArray = std::uint64_t[kLanes];  // to be declared HWY_ALIGN

template <class D>
HWY_INLINE hn::Vec<D> load_from(D d, const u8* at) {
  return hn::LoadU(d, reinterpret_cast<const std::uint64_t*>(at));
}

/// Lane i: the 64 bits at base + offset[i]. Two to three instructions
/// per lane; the gather instructions of Zen 4 take twice as long.
template <class D>
HWY_INLINE hn::Vec<D> load_lanes(D d, const u8* base, const std::uint64_t* offset) {
  if constexpr (hn::MaxLanes(D()) == 1) {
    return load_from(d, base + offset[0]);
  } else {
    const hn::Half<D> half;
    constexpr std::size_t kHalf = hn::MaxLanes(D()) / 2;
    return hn::Combine(d, load_lanes(half, base, offset + kHalf), load_lanes(half, base, offset));
  }
}

/// Lanes 2 i and 2 i + 1: the 128 bits at base + offset[2 i].
template <class D>
HWY_INLINE hn::Vec<D> load_pairs(D d, const u8* base, const std::uint64_t* offset) {
  if constexpr (hn::MaxLanes(D()) == 2) {
    return load_from(d, base + offset[0]);
  } else {
    const hn::Half<D> half;
    constexpr std::size_t kHalf = hn::MaxLanes(D()) / 2;
    return hn::Combine(d, load_pairs(half, base, offset + kHalf), load_pairs(half, base, offset));
  }
}

/// Lane i of `first` and `second`: the 128 bits at base + offset[i].
HWY_INLINE void load_both(const u8* base, const std::uint64_t* offset, V& first, V& second) {
  const Lanes d;
  const V even = load_pairs(d, base, offset), odd = load_pairs(d, base, offset + 1);
  first = hn::InterleaveLower(d, even, odd);
  second = hn::InterleaveUpper(d, even, odd);
}

/// x * factor for factors below 2^32; x is below 2^32 unless wide.
template <bool wide>
HWY_INLINE V multiply(V x, V factor) {
  const Lanes d;
  const hn::Repartition<std::uint32_t, Lanes> d32;
  const auto low = hn::MulEven(hn::BitCast(d32, x), hn::BitCast(d32, factor));
  if constexpr (!wide) return hn::BitCast(d, low);
  const auto high = hn::MulEven(hn::BitCast(d32, hn::ShiftRight<32>(x)), hn::BitCast(d32, factor));
  return hn::Add(hn::BitCast(d, low), hn::ShiftLeft<32>(hn::BitCast(d, high)));
}

/// Division of lanes by a divisor of at most 128. Narrow dividends are below 2^27 (a row over 32 or more);
/// wide ones, below 2^43, are divided in two digits of 16 and fewer bits.
template <bool wide>
class LaneDivision {
 public:
  explicit LaneDivision(u32 divisor)
      : divisor_(divisor), magic_(static_cast<u32>(((u64{1} << 32) + divisor - 1) / divisor)) {}
  HWY_INLINE V operator()(V x) const {
    const Lanes d;
    if constexpr (!wide) return divide(x);
    const V high = divide(hn::ShiftRight<16>(x));
    const V rest = hn::Sub(hn::ShiftRight<16>(x), multiply<false>(high, hn::Set(d, divisor_)));
    const V low = hn::Or(hn::ShiftLeft<16>(rest), hn::And(x, hn::Set(d, 0xFFFF)));
    return hn::Add(hn::ShiftLeft<16>(high), divide(low));
  }

 private:
  HWY_INLINE V divide(V x) const { return hn::ShiftRight<32>(multiply<false>(x, hn::Set(Lanes(), magic_))); }
  std::uint64_t divisor_, magic_;
};

/// The lowest max(0, min(64, rows - first)) bits. rows and first + 64 are below 2^16.
HWY_INLINE V first_rows_from(V rows, std::uint64_t first) {
  const Lanes d;
  const hn::Repartition<std::uint16_t, Lanes> d16;
  const V absent =
      hn::BitCast(d, hn::SaturatedSub(hn::BitCast(d16, hn::Set(d, first + 64)), hn::BitCast(d16, rows)));
  return hn::Shr(hn::Set(d, ~std::uint64_t{0}), absent);  // all targets shift by 64 and more to 0
}

/// Set bits of each lane.
template <class Vec>
HWY_INLINE Vec count_bits(Vec bits) {
#if HWY_TARGET == HWY_AVX3_DL
  return hn::PopulationCount(bits);
#else
  const hn::Repartition<std::uint8_t, hn::DFromV<Vec> > bytes;
  return hn::SumsOf8(hn::PopulationCount(hn::BitCast(bytes, bits)));
#endif
}

HWY_INLINE auto greater(V a, V b) {
  const hn::RebindToSigned<Lanes> signed_lanes;
  return hn::RebindMask(Lanes(), hn::Gt(hn::BitCast(signed_lanes, a), hn::BitCast(signed_lanes, b)));
}

}  // namespace gpuseq::fm_index::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
