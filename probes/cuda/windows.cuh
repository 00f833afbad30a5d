#pragma once

#include "probes/cuda/random_access.cuh"
#include "runtime/cuda/device/special_registers.cuh"

// Random accesses by multiprocessors that are each restricted to a window of memory. A multiprocessor finds
// its window by its number, which a launch cannot choose: `begin` has an entry for every number.

namespace gpuseq::probes {

/// The random-access kernel within windows. Mapping, bound and parameters as for random_access.cuh, and:
/// @param begin  by multiprocessor number: the first granule of its window
/// @param blocks  per window
/// @param places  by thread block: the multiprocessor that it ran on
template <u32 kBlockBytes, u32 kInFlight>
__device__ void read_windows(const uint4* memory, const u64* begin, u64 blocks, u32 rounds, u64 seed,
                             u32 nothing, u32* places, u32* result) {
  const u32 mine = multiprocessor();
  if (threadIdx.x == 0) places[blockIdx.x] = mine;
  RandomAccessKernel<kBlockBytes, kInFlight, false>::run(memory + begin[mine], blocks, rounds, seed, nothing,
                                                         result);
}

/// Counts how often the multiprocessor reads its window at random in a fixed time: each lane does one load
/// after another, so that the latency is visible, and there are few lanes, so that memory is not saturated.
/// @param warm_ns, ns  duration before and of the counting
/// @param rates  by multiprocessor number: increased by the reads per lane and millisecond
/// @param sink  receives an unused word
__device__ inline void watch_windows(const uint4* memory, const u64* begin, u64 blocks, u64 warm_ns, u64 ns,
                                     u64 seed, u64* rates, u32* sink) {
  constexpr u32 kReads = 16, kBlockGranules = 2;
  const u32 mine = multiprocessor();
  const uint4* window = memory + begin[mine];
  u64 state = first_state(seed, blockIdx.x * blockDim.x + threadIdx.x);
  const u64 start = global_timer_ns();
  u64 reads = 0, reads_before = 0, begun = 0, now = start;
  u32 sum = 0;
  do {
#pragma unroll 1
    for (u32 i = 0; i < kReads; ++i) {
      const u32 tag = window[block_of(state, blocks) * kBlockGranules].x;
      sum ^= tag;
      state = next_state(state + tag);
    }
    reads += kReads;
    now = global_timer_ns();
    if (begun == 0 && now - start >= warm_ns) {
      begun = now;
      reads_before = reads;
    }
  } while (now - start < warm_ns + ns);
  atomicAdd(&rates[mine], (reads - reads_before) * 1000000 / (now - begun + 1));
  if (sum == 0x9e3779b9u) *sink = sum;
}

}  // namespace gpuseq::probes
