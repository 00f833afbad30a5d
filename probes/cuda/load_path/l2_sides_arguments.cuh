#pragma once

#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq::probes {

/// What multiprocessors that look at lines of the L2 one after the other share.
struct L2SidesState {
  u32 arrived;     // thread blocks that took a number
  u32 turn;        // the number that looks now
  u64 wrong;       // chases that did not end where they began
  u64 clocks, ns;  // of the first one's look at all lines, for what a clock takes
};

/// Where lines are. Every one of them holds its own address in its first 8 bytes.
struct L2SidesArguments {
  u64 memory;  // device address
  u64 places;  // lines that the memory has
  u64 seed;    // of the order in which places are taken
  u32 lines;   // that are looked at
  u32 rounds;
  u64 nothing;  // 0, which the compiler does not know
};

/// Bytes that lines are apart at least: those of one are of one tag.
constexpr u32 kL2LineBytes = 128;
/// Loads of one timed round.
constexpr u32 kL2SidesLoads = 16;

}  // namespace gpuseq::probes
