#pragma once

#include "probes/cuda/access.cuh"

// Fills a footprint. Mapping: one thread per granule or node, in steps of the grid. Bound by stores.

namespace gpuseq::probes {

__device__ inline void fill_granules(Granule* memory, u64 granules) {
  const u64 threads = static_cast<u64>(gridDim.x) * blockDim.x;
  for (u64 i = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x; i < granules; i += threads) {
    const Granule granule = granule_at(i);
    reinterpret_cast<uint4*>(memory)[i] = make_uint4(granule.tag, granule.low, granule.high, granule.index);
  }
}

/// Writes the address of the next node to the first 8 bytes of each node.
__device__ inline void fill_chase(char* memory, u64 nodes, u64 stride_bytes, u64 seed) {
  const u32 bits = bits_below(nodes);
  const u64 threads = static_cast<u64>(gridDim.x) * blockDim.x;
  for (u64 i = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x; i < nodes; i += threads) {
    char* next = memory + node_at(i + 1 == nodes ? 0 : i + 1, nodes, bits, seed) * stride_bytes;
    *reinterpret_cast<char**>(memory + node_at(i, nodes, bits, seed) * stride_bytes) = next;
  }
}

}  // namespace gpuseq::probes
