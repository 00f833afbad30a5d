#pragma once

#include "kernels/fm_locate/cuda/walk_policy.cuh"

// `walk`: positions of rows, from the intervals of queries and a sampled suffix array (data/line.cuh).
//
// Mapping: with c = walks_of_warp and W warps, warp w takes the positions [w c, (w + 1) c), then the
// positions W c further on. The warp first writes their rows to shared memory: its lanes find the queries of
// 32 consecutive positions together. Then each lane walks from one row. Walks have any length up to the rate,
// so if c is more than 32, a lane whose walk has ended takes the warp's next row. Votes assign these rows.
// Bound by: random reads of 64-byte lines, one per step, and of one sector per sample.
//
// Source: Ferragina and Manzini 2000, section 3.2.

namespace gpuseq::fm_locate {

/// The queries of 32 consecutive positions. All lanes of a warp call its members.
class RowsOfPositions {
 public:
  /// Finds the query of position `first`.
  GPUSEQ_HD RowsOfPositions(const OccurrenceView& all, u32 first) : all_(all) {
    u32 low = 0, high = all.queries;  // the query is at least `low` and less than `high`
    while (high - low > 1) {
      const u32 middle = low + (high - low) / 2;
      if (begin(middle) <= first)
        low = middle;
      else
        high = middle;
    }
    query_ = low;
  }

  /// The row of this lane's position, which is `lane` behind that of the first lane. Its query is that of the
  /// last call or a later one. @param position  for lanes past the last position the last one again
  GPUSEQ_HD u32 row(u32 position, u32 lane) {
    // The begins of the queries behind query_, one per lane; each of these queries has at least one position.
    const u32 own = query_ + 1 + lane;
    const u32 next = begin(own < all_.queries ? own : all_.queries);
    // Number of queries that begin no later than the lane's position. It can be 32: query_ is that of the
    // previous call.
    u32 ahead = 0;
#pragma unroll
    for (u32 step = kWarp / 2; step > 0; step /= 2)
      if (shuffle_from(next, ahead + step - 1, kWarp) <= position) ahead += step;
    if (shuffle_from(next, ahead, kWarp) <= position) ++ahead;
    const u32 query = query_ + ahead;
    query_ = shuffle_from(query, kWarp - 1, kWarp);
    return load_word<true>(reinterpret_cast<const u8*>(all_.first_row + query)) + (position - begin(query));
  }

 private:
  GPUSEQ_HD u32 begin(u32 query) const {
    return load_word<true>(reinterpret_cast<const u8*>(all_.begin + query));
  }

  const OccurrenceView& all_;
  u32 query_;
};

/// Walk of a lane from a row to the next row that has a sample.
template <class Tuned>
class Walk {
  static constexpr bool marked = Tuned::value.marked;

 public:
  GPUSEQ_HD void start(u32 row) {
    row_ = row;
    steps_ = 0;
  }
  /// Takes a step, or ends. @returns whether the walk has ended; `position` is then that of its first row
  GPUSEQ_HD bool advance(const IndexView& index, u32& position) {
    if constexpr (!marked) {
      if ((row_ & ((1u << index.rate_bits) - 1)) == 0) {
        position = sample(index, row_ >> index.rate_bits) + steps_;
        return true;
      }
      if (row_ == index.dollar_row) {  // the suffix from 0
        position = steps_;
        return true;
      }
    }
    const auto line = Line<marked>::template load<Tuned::value.lines_in_l1>(index, row_);
    if constexpr (marked) {
      if (line.has_sample(row_)) {
        position = sample(index, line.sample(row_)) + steps_;
        return true;
      }
    }
    row_ = line.lf(index, row_);
    ++steps_;
    return false;
  }

 private:
  GPUSEQ_HD static u32 sample(const IndexView& index, u32 number) {
    return load_word<Tuned::value.lines_in_l1>(reinterpret_cast<const u8*>(index.samples + number));
  }

  u32 row_ = 0;
  u32 steps_ = 0;
};

/// Locates `count` positions from `first`. All lanes of a warp call it.
/// @param rows  [walks_of_warp] of this warp, in shared memory
template <class Tuned>
GPUSEQ_HD void locate_of_warp(const LocateArguments& arguments, u32 first, u32 count, u32 lane, u32* rows) {
  RowsOfPositions rows_of(arguments.occurrences, first);
#pragma unroll 1
  for (u32 at = 0; at < count; at += kWarp) {
    const u32 own = at + lane < count ? at + lane : count - 1;
    const u32 row = rows_of.row(first + own, lane);
    if (at + lane < count) rows[own] = row;
  }
  sync_warp();
  u32 taken = count < kWarp ? count : kWarp;  // rows that lanes have taken
  u32 own = lane;
  bool walking = own < count;
  Walk<Tuned> walk;
  walk.start(walking ? rows[own] : 0);
  while (any_lane(walking)) {
    if (walking) {
      u32 position;
      if (walk.advance(arguments.index, position)) {
        arguments.positions[first + own] = position;
        walking = false;
      }
    }
    if (Tuned::value.walks_of_warp == kWarp || taken == count) continue;
    const u32 idle = ballot(!walking);
    if (!walking) {
      own = taken + popcount32(idle & ((1u << lane) - 1));
      walking = own < count;
      if (walking) walk.start(rows[own]);
    }
    taken += popcount32(idle);
    taken = taken < count ? taken : count;
  }
  sync_warp();  // before the next rows overwrite these
}

/// Locates all positions; every thread of the launch calls it once.
/// @param shared  Policy::shared_bytes() of shared memory
template <class Tuned>
GPUSEQ_HD void locate(const LocateArguments& arguments, const ThreadPlace& place, u32* shared) {
  constexpr u32 walks = Tuned::value.walks_of_warp, warps = Tuned::value.threads_per_block / kWarp;
  const u32 warp = place.thread / kWarp;
  u32* const rows = shared + warp * walks;
#pragma unroll 1
  for (u64 first = u64{place.block * warps + warp} * walks; first < arguments.total;
       first += u64{place.blocks} * warps * walks) {
    const u64 left = arguments.total - first;
    locate_of_warp<Tuned>(arguments, static_cast<u32>(first), left < walks ? static_cast<u32>(left) : walks,
                          place.thread % kWarp, rows);
  }
}

#if defined(__CUDACC__)
/// The body of a kernel with Tuned::value.threads_per_block threads per block.
template <class Tuned>
__device__ __forceinline__ void locate_kernel(const LocateArguments& arguments) {
  extern __shared__ __align__(16) u32 shared[];
  locate<Tuned>(arguments, {threadIdx.x, blockIdx.x, gridDim.x}, shared);
}
#endif

}  // namespace gpuseq::fm_locate
