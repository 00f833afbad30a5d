#pragma once

#include "runtime/cuda/device/host_device.cuh"

// What a kernel of the paper's ladder is compiled for, and what it is launched with.

namespace gpuseq::pairwise_distance {

/// naive: integers, attribute after attribute. coalesced: instance after instance. char4: bytes, four a load.
/// byte_register (the paper's 'register'): the four are counted in a register. shared: counts of threads are
/// in shared memory, and one thread writes their sum.
enum class Rung : u32 { naive, coalesced, char4, byte_register, shared };

struct LadderPolicy {
  Rung rung = Rung::shared;
  u32 threads = 128;  // of a block: a multiple of a warp

  GPUSEQ_HD constexpr bool bytes() const { return rung != Rung::naive && rung != Rung::coalesced; }
  /// Whether threads add to a distance, so that it must be 0 before.
  GPUSEQ_HD constexpr bool adds() const { return rung != Rung::shared; }
  GPUSEQ_HD constexpr u32 shared_words() const { return rung == Rung::shared ? threads : 0; }
};

/// The single argument of every kernel of the ladder; pointers are to device memory.
struct LadderArguments {
  const u8* data;  // naive: i32 [attributes][instances]; coalesced: i32 [instances][attributes]; then bytes,
                   // [instances][row_bytes]
  u32* distances;  // [instances][instances]
  u32 instances;
  u32 attributes;
  u32 row_bytes;  // attributes rounded up to 4: what is loaded four at a time is aligned to it
};

}  // namespace gpuseq::pairwise_distance
