#pragma once

#include <vector>

#include "kernels/fm_mismatch/cuda/policy.hpp"

namespace gpuseq::fm_mismatch::testing {

/// Every policy that the axes have, for any mismatches.
inline std::vector<Policy> all_policies() {
  std::vector<Policy> policies;
  for (const u32 mismatches : {0u, 1u, 2u})
    for (const u32 threads : {64u, 128u, 256u})
      for (const u32 queries : {32u, 64u, 128u, 256u})
        for (const bool in_l1 : {false, true})
          policies.push_back({.mismatches = mismatches,
                              .threads_per_block = threads,
                              .queries_of_warp = queries,
                              .lines_in_l1 = in_l1});
  return policies;
}

}  // namespace gpuseq::fm_mismatch::testing
