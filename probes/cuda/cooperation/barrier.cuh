#pragma once

#include "probes/cuda/access.cuh"

// Waits at a barrier repeatedly.
//
// Mapping: all threads of a block wait for each other kBarriersOfRound times in a row without other work.
// Bound by: the time of a barrier, and the number of blocks that a multiprocessor's unit serves at a time. A
// barrier of a warp is not probed: ptxas removes it if the lanes are converged.

namespace gpuseq::probes {

struct BarrierKernel {
  /// @param order  for a check: one word per thread, the number of rounds that its neighbour had
  /// begun; null: only timing
  __device__ static void run(u32 rounds, u32* order, u32* result) {
    __shared__ u32 begun[1024];
    u32 wrong = 0;
    const u32 next = (threadIdx.x + 1) % blockDim.x;
    volatile u32* const all = begun;
#pragma unroll 1
    for (u32 round = 1; round <= rounds; ++round) {
      if (order != nullptr) all[threadIdx.x] = round;
#pragma unroll
      for (u32 i = 0; i < kBarriersOfRound; ++i) asm volatile("bar.sync 0;" ::: "memory");
      if (order != nullptr) {
        wrong += all[next] != round ? 1 : 0;
        __syncthreads();
      }
    }
    if (order != nullptr) {
      order[blockIdx.x * blockDim.x + threadIdx.x] = wrong;
      if (threadIdx.x == 0) atomicAdd(result, rounds);
    }
  }
};

}  // namespace gpuseq::probes
