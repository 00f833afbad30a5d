#pragma once

#include "probes/cuda/latency.cuh"
#include "probes/cuda/sequential.cuh"
#include "runtime/cuda/device/special_registers.cuh"

// One lane follows pointers through a random cycle while other multiprocessors read or write memory in order.
//
// Mapping: the first block is the chaser, with one lane. Other blocks on its multiprocessor exit, so that the
// chaser waits for memory only, not for loads of the same multiprocessor. Each other warp is a load warp: it
// takes every n-th piece of memory, for n load warps, and pauses after each. Load warps begin at different
// times of their period, to avoid bursts. They stop when the chase ends, and count the data moved while it
// ran. Bound by the latency of a load under this traffic. Source: the loaded latency of Intel's Memory
// Latency Checker, which also sets the rate by pauses.

namespace gpuseq::probes {

/// Communication of blocks; zero before a launch. Same layout as the host's struct LoadState.
struct Load {
  u64 bytes;     // moved while the chase ran
  u32 checksum;  // exclusive or of all words read
  u32 chaser;    // the chaser's multiprocessor, counted from 1
  u32 decided;   // blocks that have exited or begun to stream
  u32 phase;     // before, during and after the chase
};
constexpr u32 kChaseRuns = 1, kChaseIsOver = 2;
/// Longest time that blocks wait for each other if they are not all resident: at most a tenth of a second.
constexpr long long kPatienceClocks = 1 << 27;

__device__ inline void wait_clocks(long long clocks) {
  const long long begin = clock64();
  while (clock64() - begin < clocks) {
  }
}

template <Operation kOperation>
struct LoadedLatencyKernel {
  using Stream = SequentialKernel<kOperation>;
  static constexpr u32 kGranules = kPieceBytes / kGranuleBytes;
  static constexpr u32 kRounds = kGranules / (32 * Stream::kInFlight);
  static_assert(kRounds * 32 * Stream::kInFlight == kGranules);

  /// @param accesses  of the chase
  /// @param memory    pieces * kPieceBytes bytes, not the chase's
  /// @param value     written in addition to the position
  /// @param moved     pieces moved by each warp, for all blocks but the first
  __device__ static void run(Chase* chase, u64 accesses, uint4* memory, u32 pieces, u32 pause_clocks,
                             u32 value, Load* load, u32* moved) {
    if (blockIdx.x > 0)
      stream(memory, pieces, pause_clocks, value, load, moved);
    else if (threadIdx.x == 0)
      follow_beside(chase, accesses, load);
  }

  __device__ static void follow_beside(Chase* chase, u64 accesses, Load* load) {
    volatile Load* told = load;  // volatile: read and written where all blocks see it
    told->chaser = 1 + multiprocessor();
    const long long begin = clock64();
    while (told->decided < gridDim.x - 1 && clock64() - begin < kPatienceClocks) {
    }
    told->phase = kChaseRuns;
    follow(chase, accesses);
    told->phase = kChaseIsOver;
  }

  __device__ static void stream(uint4* memory, u32 pieces, u32 pause_clocks, u32 value, Load* load,
                                u32* moved) {
    const u32 warps_per_block = blockDim.x / 32, warps = (gridDim.x - 1) * warps_per_block;
    const u32 warp = (blockIdx.x - 1) * warps_per_block + threadIdx.x / 32;
    const bool leaves = is_beside_the_chaser(load);
    if (!leaves)
      wait_clocks(static_cast<u64>(warp * 0x9e3779b9u) * pause_clocks >> 32);  // a fraction of the period
    if (threadIdx.x == 0) atomicAdd(&load->decided, 1);
    const u32 count = leaves ? 0 : stream_pieces(memory, pieces, warp, warps, pause_clocks, value, load);
    if (threadIdx.x % 32 == 0) moved[warp] = count;
  }

  /// All threads of a block call it.
  __device__ static bool is_beside_the_chaser(const Load* load) {
    __shared__ u32 chaser;
    if (threadIdx.x == 0) {
      const volatile Load* told = load;
      const long long begin = clock64();
      u32 found = 0;
      while ((found = told->chaser) == 0 && clock64() - begin < kPatienceClocks) {
      }
      chaser = found;
    }
    __syncthreads();
    return chaser == 1 + multiprocessor();
  }

  /// @returns the number of pieces
  __device__ static u32 stream_pieces(uint4* memory, u32 pieces, u32 warp, u32 warps, u32 pause_clocks,
                                      u32 value, Load* load) {
    const volatile Load* told = load;
    const u32 lane = threadIdx.x % 32;
    const u32 step = warps % pieces;
    u32 piece = warp % pieces;
    u32 count = 0, in_time = 0, sum = 0;
    while (true) {
      // Requested together with the piece, so that it takes no extra time.
      u32 phase = lane == 0 ? told->phase : 0;
#pragma unroll 1
      for (u32 round = 0; round < kRounds; ++round) {
        u64 place[Stream::kInFlight];
#pragma unroll
        for (u32 i = 0; i < Stream::kInFlight; ++i)
          place[i] = u64{piece} * kGranules + (round * Stream::kInFlight + i) * 32 + lane;
        sum ^= Stream::move(memory, memory, place, value);
      }
      ++count;
      phase = __shfl_sync(~0u, phase, 0);
      if (phase == kChaseIsOver) break;
      in_time += phase == kChaseRuns;
      piece += step;
      if (piece >= pieces) piece -= pieces;
      wait_clocks(pause_clocks);
    }
    if (lane == 0) atomicAdd(&load->bytes, static_cast<u64>(in_time) * kPieceBytes);
    if (kOperation == Operation::read) add_to_checksum(&load->checksum, sum);
    return count;
  }
};

}  // namespace gpuseq::probes
