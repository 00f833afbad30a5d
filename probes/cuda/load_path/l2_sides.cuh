#pragma once

#include "probes/cuda/load_path/l2_sides_arguments.cuh"
#include "probes/cuda/load_path/load_path.cuh"

// Access time of one lane of each multiprocessor to each of some lines in the L2, by loads that bypass the L1
// or by atomic additions of 0, each of which depends on the last: a line holds its own address. Bound by the
// latency of an access.
//
// One thread block per multiprocessor, with so much shared memory that no second one fits. Blocks measure one
// after the other without disturbing each other: each takes a number when it starts, and waits for its turn.
// A block that has not started has no number, so that no block waits for one that cannot start.

namespace gpuseq::probes {

enum class L2Access {
  load,    // ld.global.cg: served by the nearest copy in the L2
  atomic,  // atom.global.add: executed at the line's home partition
};

template <L2Access kAccess>
__device__ inline void access_line(u64& at, u64 nothing) {
  if constexpr (kAccess == L2Access::load) {
    load_next<LoadPath::l2>(at, 0);
  } else {
    asm volatile("atom.global.add.u64 %0, [%0], %1;" : "+l"(at) : "l"(nothing) : "memory");
  }
}

/// @param clocks  [numbers of multiprocessors][a.lines]: the least time of a round of kL2SidesLoads; kept if
/// it is already less; initially all ones
template <L2Access kAccess>
__device__ inline void look_at_lines(L2SidesState* state, u32* clocks, const L2SidesArguments& a) {
  if (threadIdx.x != 0) return;
  const u32 number = atomicAdd(&state->arrived, 1u);
  const volatile u32* const turn = &state->turn;
  while (*turn != number) __nanosleep(1000);
  __threadfence();
  u32* const mine = clocks + static_cast<u64>(multiprocessor()) * a.lines;
  const u32 bits = bits_below(a.places);
  const u64 begin_ns = global_timer_ns();
  const long long begin = clock64();
  u64 wrong = 0;
#pragma unroll 1
  for (u32 line = 0; line < a.lines; ++line) {
    const u64 there = a.memory + node_at(line, a.places, bits, a.seed) * kL2LineBytes;
    u64 at = there;
    access_line<kAccess>(at, a.nothing);  // fetches the line and its TLB entry
    u32 least = mine[line];
#pragma unroll 1
    for (u32 round = 0; round < a.rounds; ++round) {
      Chase chase;
      follow(&chase, at, kL2SidesLoads, [&](u64& next) { access_line<kAccess>(next, a.nothing); });
      at = chase.at;
      least = min(least, static_cast<u32>(chase.clocks));
    }
    mine[line] = least;
    wrong += at != there;
  }
  if (wrong > 0) atomicAdd(&state->wrong, wrong);
  if (number == 0) {
    state->clocks = static_cast<u64>(clock64() - begin);
    state->ns = global_timer_ns() - begin_ns;
  }
  const bool last = number + 1 == gridDim.x;
  if (last) state->arrived = 0;  // for the next launch
  __threadfence();
  *const_cast<volatile u32*>(&state->turn) = last ? 0 : number + 1;
}

}  // namespace gpuseq::probes
