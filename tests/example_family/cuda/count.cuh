#pragma once

/// Every thread counts the bases that are a grid apart, and adds what it found to the four totals.
extern "C" __global__ void count_bases(const unsigned char* bases, unsigned long long size,
                                       unsigned long long* totals) {
  unsigned counts[4]{};
  const unsigned long long step = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
  for (unsigned long long at = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
       at < size; at += step) {
#pragma unroll
    for (unsigned base = 0; base < 4; ++base) counts[base] += bases[at] == base;
  }
  for (unsigned base = 0; base < 4; ++base) atomicAdd(totals + base, counts[base]);
}
