#pragma once

#include "runtime/cuda/device/host_device.cuh"

// Special registers of a thread.

namespace gpuseq {

#if defined(__CUDACC__)

/// Number of the multiprocessor that a thread runs on.
__device__ inline u32 multiprocessor() {
  u32 number;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
  return number;
}

__device__ inline u64 global_timer_ns() {
  u64 ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  return ns;
}

#endif

}  // namespace gpuseq
