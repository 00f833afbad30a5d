#pragma once

#include "kernels/fm_locate/data/line.cuh"

// Compile-time parameters and arguments of the kernels that locate.

namespace gpuseq::fm_locate {

/// The compile-time parameters of one kernel. kernels/fm_locate/cuda/policy.cpp lists their values.
struct Policy {
  bool marked = true;  // samples in order of the text
  u32 threads_per_block = 128;
  u32 walks_of_warp = 256;   // rows that a warp takes at a time; lanes whose walk ends take the next
  bool lines_in_l1 = false;  // loads of lines allocate in L1, or bypass it

  /// Shared memory of a block: the rows that its warps have taken.
  GPUSEQ_HD constexpr u32 shared_bytes() const { return threads_per_block / kWarp * walks_of_warp * 4; }
};

/// The single argument of every kernel; pointers are to device memory.
struct LocateArguments {
  IndexView index;
  OccurrenceView occurrences;
  u32* positions;  // [total], overwritten
  u32 total;
};

}  // namespace gpuseq::fm_locate
