#pragma once

#include "kernels/pairwise_distance/data/instances.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::pairwise_distance {

struct Generation {
  u64 count = 112;
  u64 attributes = 512;
  u32 alphabet = 3;  // 1 to 256
  u32 missing_per_mille = 0;
  bool real = false;  // numbers from 0 to 1 instead of codes
};

/// Seeded instances with uniform and independent codes, like the paper's random data; each value is missing
/// with the same probability. The result does not depend on the number of threads.
Instances random_instances(const Generation& generation, u64 seed, ThreadPool& pool);

}  // namespace gpuseq::pairwise_distance
