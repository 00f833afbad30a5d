#pragma once

#include "kernels/profile_hmm/cuda/filter_policy.cuh"
#include "runtime/cuda/device/words.cuh"

// Arithmetic on the states of a 32-bit word, for host and device. max(a + b, c) and max(a, b, c) of 16-bit or
// 32-bit integers are one instruction on sm_90; saturating operations are emulated there by several.

namespace gpuseq::profile_hmm {

#if !defined(__CUDA_ARCH__)
/// Host version: applies an operation to the states of a word one by one.
template <class L, class Operation>
u32 by_state(u32 a, u32 b, Operation operation) {
  u32 word = 0;
  for (u32 i = 0; i < L::count; ++i) word |= L::placed(operation(L::state(a, i), L::state(b, i)), i);
  return word;
}
inline i32 clamped(i32 value, i32 low, i32 high) {
  return value < low ? low : value > high ? high : value;
}
inline i32 greater(i32 a, i32 b) {
  return a > b ? a : b;
}
#endif

/// Two 16-bit integers that wrap.
struct Words {
  static constexpr u32 count = 2, bits = 16;

  GPUSEQ_HD static u32 placed(i32 value, u32 which) {
    return (static_cast<u32>(value) & 0xffff) << (16 * which);
  }
  GPUSEQ_HD static i32 state(u32 word, u32 which) {
    return static_cast<i16>(static_cast<u16>(word >> (16 * which)));
  }
  GPUSEQ_HD static u32 splat(i32 value) { return placed(value, 0) * 0x10001; }
  /// The greatest state of a word as an integer, or as an integer with the same bits and order.
  GPUSEQ_HD static i32 rank(u32 word) {
    const i32 low = state(word, 0), high = state(word, 1);
    return low > high ? low : high;
  }
#if defined(__CUDA_ARCH__)
  GPUSEQ_HD static u32 sum(u32 a, u32 b) {
    return __vadd2(a, b);
  }
  GPUSEQ_HD static u32 difference(u32 a, u32 b) {
    return __vsub2(a, b);
  }
  GPUSEQ_HD static u32 greatest(u32 a, u32 b) {
    return __vmaxs2(a, b);
  }
  GPUSEQ_HD static u32 greatest(u32 a, u32 b, u32 c) {
    return __vimax3_s16x2(a, b, c);
  }
  GPUSEQ_HD static u32 sum_greatest(u32 a, u32 b, u32 c) {
    return __viaddmax_s16x2(a, b, c);
  }
#else
  static u32 sum(u32 a, u32 b) {
    return by_state<Words>(a, b, [](i32 x, i32 y) { return x + y; });
  }
  static u32 difference(u32 a, u32 b) {
    return by_state<Words>(a, b, [](i32 x, i32 y) { return x - y; });
  }
  static u32 greatest(u32 a, u32 b) {
    return by_state<Words>(a, b, greater);
  }
  static u32 greatest(u32 a, u32 b, u32 c) {
    return greatest(greatest(a, b), c);
  }
  static u32 sum_greatest(u32 a, u32 b, u32 c) {
    return greatest(sum(a, b), c);
  }
#endif
  /// Costs of SSV and MSV as gains; scores of SSV start at 0.
  static constexpr i32 ssv_start = 0;
  GPUSEQ_HD static i32 ssv_gain(i32 cost) {
    return -cost;
  }
  GPUSEQ_HD static i32 msv_gain(i32 cost, i32 bias) {
    return bias - cost;
  }
  GPUSEQ_HD static u32 ssv(u32 cell, u32 gain) {
    return sum_greatest(cell, gain, 0);
  }
  GPUSEQ_HD static u32 msv(u32 cell, u32 begin, u32 gain, u32) {
    return sum_greatest(greatest(cell, begin), gain, 0);
  }
};

/// Two halves that hold integers: exact up to 2048, and no result above 255 is needed. They are not negative,
/// so that they have the order of the integers with the same bits.
struct Halves {
  static constexpr u32 count = 2, bits = 16;

