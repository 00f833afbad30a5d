#pragma once

#include "probes/cuda/access.cuh"
#include "probes/cuda/latency.cuh"

// Reads the shared memory of another block of a cluster (sm_90 and later).
//
// Mapping: every block has kClusterBytes of shared memory, filled with granules of its own number. `read`:
// all its threads read those of the next block of the cluster in order, 16 bytes each, repeatedly; bound by
// the network between multiprocessors. `follow`: one lane of the first block follows a cycle through the
// memory of the next block; bound by the latency of a load. A cluster of one block reads its own memory.

namespace gpuseq::probes {

__device__ inline void cluster_barrier() {
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

/// The address, in the block of another rank, that corresponds to an address of this block's shared
/// memory. Generic: the hardware reaches other blocks' memory by generic addresses and would convert
/// others at each load.
__device__ inline u64 in_block(const void* own, u32 rank) {
  u64 there;
  asm volatile("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(own), "r"(rank));
  return there;
}

__device__ inline u32 rank_in_cluster() {
  u32 rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

/// @tparam kBlocks  per cluster
template <u32 kBlocks, u32 kThreads>
struct ClusterKernel {
  static constexpr u32 kGranules = kClusterBytes / kGranuleBytes;

  /// @param nothing  0, hidden from the compiler, which would otherwise read once for all rounds
  /// @param sums     one word per block: exclusive or of all words that its threads read
  __device__ static void read(u32 rounds, u32 nothing, u32* sums) {
    __shared__ uint4 own[kGranules];
    for (u32 i = threadIdx.x; i < kGranules; i += kThreads) {
      const Granule granule = granule_at(u64{blockIdx.x} * kGranules + i);
      own[i] = make_uint4(granule.tag, granule.low, granule.high, granule.index);
    }
    cluster_barrier();
    const uint4* there = reinterpret_cast<const uint4*>(next_block(own)) + threadIdx.x;
    u32 sum = 0;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round) {
#pragma unroll
      for (u32 i = 0; i < kGranules / kThreads; ++i) {
        const uint4 words = there[i * kThreads];
        sum ^= words.x ^ words.y ^ words.z ^ words.w;
      }
      there += nothing;
    }
    atomicXor(&sums[blockIdx.x], sum);
    cluster_barrier();  // a block's memory must exist until all have read it
  }

  __device__ static void follow_next(Chase* chase, u64 loads, u64 seed) {
    __shared__ uint4 own[kGranules];
    const u32 bits = bits_below(kGranules);
    const u64 begin = in_block(own, rank_in_cluster());
    for (u32 i = threadIdx.x; i < kGranules; i += kThreads)
      *reinterpret_cast<u64*>(&own[node_at(i, kGranules, bits, seed)]) =
          begin + node_at((i + 1) % kGranules, kGranules, bits, seed) * kGranuleBytes;
    cluster_barrier();
    if (blockIdx.x == 0 && threadIdx.x == 0) {
      const u64 there = next_block(own);
      follow(chase, there + node_at(0, kGranules, bits, seed) * kGranuleBytes, loads, [](u64& at) {
        asm volatile("ld.u64 %0, [%0];" : "+l"(at)::"memory");
      });
      chase->at = (chase->at - there) / kGranuleBytes;
    }
    cluster_barrier();
  }

 private:
  __device__ static u64 next_block(const uint4* own) {
    return in_block(own, (rank_in_cluster() + 1) % kBlocks);
  }
};

}  // namespace gpuseq::probes
