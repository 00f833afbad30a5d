#pragma once

#include "probes/cuda/random_access.cuh"
#include "runtime/cuda/device/special_registers.cuh"

// Random accesses by multiprocessors that each keep to a window of memory. A multiprocessor knows its window
// by its number, which no launch chooses: `begin` has a place for every number.

namespace gpuseq::probes {

/// The random-access kernel within windows. Mapping, bounds and parameters as there, and:
/// @param begin  by number of a multiprocessor: the granule that its window begins at
/// @param blocks  of a window
/// @param places  by thread block: the multiprocessor that it ran on
template <u32 kBlockBytes, u32 kInFlight>
__device__ void read_windows(const uint4* memory, const u64* begin, u64 blocks, u32 rounds, u64 seed,
                             u32 nothing, u32* places, u32* result) {
  const u32 mine = multiprocessor();
  if (threadIdx.x == 0) places[blockIdx.x] = mine;
  RandomAccessKernel<kBlockBytes, kInFlight, false>::run(memory + begin[mine], blocks, rounds, seed, nothing,
                                                         result);
}

/// How often the multiprocessor reads its window at random in a set time: each lane one load after another,
/// so that what a load waits for shows, and few lanes, so that memory has no part in it.
/// @param warm_ns, ns  before accesses are counted, and while they are
/// @param rates  by number of a multiprocessor: to it is added what each of its lanes reads in a millisecond
/// @param sink  gets a word that nobody needs
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
