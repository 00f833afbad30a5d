#pragma once

#include "probes/cuda/access.cuh"
#include "probes/cuda/checksum.cuh"

// Reads, writes or copies a footprint in order, repeatedly.
//
// Mapping: the grid takes consecutive granules of 16 bytes, one per thread, kInFlight times before the first
// use. Positions wrap at the end of the footprint, so that small footprints keep every thread busy. Bound
// by: memory bandwidth.

namespace gpuseq::probes {

enum class Operation { read, write, copy };

template <Operation kOperation>
struct SequentialKernel {
  static constexpr u32 kInFlight = 4;

  /// One granule at each place, all requested before the first is used.
  /// @returns the exclusive or of all words that are read
  __device__ static u32 move(const uint4* from, uint4* to, const u64 (&place)[kInFlight], u32 value) {
    uint4 data[kInFlight];
#pragma unroll
    for (u32 i = 0; i < kInFlight; ++i) {
      if (kOperation == Operation::write)
        data[i] = make_uint4(static_cast<u32>(place[i]), static_cast<u32>(place[i] >> 32), value, value);
      else
        data[i] = from[place[i]];
    }
    u32 sum = 0;
#pragma unroll
    for (u32 i = 0; i < kInFlight; ++i) {
      if (kOperation == Operation::read)
        sum ^= data[i].x ^ data[i].y ^ data[i].z ^ data[i].w;
      else
        to[place[i]] = data[i];
    }
    return sum;
  }

  /// @param from    granules to read (read, copy)
  /// @param to      granules to write (write, copy)
  /// @param rounds  each moves kInFlight granules per thread
  /// @param value   written in addition to the position (write)
  __device__ static void run(const uint4* from, uint4* to, u64 granules, u32 rounds, u32 value, u32* result) {
    const u64 threads = static_cast<u64>(gridDim.x) * blockDim.x;
    const u64 step = threads % granules;
    u64 at = (static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x) % granules;
    u32 sum = 0;
    // Unrolled, the compiler would mix the loads of one round with the uses of another.
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round) {
      u64 place[kInFlight];
#pragma unroll
      for (u32 i = 0; i < kInFlight; ++i) {
        place[i] = at;
        at += step;
        if (at >= granules) at -= granules;
      }
      sum ^= move(from, to, place, value);
    }
    if (kOperation == Operation::read) add_to_checksum(result, sum);
  }
};

}  // namespace gpuseq::probes
