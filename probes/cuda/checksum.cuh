#pragma once

#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq::probes {

/// Combines the values of all lanes with a word in memory by exclusive or. All lanes of a warp call it.
__device__ inline void add_to_checksum(u32* result, u32 sum) {
#pragma unroll
  for (u32 distance = 16; distance > 0; distance /= 2) sum ^= __shfl_xor_sync(~0u, sum, distance);
  if (threadIdx.x % 32 == 0) atomicXor(result, sum);
}

}  // namespace gpuseq::probes
