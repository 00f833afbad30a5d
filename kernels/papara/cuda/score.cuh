#pragma once

#include "kernels/papara/cuda/score_blocked.cuh"
#include "kernels/papara/cuda/score_row_wise.cuh"

// The scores of queries against references: the scoring phase of PaPaRa.
//
// Mapping: a warp takes a query and 32 references, or 64 with two 16-bit lanes per word. A thread computes
// the whole matrices of one or two references; threads share nothing. The grid is the resident blocks; warps
// loop over the remaining queries, the longest first. Source: Alachiotis et al. 2012, figure 2.

namespace gpuseq::papara {

/// Scores all pairs of the launch; every thread calls it once.
/// @param shared  shared_bytes(Policy, longest) bytes of shared memory, 8-byte aligned
template <class Tuned>
GPUSEQ_HD void score(const ScoreArguments& arguments, const ThreadPlace& place, u8* shared) {
  constexpr Policy policy = Tuned::value;
  using L = Lanes<policy.arithmetic>;
  constexpr u32 warps = policy.threads_per_block / kWarpThreads;
  const u32 groups = (arguments.reference_count + policy.warp_references() - 1) / policy.warp_references();
  const u32 lane = place.thread % kWarpThreads;
  const u64 tasks = u64{arguments.query_count} * groups;

  typename Either<policy.blocked(), BlockedScorer<Tuned>, RowWiseScorer<Tuned>>::type scorer(arguments, place,
                                                                                             shared);
#pragma unroll 1
  for (u64 task = u64{place.block} * warps + place.thread / kWarpThreads; task < tasks;
       task += u64{place.blocks} * warps) {
    const QueryEntry query = arguments.queries[task / groups];
    const u32 group = static_cast<u32>(task % groups);
    const u32 best =
        scorer.score(query, arguments.references + (group * kWarpThreads + lane), arguments.reference_stride);
    i32* row = arguments.scores + u64{query.row} * arguments.score_stride + arguments.first_reference;
#pragma unroll
    for (u32 which = 0; which < L::count; ++which) {
      const u32 reference = group * policy.warp_references() + which * kWarpThreads + lane;
      if (reference >= arguments.reference_count) continue;
      // Adds the insertions of the rows, which potentials leave out.
      const i32 potential =
          policy.has_potentials()
              ? arguments.penalties.insertion * static_cast<i32>(query.bases) - origin_of<Tuned>(arguments)
              : 0;
      row[reference] = L::lane(best, which) + potential;
    }
  }
}

#if defined(__CUDACC__)
/// The body of a kernel with Tuned::value.threads_per_block threads per block.
template <class Tuned>
__device__ __forceinline__ void score_kernel(const ScoreArguments& arguments) {
  extern __shared__ __align__(16) u8 shared[];
  score<Tuned>(arguments, {threadIdx.x, blockIdx.x, gridDim.x}, shared);
}
#endif

}  // namespace gpuseq::papara
