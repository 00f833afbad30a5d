#pragma once

#include "kernels/papara/cuda/score_policy.cuh"
#include "runtime/cuda/device/words.cuh"

// Arithmetic on the lanes of a 32-bit word, for host and device. Every value is an integer, also in f16x2,
// which is exact up to 2048; exactness.cpp checks that a problem stays within the range. min(a + b, c) is one
// instruction on sm_90 for s32 and s16x2.

namespace gpuseq::papara {

/// a * one + b with one = 1: an addition in the pipe of multiplications.
GPUSEQ_HD u32 multiply_add(u32 a, u32 one, u32 b) {
#if defined(__CUDA_ARCH__)
  u32 sum;
  asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(one), "r"(b));
  return sum;
#else
  return a * one + b;
#endif
}

/// The lanes of `set` where a flag (bit 0 of each lane) is set, else those of `clear`.
template <u32 lanes>
GPUSEQ_HD u32 choose(u32 flags, u32 set, u32 clear) {
  const u32 mask = flags * (lanes == 2 ? 0xffffu : ~0u);
  return (set & mask) | (clear & ~mask);
}

template <bool first, class A, class B>
struct Either {
  using type = A;
};
template <class A, class B>
struct Either<false, A, B> {
  using type = B;
};

template <Arithmetic arithmetic>
struct Lanes;

#if !defined(__CUDA_ARCH__)
/// Host versions for two lanes, without a hardware instruction.
template <class L>
GPUSEQ_HD u32 sum_of_lanes(u32 a, u32 b) {
  return L::join(L::lane(a, 0) + L::lane(b, 0), L::lane(a, 1) + L::lane(b, 1));
}
template <class L>
GPUSEQ_HD u32 least_of_lanes(u32 a, u32 b) {
  return L::join(L::lane(a, 0) < L::lane(b, 0) ? L::lane(a, 0) : L::lane(b, 0),
                 L::lane(a, 1) < L::lane(b, 1) ? L::lane(a, 1) : L::lane(b, 1));
}
#endif

template <>
struct Lanes<Arithmetic::s32> {
  static constexpr u32 count = 1;
  static constexpr i32 infinity = 1 << 29;

  GPUSEQ_HD static u32 splat(i32 value) { return static_cast<u32>(value); }
  GPUSEQ_HD static i32 lane(u32 word, u32) { return static_cast<i32>(word); }
  GPUSEQ_HD static u32 add(u32 a, u32 b) { return a + b; }
  GPUSEQ_HD static u32 negate(u32 a) { return 0u - a; }
  GPUSEQ_HD static u32 min(u32 a, u32 b) { return static_cast<i32>(a) < static_cast<i32>(b) ? a : b; }
  GPUSEQ_HD static u32 add_min(u32 a, u32 b, u32 c) {
#if defined(__CUDA_ARCH__)
    return static_cast<u32>(__viaddmin_s32(static_cast<i32>(a), static_cast<i32>(b), static_cast<i32>(c)));
#else
    return min(add(a, b), c);
#endif
  }
  GPUSEQ_HD static u32 min3(u32 a, u32 b, u32 c) {
    return min(min(a, b), c);
  }
  /// The word that adds a cost in a 32-bit sum to lanes that are not negative; and back.
  GPUSEQ_HD static u32 carrying(u32 cost) {
    return cost;
  }
  GPUSEQ_HD static u32 without_carry(u32 cost) {
    return cost;
  }
  /// The byte that encodes a cost, and the selection of a base's byte.
  GPUSEQ_HD static u32 cost_byte(i32 cost) {
    return static_cast<u32>(cost) & 255;
  }
  GPUSEQ_HD static u32 selector(u32 base) {
    return base * 0x1111 + 0x8880;
  }
  GPUSEQ_HD static u32 selected(u32 word) {
    return word;
  }
};

template <>
struct Lanes<Arithmetic::s16x2> {
  static constexpr u32 count = 2;
  static constexpr i32 infinity = 24000;

  /// A negative low lane borrows 1 from the high lane, which the carry of the sum returns.
  GPUSEQ_HD static u32 carrying(u32 cost) { return cost - ((cost & 0x8000) << 1); }
  GPUSEQ_HD static u32 without_carry(u32 cost) { return cost + ((cost & 0x8000) << 1); }

