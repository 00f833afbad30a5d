#pragma once

#include "runtime/cuda/device/warp.cuh"

// What a kernel of the paper's ladder is compiled for, and what it is launched with.

namespace gpuseq::pairwise_distance {

/// naive: integers, attribute after attribute. coalesced: instance after instance. char4: bytes, four a load.
/// byte_register (the paper's 'register'): the four are counted in a register. shared: counts of threads are
/// in shared memory, and what is written is their sum.
enum class Rung : u32 { naive, coalesced, char4, byte_register, shared };

/// shared: where bytes are read. global: read-only loads; constant: constant memory, which gives a warp a
/// word at a time; texture: a texture over linear memory.
enum class ReadPath : u32 { global, constant, texture };

/// shared: who adds what the threads of a block have counted. one_thread: the first, one count after the
/// other. tree: half of the threads, then half of those, in shared memory. shuffles: each warp by shuffles,
/// and the first warp what the others have.
enum class Sum : u32 { one_thread, tree, shuffles };

/// Constant memory that a kernel can have on every device.
inline constexpr u32 kConstantBytes = 64 << 10;

struct LadderPolicy {
  Rung rung = Rung::shared;
  u32 threads = 128;  // of a block: a warp, or 2, 4, 8 ... of them
  ReadPath path = ReadPath::global;
  Sum sum = Sum::one_thread;

  GPUSEQ_HD constexpr bool bytes() const { return rung != Rung::naive && rung != Rung::coalesced; }
  /// Whether threads add to a distance, so that it must be 0 before.
  GPUSEQ_HD constexpr bool adds() const { return rung != Rung::shared; }
  GPUSEQ_HD constexpr u32 warps() const { return threads / kWarp; }
  GPUSEQ_HD constexpr u32 shared_words() const {
    if (rung != Rung::shared) return 0;
    return sum == Sum::shuffles ? warps() : threads;
  }
};

/// The single argument of every kernel of the ladder; pointers are to device memory.
struct LadderArguments {
  const u8* data;  // naive: i32 [attributes][instances]; coalesced: i32 [instances][attributes]; then bytes,
                   // [instances][row_bytes]; null where they are in constant memory
  u32* distances;  // [instances][instances]
  u32 instances;
  u32 attributes;
  u32 row_bytes;  // attributes rounded up to 4: what is loaded four at a time is aligned to it
  u64 texture;    // ReadPath::texture: of the data, four bytes a texel
};

}  // namespace gpuseq::pairwise_distance
