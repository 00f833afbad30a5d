#pragma once

#include "runtime/cuda/device/special_registers.cuh"

// One lane of one warp follows pointers through a random cycle. Bound by the latency of a load.

namespace gpuseq::probes {

/// The position of a chase, and the time of the last launch.
struct Chase {
  u64 at;      // device address of the next node
  u64 clocks;  // time by the multiprocessor's clock
  u64 ns;      // time by the global timer
};

/// Loads repeatedly and stores the time.
/// @param load  loads from the address `at` and sets `at` to the loaded value
template <typename At, typename Load>
__device__ inline void follow(Chase* chase, At at, u64 accesses, Load load) {
  const u64 begin_ns = global_timer_ns();
  const long long begin = clock64();
#pragma unroll 8
  for (u64 i = 0; i < accesses; ++i) load(at);
  // Reads the clock after the last address has arrived.
  const u64 arrived = at == 0;
  chase->clocks = static_cast<u64>(clock64() - begin) + arrived;
  chase->ns = global_timer_ns() - begin_ns;
  chase->at = at;
}

__device__ inline void follow(Chase* chase, u64 accesses) {
  follow(chase, chase->at, accesses, [](u64& at) {
    // Volatile keeps the loads between the two clock readings; the load is cached as usual.
    asm volatile("ld.global.u64 %0, [%0];" : "+l"(at)::"memory");
  });
}

}  // namespace gpuseq::probes
