#pragma once

#include "runtime/cuda/device/host_device.cuh"

// Initial values of the chains of the probe instruction_throughput, shared by the kernels and their check.

namespace gpuseq::probes {

/// The values of a chain's registers. `sums_...` are sums of products of bits or signed bytes that are all 1.
/// `addresses_...` are addresses in shared memory, for loads of this many bits.
enum class Operands { words, halves, floats, sums_b1, sums_s8, addresses_32, addresses_64, addresses_128 };

GPUSEQ_HD constexpr bool are_addresses(Operands kind) {
  return kind >= Operands::addresses_32;
}

/// Shared memory that loads chase through: every word is the address of the next load, one jump further. A
/// jump is a multiple of the bytes that a warp loads at once, so that every lane stays on its banks.
constexpr u32 kTableBytes = 4096, kJumpBytes = 1536;
GPUSEQ_HD u32 next_place(u32 place) {
  return (place + kJumpBytes) % kTableBytes;
}

/// First value of a register, as chains have several of each. Words are small in both halves and positive: no
/// 16-bit sum overflows at once, and as half-precision numbers they have the order of integers.
GPUSEQ_HD u32 first_operand(Operands kind, u32 thread, u32 chain) {
  switch (kind) {
    case Operands::words:
    case Operands::sums_b1:
    case Operands::sums_s8:
      return ((thread * 8 + chain + 1) * 2654435761u) & 0x0FFF0FFFu;
    case Operands::halves:
      return chain % 2 == 0 ? 0x3C004000u : 0x40003C00u;  // 1 and 2
    case Operands::floats:
      return 0x3F800000u + (((thread + chain) % 16) << 16);  // from 1 to 1.12
    default:
      break;
  }
  const u32 bytes = 4u << (static_cast<u32>(kind) - static_cast<u32>(Operands::addresses_32));
  return (thread % 32 * bytes + chain * 512) % kTableBytes;
}

/// The constant operand.
GPUSEQ_HD u32 fixed_operand(Operands kind, u32 thread) {
  if (kind == Operands::halves) return 0x3C003C00u;  // 1 and 1
  if (kind == Operands::floats) return 0x3F800000u;
  if (kind == Operands::sums_b1) return ~0u;
  if (kind == Operands::sums_s8) return 0x01010101u;
  return ((thread + 7) * 2246822519u) & 0x0FFF0FFFu;
}

}  // namespace gpuseq::probes
