#pragma once

#include "kernels/pairwise_distance/cuda/block.cuh"
#include "kernels/pairwise_distance/cuda/ladder_policy.cuh"

// Hamming distances of all pairs, as Payne et al. 2010 take them from a naive kernel to their last one.
//
// Threads to work: a block takes a pair (both orders of it, and each instance with itself), its threads leap
// over one another from attribute to attribute.
//
// Bound by: naive and coalesced by loads, and with char4 and byte_register by additions to one place in
// memory; shared by one thread that sums what the others have counted.
//
// Source: Payne, Sinnott-Armstrong, Moore 2010, sections 5.1 to 5.3.

namespace gpuseq::pairwise_distance {

/// Codes of four attributes that differ, of those that there are.
GPUSEQ_HD u32 differing_bytes(u32 a, u32 b, u32 attribute, u32 attributes, u32* add_each) {
  u32 count = 0;
  const u32 differences = a ^ b;
#pragma unroll
  for (u32 byte = 0; byte < 4; ++byte) {
    if ((differences >> (8 * byte) & 0xff) == 0 || attribute + byte >= attributes) continue;
    if (add_each != nullptr)
      fetch_add(add_each, 1);
    else
      ++count;
  }
  return count;
}

/// The distance of a block's pair; every thread calls it once.
/// @param shared  LadderPolicy::shared_words()
template <class Tuned>
GPUSEQ_HD void ladder(const LadderArguments& arguments, const ThreadPlace& place, u32* shared) {
  constexpr LadderPolicy policy = Tuned::value;
  const u32 count = arguments.instances, attributes = arguments.attributes;
  const u32 gx = place.block % count, gy = place.block / count;
  u32* distance = arguments.distances + u64{gy} * count + gx;
  if constexpr (!policy.bytes()) {
    const auto* data = reinterpret_cast<const i32*>(arguments.data);
    const u64 x = policy.rung == Rung::naive ? gx : u64{gx} * attributes;
    const u64 y = policy.rung == Rung::naive ? gy : u64{gy} * attributes;
    const u64 step = policy.rung == Rung::naive ? count : 1;
    for (u32 i = place.thread; i < attributes; i += policy.threads)
      if (data[x + i * step] != data[y + i * step]) fetch_add(distance, 1);
  } else {
    const u8* x = arguments.data + u64{gx} * arguments.row_bytes;
    const u8* y = arguments.data + u64{gy} * arguments.row_bytes;
    if constexpr (policy.rung == Rung::shared) shared[place.thread] = 0;
    for (u32 i = 4 * place.thread; i < attributes; i += 4 * policy.threads) {
      u32* each = policy.rung == Rung::char4 ? distance : nullptr;
      const u32 differing =
          differing_bytes(load_word<true>(x + i), load_word<true>(y + i), i, attributes, each);
      if constexpr (policy.rung == Rung::byte_register) fetch_add(distance, differing);
      if constexpr (policy.rung == Rung::shared) shared[place.thread] += differing;
    }
    if constexpr (policy.rung == Rung::shared) {
      sync_block();
      if (place.thread != 0) return;
      for (u32 i = 1; i < policy.threads; ++i) shared[0] += shared[i];
      *distance = shared[0];
    }
  }
}

#if defined(__CUDACC__)
/// The body of a kernel with LadderPolicy::threads threads a block.
template <class Tuned>
__device__ __forceinline__ void ladder_kernel(const LadderArguments& arguments) {
  extern __shared__ __align__(16) u32 ladder_counts[];
  ladder<Tuned>(arguments, {threadIdx.x, blockIdx.x, gridDim.x}, ladder_counts);
}
#endif

}  // namespace gpuseq::pairwise_distance
