#pragma once

#include "runtime/cuda/device/special_registers.cuh"

// One lane of one warp follows pointers through a random cycle. Bound by the latency of a load.

namespace gpuseq::probes {

/// Where a chase stands, and what the last launch took by the clocks of the multiprocessor.
struct Chase {
  u64 at;      // device address of the node to go on from
  u64 clocks;  // of the multiprocessor
  u64 ns;      // of the global timer
};

/// Loads again and again, and keeps what that took.
/// @param load  loads where `at` says, and sets it to what is there
template <typename At, typename Load>
__device__ inline void follow(Chase* chase, At at, u64 accesses, Load load) {
  const u64 begin_ns = global_timer_ns();
  const long long begin = clock64();
#pragma unroll 8
  for (u64 i = 0; i < accesses; ++i) load(at);
  // The clock is read after the last address has arrived.
  const u64 arrived = at == 0;
  chase->clocks = static_cast<u64>(clock64() - begin) + arrived;
  chase->ns = global_timer_ns() - begin_ns;
  chase->at = at;
}

__device__ inline void follow(Chase* chase, u64 accesses) {
  follow(chase, chase->at, accesses, [](u64& at) {
    // Volatile keeps the loads between the two readings of the clock; the load itself is cached as any other.
    asm volatile("ld.global.u64 %0, [%0];" : "+l"(at)::"memory");
  });
}

}  // namespace gpuseq::probes
