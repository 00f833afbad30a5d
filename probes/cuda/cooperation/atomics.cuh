#pragma once

#include "probes/cuda/access.cuh"

// Adds to 32-bit counters by atomic operations, and returns their final values.
//
// Mapping: in each step a warp adds to one line of 32 counters; kConflict adjacent lanes share a counter.
// Shared memory: every block has its own kSharedCounters, and a warp cycles through them from its own line
// on, so that the loop computes no address. Global memory: kStepsAtOnce consecutive lines from a random place
// on. Bound by: the units for atomic operations, of a multiprocessor's shared memory or of the L2;
// conflicting operations are serialised.

namespace gpuseq::probes {

constexpr u32 kSharedLines = kSharedCounters / kCountersOfLine;

/// @tparam kReturns  whether the counter's old value is used, so that the thread waits for it
template <bool kShared, bool kReturns, u32 kConflict>
struct AtomicsKernel {
  /// @param place  of the counter: an address in the window of shared memory, or a pointer's value
  __device__ static u32 add(u64 place, u32 value) {
    u32 old = 0;
    if constexpr (kShared && kReturns)
      asm volatile("atom.shared.add.u32 %0, [%1], %2;"
                   : "=r"(old)
                   : "r"(static_cast<u32>(place)), "r"(value)
                   : "memory");
    else if constexpr (kShared)
      asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(static_cast<u32>(place)), "r"(value) : "memory");
    else if constexpr (kReturns)
      asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(place), "r"(value) : "memory");
    else
      asm volatile("red.global.add.u32 [%0], %1;" ::"l"(place), "r"(value) : "memory");
    return old;
  }

  /// @param counters  global: lines * kCountersOfLine; shared: kSharedCounters per block, to which each block
  /// adds its own at the end
  /// @param value     added each time; an argument, so that the compiler cannot add up lanes beforehand
  /// @param result    for a check: one word, to which all old values are added; null: only timing
  __device__ static void run(u32* counters, u64 lines, u32 rounds, u64 seed, u32 value, u32* result) {
    const u32 thread = blockIdx.x * blockDim.x + threadIdx.x;
    const u32 lane = threadIdx.x % 32 / kConflict;
    u32 sum = 0;
    if constexpr (kShared) {
      __shared__ u32 own[kSharedCounters];
      for (u32 i = threadIdx.x; i < kSharedCounters; i += blockDim.x) own[i] = 0;
      __syncthreads();
      const u32 begin = static_cast<u32>(__cvta_generic_to_shared(own)) + lane * 4;
      u32 line = threadIdx.x / 32 * kStepsAtOnce % kSharedLines;
#pragma unroll 1
      for (u32 round = 0; round < rounds; ++round) {
        const u32 place = begin + line * kCountersOfLine * 4;
#pragma unroll
        for (u32 step = 0; step < kStepsAtOnce; ++step) sum += add(place + step * kCountersOfLine * 4, value);
        line = (line + kStepsAtOnce) % kSharedLines;
      }
      __syncthreads();
      u32* const mine = counters + u64{blockIdx.x} * kSharedCounters;
      for (u32 i = threadIdx.x; i < kSharedCounters; i += blockDim.x) mine[i] += own[i];
    } else {
      u64 state = first_state(seed, thread / 32);
#pragma unroll 1
      for (u32 round = 0; round < rounds; ++round) {
        const u64 place =
            reinterpret_cast<u64>(counters) + (first_line(state, lines) * kCountersOfLine + lane) * 4;
        state = next_state(state);
#pragma unroll
        for (u32 step = 0; step < kStepsAtOnce; ++step) sum += add(place + step * kCountersOfLine * 4, value);
      }
    }
    if (kReturns && result != nullptr) atomicAdd(result, sum);
  }
};

}  // namespace gpuseq::probes
