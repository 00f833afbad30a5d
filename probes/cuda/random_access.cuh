#pragma once

#include "probes/cuda/access.cuh"
#include "probes/cuda/checksum.cuh"

// Reads aligned blocks at random places and returns the exclusive or of all their words.
//
// Mapping: adjacent lanes read a block together, 16 bytes each; a group has as many lanes as a block has
// granules, at most a warp (a block of 1024 bytes takes two loads per lane). Every lane of a group computes
// the same addresses. Independent: the group requests kInFlight blocks before it uses the first. Dependent:
// the group follows kInFlight chains; the next address of a chain depends on the tag in its last block. Bound
// by: the memory system; an address costs about a dozen integer instructions per lane. Source of the
// experiment: Chacon et al. 2015, section 3.3 (FM-index on the GPU).

namespace gpuseq::probes {

/// Exclusive or that the compiler does not split.
__device__ inline u32 xor3(u32 a, u32 b, u32 c) {
  u32 result;
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(result) : "r"(a), "r"(b), "r"(c));
  return result;
}

template <u32 kBlockBytes, u32 kInFlight, bool kDependent>
struct RandomAccessKernel {
  static constexpr u32 kGranules = kBlockBytes / kGranuleBytes;
  static constexpr u32 kLanes = kGranules < 32 ? kGranules : 32;
  static constexpr u32 kLoads = kGranules / kLanes;
  static constexpr u32 kGenerators = kDependent ? kInFlight : 1;

  /// @param memory  blocks * kBlockBytes bytes of granule_at()
  /// @param rounds  each reads kInFlight blocks per group
  /// @param nothing  0; an argument, to hide it from the compiler
  /// @param result  one word, combined with the checksum by exclusive or
  __device__ static void run(const uint4* memory, u64 blocks, u32 rounds, u64 seed, u32 nothing,
                             u32* result) {
    const u32 thread = blockIdx.x * blockDim.x + threadIdx.x;
    const u64 group = thread / kLanes;
    const uint4* mine = memory + thread % kLanes;
    u64 state[kGenerators];
#pragma unroll
    for (u32 g = 0; g < kGenerators; ++g) state[g] = first_state(seed, group * kGenerators + g);

    u32 sum = 0;
    // Unrolled, the compiler would mix the loads of one round with the uses of another.
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round) {
      uint4 data[kInFlight][kLoads];
#pragma unroll
      for (u32 i = 0; i < kInFlight; ++i) {
        u64& s = state[kDependent ? i : 0];
        const uint4* block = mine + block_of(s, blocks) * kGranules;
#pragma unroll
        for (u32 l = 0; l < kLoads; ++l) data[i][l] = block[l * kLanes];
        if (!kDependent) s = next_state(s);
      }
      // Zero, and known only after all loads have arrived: otherwise the compiler uses one block before it
      // requests the next, to save registers.
      u32 arrived = nothing;
#pragma unroll
      for (u32 i = 0; i < kInFlight; ++i) {
#pragma unroll
        for (u32 l = 0; l < kLoads; ++l) arrived &= data[i][l].w;
      }
#pragma unroll
      for (u32 i = 0; i < kInFlight; ++i) {
#pragma unroll
        for (u32 l = 0; l < kLoads; ++l) {
          const uint4& words = data[i][l];
          sum ^= xor3(words.z, words.w, xor3(words.x, words.y, arrived));
        }
        if (kDependent) state[i] = next_state(state[i] + data[i][0].x);
      }
    }
    add_to_checksum(result, sum);
  }
};

}  // namespace gpuseq::probes
