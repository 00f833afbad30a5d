#include "kernels/pairwise_distance/data/instances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "runtime/contract/errors.hpp"
#include "runtime/system/host_memory.hpp"

namespace gpuseq::pairwise_distance {

u64 Instances::missing_values() const {
  return static_cast<u64>(std::ranges::count_if(missing, [](u8 is) { return is != 0; }));
}

double largest_real(u64 attributes) {
  constexpr double kRounding = 1.01;
  return std::sqrt(double{std::numeric_limits<float>::max()} /
                   (4 * kRounding * static_cast<double>(std::max<u64>(attributes, 1))));
}

void require_pairs_fit(u64 count, u64 attributes, bool missing) {
  constexpr u64 kRowsOfText = 256, kTextBytes = 12;  // rows formatted at a time; approximate
                                                     // bytes per distance
  if (count > u64{1} << 30)
    throw DoesNotFit(fmt::format("{} instances have more distances than any memory holds", count));
  const u64 matrix = count * count * sizeof(u32), matrices = missing ? 2 : 1;
  const u64 packed = count * (attributes / 8 + 1) * matrices;  // at least one bit per value
  const u64 text = std::min(count, kRowsOfText) * count * kTextBytes;
  require_host_memory(
      matrix * matrices + packed + text,
      fmt::format("comparing all pairs of {} instances of {} attributes (distances: {} x {} bytes{}; values "
                  "packed: {} or more; text: {})",
                  count, attributes, matrices, matrix, missing ? ", with the attributes compared" : "",
                  packed, text));
}

void require_pairs_fit_so_far(const Instances& instances) {
  constexpr u64 kFew = 4096;
  if (instances.count >= kFew && std::has_single_bit(instances.count)) require_pairs_fit(instances);
}

}  // namespace gpuseq::pairwise_distance
