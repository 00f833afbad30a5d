#pragma once

#include "kernels/fm_mismatch/data/searches.cuh"

// Compile-time parameters and arguments of the kernels that search.

namespace gpuseq::fm_mismatch {

/// The compile-time parameters of one kernel. kernels/fm_mismatch/cuda/policy.cpp lists their values.
struct Policy {
  u32 mismatches = 2;
  u32 threads_per_block = 128;
  u32 queries_of_warp = 128;  // strands of queries that a warp takes at a time
  bool lines_in_l1 = true;    // loads of lines allocate in L1, or bypass it

  /// Shared memory of a block: the waiting nodes of its threads.
  GPUSEQ_HD constexpr u32 shared_bytes() const {
    return threads_per_block * waiting_nodes(mismatches) * static_cast<u32>(sizeof(Node));
  }
};

/// The single argument of every kernel; pointers are to device memory.
struct SearchArguments {
  IndexView index;
  QueriesView queries;
  u32 strands;
  u64 places;       // strands of queries
  Answer* answers;  // [places], overwritten
  HitsView hits;
};

}  // namespace gpuseq::fm_mismatch
