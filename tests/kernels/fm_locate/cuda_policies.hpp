#pragma once

#include <vector>

#include "kernels/fm_locate/cuda/policy.hpp"

namespace gpuseq::fm_locate::testing {

/// Every policy that the axes have, for samples of both orders.
inline std::vector<Policy> all_policies() {
  std::vector<Policy> policies;
  for (const bool marked : {false, true})
    for (const u32 threads : {64u, 128u, 256u, 512u})
      for (const u32 walks : {32u, 64u, 128u, 256u, 512u})
        for (const bool in_l1 : {false, true})
          policies.push_back(
              {.marked = marked, .threads_per_block = threads, .walks_of_warp = walks, .lines_in_l1 = in_l1});
  return policies;
}

}  // namespace gpuseq::fm_locate::testing
