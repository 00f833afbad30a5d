#pragma once

#include "probes/cuda/instruction_operands.cuh"

// Executes one operation, or two alternately, in independent chains of registers.
//
// Mapping: every thread has kChains chains; the even ones execute the first operation, the odd ones the
// second. An operation's operands are its chain's register, the register of the next chain of its kind, and a
// constant: every value is used more than once, so that the compiler cannot fold or fuse operations. Bound
// by: the pipe of the operation, or the issue slots of a scheduler, one instruction per clock.

namespace gpuseq::probes {

/// Two half-precision minima; before sm_80 there is no instruction.
__device__ inline u32 minimum_f16x2(u32 x, u32 y) {
#if __CUDA_ARCH__ >= 800
  asm("min.f16x2 %0, %0, %1;" : "+r"(x) : "r"(y));
#else
  asm("{ .reg .pred p, q; .reg .b16 a, b, c, d;\n"
      "  setp.lt.f16x2 p|q, %0, %1; mov.b32 {a, b}, %0; mov.b32 {c, d}, %1;\n"
      "  selp.b16 a, a, c, p; selp.b16 b, b, d, q; mov.b32 %0, {a, b}; }"
      : "+r"(x)
      : "r"(y));
#endif
  return x;
}

/// The word at an address in shared memory, loaded with its 0, 1 or 3 neighbours.
template <u32 kBits>
__device__ inline u32 load_shared(u32 place) {
  if constexpr (kBits == 32)
    asm volatile("ld.volatile.shared.u32 %0, [%0];" : "+r"(place));
  else if constexpr (kBits == 64)
    asm volatile("{ .reg .u32 b; ld.volatile.shared.v2.u32 {%0, b}, [%0]; }" : "+r"(place));
  else
    asm volatile("{ .reg .u32 b, c, d; ld.volatile.shared.v4.u32 {%0, b, c, d}, [%0]; }" : "+r"(place));
  return place;
}

template <Operands kFirst, Operands kSecond, u32 kChains, u32 kSteps>
struct InstructionKernel {
  static constexpr bool kUsesTable = are_addresses(kFirst) || are_addresses(kSecond);

  /// The address of the filled table in shared memory.
  __device__ static u32 filled_table() {
    __shared__ u32 table[kTableBytes / 4];
    const u32 begin = static_cast<u32>(__cvta_generic_to_shared(table));
    for (u32 word = threadIdx.x; word < kTableBytes / 4; word += blockDim.x)
      table[word] = begin + next_place(word * 4);
    __syncthreads();
    return begin;
  }

  /// @param rounds  of kSteps operations per chain
  /// @param stores  threads that store the final values of their chains; 0: only timing
  template <typename First, typename Second>
  __device__ static void run(First first, Second second, u32 rounds, u32 stores, u32* result) {
    const u32 thread = blockIdx.x * blockDim.x + threadIdx.x;
    u32 table = 0;
    if constexpr (kUsesTable) table = filled_table();
    u32 x[kChains];
#pragma unroll
    for (u32 i = 0; i < kChains; ++i) {
      const Operands kind = i % 2 == 0 ? kFirst : kSecond;
      x[i] = first_operand(kind, thread, i) + (are_addresses(kind) ? table : 0);
    }
    const u32 z_first = fixed_operand(kFirst, thread), z_second = fixed_operand(kSecond, thread);
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round) {
#pragma unroll
      for (u32 step = 0; step < kSteps; ++step) {
#pragma unroll
        for (u32 i = 0; i < kChains; ++i) {
          const u32 y = x[(i + 2) % kChains];
          x[i] = i % 2 == 0 ? first(x[i], y, z_first) : second(x[i], y, z_second);
        }
      }
    }
    u32 sum = 0;
#pragma unroll
    for (u32 i = 0; i < kChains; ++i)
      sum = sum * 33 + x[i] - (are_addresses(i % 2 == 0 ? kFirst : kSecond) ? table : 0);
    if (thread < stores) result[thread] = sum;
  }
};

}  // namespace gpuseq::probes