  GPUSEQ_HD static u32 placed(i32 value, u32 which) { return half_of(value) << (16 * which); }
  GPUSEQ_HD static i32 state(u32 word, u32 which) { return integer_of(word >> (16 * which) & 0xffff); }
  GPUSEQ_HD static u32 splat(i32 value) { return half_of(value) * 0x10001; }
  GPUSEQ_HD static i32 rank(u32 word) { return Words::rank(word); }
#if defined(__CUDA_ARCH__)
  GPUSEQ_HD static u32 difference(u32 a, u32 b) {
    u32 result;
    asm("sub.f16x2 %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));
    return result;
  }
  /// a + b, or 0 if negative.
  GPUSEQ_HD static u32 sum_above_zero(u32 a, u32 b) {
    u32 result;
#if __CUDA_ARCH__ >= 800
    const u32 one = 0x3c003c00;
    asm("fma.rn.relu.f16x2 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(one), "r"(b));
    return result;
#else
    asm("add.f16x2 %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));
    return greatest(result, 0);
#endif
  }
#else
  static u32 difference(u32 a, u32 b) {
    return by_state<Halves>(a, b, [](i32 x, i32 y) { return x - y; });
  }
  static u32 sum_above_zero(u32 a, u32 b) {
    // Halves end at 65504 (then infinity); values above 2047 are not exact and are cut off here.
    return by_state<Halves>(a, b, [](i32 x, i32 y) { return clamped(x + y, 0, 2047); });
  }
#endif
  GPUSEQ_HD static u32 greatest(u32 a, u32 b) {
    return Words::greatest(a, b);
  }
  GPUSEQ_HD static u32 greatest(u32 a, u32 b, u32 c) {
    return Words::greatest(a, b, c);
  }
  static constexpr i32 ssv_start = 0;
  GPUSEQ_HD static i32 ssv_gain(i32 cost) {
    return -cost;
  }
  GPUSEQ_HD static i32 msv_gain(i32 cost, i32 bias) {
    return bias - cost;
  }
  GPUSEQ_HD static u32 ssv(u32 cell, u32 gain) {
    return sum_above_zero(cell, gain);
  }
  GPUSEQ_HD static u32 msv(u32 cell, u32 begin, u32 gain, u32) {
    return sum_above_zero(greatest(cell, begin), gain);
  }
};

/// Four bytes, unsigned and saturating (SSV: signed, and compared as unsigned).
struct Bytes {
  static constexpr u32 count = 4, bits = 8;

  GPUSEQ_HD static u32 placed(i32 value, u32 which) {
    return (static_cast<u32>(value) & 0xff) << (8 * which);
  }
  GPUSEQ_HD static i32 state(u32 word, u32 which) { return static_cast<i32>(word >> (8 * which) & 0xff); }
  GPUSEQ_HD static u32 splat(i32 value) { return placed(value, 0) * 0x1010101; }
#if defined(__CUDA_ARCH__)
  GPUSEQ_HD static u32 sum(u32 a, u32 b) {
    return __vaddus4(a, b);
  }
  GPUSEQ_HD static u32 difference(u32 a, u32 b) {
    return __vsubus4(a, b);
  }
  GPUSEQ_HD static u32 signed_difference(u32 a, u32 b) {
    return __vsubss4(a, b);
  }
  GPUSEQ_HD static u32 greatest(u32 a, u32 b) {
    return __vmaxu4(a, b);
  }
#else
  static u32 sum(u32 a, u32 b) {
    return by_state<Bytes>(a, b, [](i32 x, i32 y) { return clamped(x + y, 0, 255); });
  }
  static u32 difference(u32 a, u32 b) {
    return by_state<Bytes>(a, b, [](i32 x, i32 y) { return clamped(x - y, 0, 255); });
  }
  static u32 signed_difference(u32 a, u32 b) {
    return by_state<Bytes>(a, b, [](i32 x, i32 y) { return clamped((x ^ 128) - (y ^ 128), -128, 127); });
  }
  static u32 greatest(u32 a, u32 b) {
    return by_state<Bytes>(a, b, greater);
  }
#endif
  GPUSEQ_HD static u32 greatest(u32 a, u32 b, u32 c) {
    return greatest(greatest(a, b), c);
  }
  static constexpr i32 ssv_start = 128;
  GPUSEQ_HD static i32 ssv_gain(i32 cost) {
    return cost;
  }
  GPUSEQ_HD static i32 msv_gain(i32 cost, i32) {
    return cost;
  }
  GPUSEQ_HD static u32 ssv(u32 cell, u32 cost) {
    return signed_difference(cell, cost);
  }
  GPUSEQ_HD static u32 msv(u32 cell, u32 begin, u32 cost, u32 bias) {
    return difference(sum(greatest(cell, begin), bias), cost);
  }
};

/// Two signed 16-bit integers that saturate.
struct SaturatingWords : Words {
  GPUSEQ_HD static u32 sum(u32 a, u32 b) {
#if defined(__CUDA_ARCH__)
    return __vaddss2(a, b);
#else
    return by_state<Words>(a, b, [](i32 x, i32 y) { return clamped(x + y, -32768, 32767); });
#endif
  }
  GPUSEQ_HD static u32 sum_greatest(u32 a, u32 b, u32 c) {
    return greatest(sum(a, b), c);
  }
};

/// One integer, clamped at the 16-bit floor. Values above the 16-bit maximum end the filter anyway.
struct Integers {
  static constexpr u32 count = 1, bits = 32;

  GPUSEQ_HD static u32 placed(i32 value, u32) { return static_cast<u32>(value); }
  GPUSEQ_HD static i32 state(u32 word, u32) { return static_cast<i32>(word); }
  GPUSEQ_HD static u32 splat(i32 value) { return static_cast<u32>(value); }
  GPUSEQ_HD static i32 rank(u32 word) { return static_cast<i32>(word); }
  GPUSEQ_HD static u32 greatest(u32 a, u32 b) { return static_cast<i32>(a) > static_cast<i32>(b) ? a : b; }
  GPUSEQ_HD static u32 sum_greatest(u32 a, u32 b, u32 c) {
#if defined(__CUDA_ARCH__)
    return static_cast<u32>(__viaddmax_s32(static_cast<i32>(a), static_cast<i32>(b), static_cast<i32>(c)));
#else
    return greatest(a + b, c);
#endif
  }
  GPUSEQ_HD static u32 sum(u32 a, u32 b) {
    return sum_greatest(a, b, static_cast<u32>(-32768));
  }
};

template <Filter filter, Arithmetic arithmetic>
struct LanesOf;
template <Filter filter>
struct LanesOf<filter, Arithmetic::s16x2> {
  using type = Words;
};
template <Filter filter>
struct LanesOf<filter, Arithmetic::f16x2> {
  using type = Halves;
};
template <Filter filter>
struct LanesOf<filter, Arithmetic::video> {
  using type = Bytes;
};
template <>
struct LanesOf<Filter::viterbi, Arithmetic::video> {
  using type = SaturatingWords;
};
template <Filter filter>
struct LanesOf<filter, Arithmetic::s32> {
  using type = Integers;
};
template <class Tuned>
using Lanes = typename LanesOf<Tuned::value.filter, Tuned::value.arithmetic>::type;

/// The greatest state of a group's words, in all states of all its lanes.
/// @param butterfly  use shuffles and maxima of words (Jiang and Ganesan 2016, figures 5b and 7) even if the
/// hardware can reduce a warp's integers
template <class L, u32 lanes, bool butterfly = false>
GPUSEQ_HD u32 greatest_of_group(u32 word) {
  if constexpr (L::bits == 16 && lanes == kWarp && !butterfly) {
    return Words::splat(greatest_of_warp(L::rank(word)));
  } else {
#pragma unroll
    for (u32 distance = 1; distance < lanes; distance *= 2)
      word = L::greatest(word, shuffle_xor(word, distance));
    if constexpr (L::bits <= 16) word = L::greatest(word, word << 16 | word >> 16);
    if constexpr (L::bits == 8) word = L::greatest(word, word << 8 | word >> 24);
    return word;
  }
}

/// The same for words of 16 or 32 bits, as an integer.
template <class L, u32 lanes, bool butterfly = false>
GPUSEQ_HD i32 greatest_integer_of_group(u32 word) {
  if constexpr (lanes == kWarp && !butterfly)
    return greatest_of_warp(L::rank(word));
  else
    return L::rank(greatest_of_group<L, lanes, butterfly>(word));
}

/// Predecessors of the first cells of all lanes: the last words of the previous lanes, those of the last lane
/// shifted up by a state; below the first state there is `floor`.
template <class L, u32 lanes>
struct Carry {
  GPUSEQ_HD explicit Carry(u32 lane_of_warp) : source_((lane_of_warp + lanes - 1) % lanes) {
    const u32 moved = L::bits == 8 ? 0x2104u : L::bits == 16 ? 0x1054u : 0x7654u;
    selector_ = lane_of_warp % lanes == 0 ? moved : 0x3210u;
  }
  GPUSEQ_HD u32 operator()(u32 last, u32 floor) const {
    const u32 from = lanes == 1 ? last : shuffle_from(last, source_, lanes);
    return select_bytes(from, floor, selector_);
  }

 private:
  u32 source_;
  u32 selector_;
};

}  // namespace gpuseq::profile_hmm
