#pragma once

#include "probes/cuda/access.cuh"

// Waits at a barrier again and again.
//
// Mapping: all threads of a block wait for each other kBarriersOfRound times in a row with nothing between.
// What bounds it: the time of a barrier, and how many blocks a multiprocessor's unit serves at a time. A
// barrier of a warp is not probed: ptxas leaves nothing of it where its lanes are together.

namespace gpuseq::probes {

struct BarrierKernel {
  /// @param order  of a check: a word a thread, which hold how many rounds their neighbour had begun; null:
  ///               only time counts
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
