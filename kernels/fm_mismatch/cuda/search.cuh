#pragma once

#include "kernels/fm_mismatch/cuda/search_policy.cuh"

// `search`: occurrences with mismatches, with a bidirectional index (data/searches.cuh).
//
// Mapping: with c = queries_of_warp and W warps, warp w takes the strands of queries [w c, (w + 1) c), then
// the strands W c further on. A lane searches one strand, one node per step. The waiting nodes are in shared
// memory, one column per thread. Queries differ widely in their number of steps, so if c is more than 32, a
// lane that has finished takes the warp's next strand. Votes assign these strands.
// Bound by: random reads of one or two 64-byte lines per step.
//
// Source: Kucherov, Salikhov, Tsur 2016; Lam et al. 2009.

namespace gpuseq::fm_mismatch {

/// Searches `count` strands of queries from place `first`. All lanes of a warp call it.
/// @param waiting  nodes of this lane, Policy::threads_per_block apart
template <class Tuned>
GPUSEQ_HD void search_of_warp(const SearchArguments& arguments, u64 first, u32 count, u32 lane,
                              Node* waiting) {
  constexpr Policy policy = Tuned::value;
  Searches<policy.mismatches> searches(arguments.index, waiting, policy.threads_per_block);
  const auto start = [&](u32 own) {
    const u64 place = first + own;
    const bool reverse = arguments.strands == 2 && place % 2 == 1;
    const u32 query = static_cast<u32>(arguments.strands == 2 ? place / 2 : place);
    return searches.start(arguments.queries, query, reverse, arguments.hits.of(place));
  };
  u32 own = lane, taken = count < kWarp ? count : kWarp;  // strands that lanes have taken
  bool has_one = own < count;
  bool more = has_one && start(own);
  while (any_lane(has_one)) {
    if (more) more = searches.template advance<policy.lines_in_l1>();
    if (has_one && !more) {
      arguments.answers[first + own] = searches.answer();
      has_one = false;
    }
    if (policy.queries_of_warp == kWarp || taken == count) continue;
    const u32 idle = ballot(!has_one);
    if (!has_one) {
      own = taken + popcount32(idle & ((1u << lane) - 1));
      has_one = own < count;
      more = has_one && start(own);
    }
    taken += popcount32(idle);
    taken = taken < count ? taken : count;
  }
}

/// Searches all queries; every thread of the launch calls it once.
/// @param shared  Policy::shared_bytes() of shared memory
template <class Tuned>
GPUSEQ_HD void search(const SearchArguments& arguments, const ThreadPlace& place, Node* shared) {
  constexpr u32 chunk = Tuned::value.queries_of_warp, warps = Tuned::value.threads_per_block / kWarp;
  const u32 warp = place.thread / kWarp;
#pragma unroll 1
  for (u64 first = (u64{place.block} * warps + warp) * chunk; first < arguments.places;
       first += u64{place.blocks} * warps * chunk) {
    const u64 left = arguments.places - first;
    search_of_warp<Tuned>(arguments, first, left < chunk ? static_cast<u32>(left) : chunk,
                          place.thread % kWarp, shared + place.thread);
  }
}

#if defined(__CUDACC__)
/// The body of a kernel with Tuned::value.threads_per_block threads per block.
template <class Tuned>
__device__ __forceinline__ void search_kernel(const SearchArguments& arguments) {
  extern __shared__ __align__(16) u8 shared[];
  search<Tuned>(arguments, {threadIdx.x, blockIdx.x, gridDim.x}, reinterpret_cast<Node*>(shared));
}
#endif

}  // namespace gpuseq::fm_mismatch