  GPUSEQ_HD static u32 splat(i32 value) { return (static_cast<u32>(value) & 0xffff) * 0x10001; }
  GPUSEQ_HD static i32 lane(u32 word, u32 which) {
    return static_cast<short>(static_cast<u16>(which == 0 ? word & 0xffff : word >> 16));
  }
#if defined(__CUDA_ARCH__)
  GPUSEQ_HD static u32 add(u32 a, u32 b) {
    return __vadd2(a, b);
  }
  GPUSEQ_HD static u32 negate(u32 a) {
    return __vneg2(a);
  }
  GPUSEQ_HD static u32 min(u32 a, u32 b) {
    return __vmins2(a, b);
  }
  GPUSEQ_HD static u32 add_min(u32 a, u32 b, u32 c) {
    return __viaddmin_s16x2(a, b, c);
  }
  GPUSEQ_HD static u32 min3(u32 a, u32 b, u32 c) {
    return __vimin3_s16x2(a, b, c);
  }
#else
  GPUSEQ_HD static u32 join(i32 low, i32 high) {
    return (static_cast<u32>(low) & 0xffff) | static_cast<u32>(high) << 16;
  }
  GPUSEQ_HD static u32 negate(u32 a) {
    return join(-lane(a, 0), -lane(a, 1));
  }
  GPUSEQ_HD static u32 add(u32 a, u32 b) {
    return sum_of_lanes<Lanes>(a, b);
  }
  GPUSEQ_HD static u32 min(u32 a, u32 b) {
    return least_of_lanes<Lanes>(a, b);
  }
  GPUSEQ_HD static u32 add_min(u32 a, u32 b, u32 c) {
    return min(add(a, b), c);
  }
  GPUSEQ_HD static u32 min3(u32 a, u32 b, u32 c) {
    return min(min(a, b), c);
  }
#endif
  GPUSEQ_HD static u32 cost_byte(i32 cost) {
    return static_cast<u32>(cost) & 255;
  }
  GPUSEQ_HD static u32 selector(u32 base) {
    return base * 0x1111 + 0xc480;
  }
  GPUSEQ_HD static u32 selected(u32 word) {
    return word;
  }
};

template <>
struct Lanes<Arithmetic::f16x2> {
  static constexpr u32 count = 2;
  static constexpr i32 infinity = 16384;

  GPUSEQ_HD static u32 splat(i32 value) { return half_of(value) * 0x10001; }
  GPUSEQ_HD static i32 lane(u32 word, u32 which) {
    return integer_of(which == 0 ? word & 0xffff : word >> 16);
  }
  GPUSEQ_HD static u32 negate(u32 a) { return a ^ 0x80008000; }
#if defined(__CUDA_ARCH__)
  GPUSEQ_HD static u32 add(u32 a, u32 b) {
    u32 sum;
    asm("add.f16x2 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
    return sum;
  }
#if __CUDA_ARCH__ >= 800
  GPUSEQ_HD static u32 min(u32 a, u32 b) {
    u32 least;
    asm("min.f16x2 %0, %1, %2;" : "=r"(least) : "r"(a), "r"(b));
    return least;
  }
#else
  /// Without a min instruction: 1.0 in the lanes where a is less, else 0.
  GPUSEQ_HD static u32 min(u32 a, u32 b) {
    u32 less;
    asm("set.lt.f16x2.f16x2 %0, %1, %2;" : "=r"(less) : "r"(a), "r"(b));
    return choose<2>(less >> 10 & 0x10001, a, b);
  }
#endif
#else
  GPUSEQ_HD static u32 join(i32 low, i32 high) {
    return half_of(low) | half_of(high) << 16;
  }
  GPUSEQ_HD static u32 add(u32 a, u32 b) {
    return sum_of_lanes<Lanes>(a, b);
  }
  GPUSEQ_HD static u32 min(u32 a, u32 b) {
    return least_of_lanes<Lanes>(a, b);
  }
#endif
  GPUSEQ_HD static u32 add_min(u32 a, u32 b, u32 c) {
    return min(add(a, b), c);
  }
  GPUSEQ_HD static u32 min3(u32 a, u32 b, u32 c) {
    return min(min(a, b), c);
  }
  GPUSEQ_HD static u32 carrying(u32 cost) {
    return cost;
  }
  GPUSEQ_HD static u32 without_carry(u32 cost) {
    return cost;
  }
  /// The upper byte; the lower byte of a small cost is 0.
  GPUSEQ_HD static u32 cost_byte(i32 cost) {
    return half_of(cost) >> 8;
  }
  GPUSEQ_HD static u32 selector(u32 base) {
    return base * 0x1111 + 0x4400;
  }
  GPUSEQ_HD static u32 selected(u32 word) {
    return word & 0xff00ff00;
  }
};

}  // namespace gpuseq::papara
