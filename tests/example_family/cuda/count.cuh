#pragma once

/// Every thread counts C and G among the bases that are a grid apart, and adds its count to the total.
extern "C" __global__ void count_bases(const char* bases, unsigned long long size,
                                       unsigned long long* total) {
  unsigned found = 0;
  for (unsigned long long at = blockIdx.x * blockDim.x + threadIdx.x; at < size; at += gridDim.x * blockDim.x)
    found += (bases[at] & 0xDB) == 'C';
  atomicAdd(total, found);
}
