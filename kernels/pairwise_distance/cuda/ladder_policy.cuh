#pragma once

#include "runtime/cuda/device/warp.cuh"

// Compile-time parameters and launch arguments of the paper's ablation kernels.

namespace gpuseq::pairwise_distance {

/// naive: integers, attribute after attribute. coalesced: instance after instance. char4: bytes, four per
/// load. byte_register (the paper's 'register'): the four are counted in a register. shared: threads count in
/// shared memory, and the sum of their counts is written.
enum class Rung : u32 { naive, coalesced, char4, byte_register, shared };

/// shared: the memory of the bytes. global: read-only loads; constant: constant memory, which serves one word
/// per warp at a time; texture: a texture over linear memory.
enum class ReadPath : u32 { global, constant, texture };

/// shared: how the counts of a block's threads are added. one_thread: by the first thread, one count after
/// the other. tree: by half of the threads, then half of those, in shared memory. shuffles: each warp by
/// shuffles, then the first warp adds the sums of the warps.
enum class Sum : u32 { one_thread, tree, shuffles };

/// Constant memory that a kernel can have on every device.
inline constexpr u32 kConstantBytes = 64 << 10;

struct LadderPolicy {
  Rung rung = Rung::shared;
  u32 threads = 128;  // per block: a warp, or 2, 4, 8 ... warps
  ReadPath path = ReadPath::global;
  Sum sum = Sum::one_thread;

  GPUSEQ_HD constexpr bool bytes() const { return rung != Rung::naive && rung != Rung::coalesced; }
  /// Whether threads add to a distance, which must be 0 before.
  GPUSEQ_HD constexpr bool adds() const { return rung != Rung::shared; }
  GPUSEQ_HD constexpr u32 warps() const { return threads / kWarp; }
  GPUSEQ_HD constexpr u32 shared_words() const {
    if (rung != Rung::shared) return 0;
    return sum == Sum::shuffles ? warps() : threads;
  }
};

/// The single argument of every kernel of the ladder; pointers are to device memory.
struct LadderArguments {
  const u8* data;  // naive: i32 [attributes][instances]; coalesced: i32 [instances][attributes]; others:
                   // bytes, [instances][row_bytes]; null if they are in constant memory
  u32* distances;  // [instances][instances]
  u32 instances;
  u32 attributes;
  u32 row_bytes;  // attributes rounded up to a multiple of 4, for aligned loads of four
  u64 texture;    // ReadPath::texture: the data, four bytes per texel
};

}  // namespace gpuseq::pairwise_distance
