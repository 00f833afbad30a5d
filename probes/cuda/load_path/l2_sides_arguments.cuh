#pragma once

#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq::probes {

/// State shared by the multiprocessors that measure lines of the L2 one after the other.
struct L2SidesState {
  u32 arrived;     // thread blocks that have a number
  u32 turn;        // the number whose turn it is
  u64 wrong;       // chases that did not end at their start
  u64 clocks, ns;  // time of the first block's measurement of all lines, to convert clocks
};

/// Location of the lines. Every line holds its own address in its first 8 bytes.
struct L2SidesArguments {
  u64 memory;  // device address
  u64 places;  // lines that fit the memory
  u64 seed;    // seed of the order in which places are used
  u32 lines;   // number of measured lines
  u32 rounds;
  u64 nothing;  // 0, hidden from the compiler
};

/// Least distance of lines: addresses at this distance have different tags.
constexpr u32 kL2LineBytes = 128;
/// Loads of one timed round.
constexpr u32 kL2SidesLoads = 16;

}  // namespace gpuseq::probes
