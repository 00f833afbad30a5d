#pragma once

#include "probes/cuda/access.cuh"
#include "probes/cuda/latency.cuh"

// Reads the shared memory of another block of a cluster (sm_90 on).
//
// Mapping: every block has kClusterBytes of shared memory, which it fills with granules of its own number.
// `read`: all its threads read those of the next block of the cluster in order, 16 bytes each, again and
// again; bound by the network between multiprocessors. `follow`: one lane of the first block follows a cycle
// through the next one's; bound by the latency of a load. In a cluster of one block both are of its own.

namespace gpuseq::probes {

__device__ inline void cluster_barrier() {
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

/// Where what an address of this block's shared memory points to is in the block of another rank. Generic:
/// the hardware reaches other blocks' memory by such addresses, others it would turn into them at each load.
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

/// @tparam kBlocks  of a cluster
template <u32 kBlocks, u32 kThreads>
struct ClusterKernel {
  static constexpr u32 kGranules = kClusterBytes / kGranuleBytes;

  /// @param nothing  0, which the compiler does not know: else it would read once for all rounds
  /// @param sums     a word a block: exclusive or of all that its threads read
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
    cluster_barrier();  // a block's memory is there until all have read it
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
