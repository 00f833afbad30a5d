#pragma once

#include "runtime/cuda/device/host_device.cuh"

// Bytes and halves of 32-bit words, for host and device.

namespace gpuseq {

/// Selects bytes of two words (PTX prmt): nibble n of the selector gives byte n of the result; a nibble of at
/// least 8 repeats the sign of the byte.
GPUSEQ_HD u32 select_bytes(u32 low, u32 high, u32 selector) {
#if defined(__CUDA_ARCH__)
  u32 result;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(selector));
  return result;
#else
  const u64 both = u64{high} << 32 | low;
  u32 result = 0;
  for (u32 n = 0; n < 4; ++n) {
    const u32 nibble = selector >> (4 * n) & 15;
    u32 byte = static_cast<u32>(both >> (8 * (nibble & 7))) & 255;
    if (nibble & 8) byte = byte & 128 ? 255 : 0;
    result |= byte << (8 * n);
  }
  return result;
#endif
}

/// The half with the value of an integer of at most 11 significant bits.
GPUSEQ_HD u32 half_of(i32 value) {
  if (value == 0) return 0;
  const u32 sign = value < 0 ? 0x8000u : 0u;
  const u32 magnitude = static_cast<u32>(value < 0 ? -value : value);
  u32 exponent = 0;
  while (magnitude >> exponent > 1) ++exponent;
  const u32 mantissa = exponent <= 10 ? magnitude << (10 - exponent) : magnitude >> (exponent - 10);
  return sign | (exponent + 15) << 10 | (mantissa & 0x3ff);
}

/// The integer part of a finite half.
GPUSEQ_HD i32 integer_of(u32 half) {
  const u32 exponent = half >> 10 & 31;
  if (exponent < 15) return 0;
  const u32 mantissa = (half & 0x3ff) | 0x400;
  const u32 magnitude = exponent <= 25 ? mantissa >> (25 - exponent) : mantissa << (exponent - 25);
  return half & 0x8000 ? -static_cast<i32>(magnitude) : static_cast<i32>(magnitude);
}

}  // namespace gpuseq
