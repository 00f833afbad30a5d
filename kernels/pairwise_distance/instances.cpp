#include "kernels/pairwise_distance/instances.hpp"

#include <algorithm>

namespace gpuseq::pairwise_distance {

u64 Instances::missing_values() const {
  return static_cast<u64>(std::ranges::count_if(missing, [](u8 is) { return is != 0; }));
}

}  // namespace gpuseq::pairwise_distance
