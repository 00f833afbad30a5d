#include "kernels/pairwise_distance/band_session.hpp"

#include <algorithm>

#include "runtime/system/host_memory.hpp"

namespace gpuseq::pairwise_distance {

void BandSession::launch() {
  if (result_.sum.empty()) {
    const u64 pairs = count() * count();
    require_host_memory(pairs * pair_bytes(), "the distances of all pairs");
    result_.count = count();
    result_.sum.resize(pairs);
    if (problem_.instances().has_missing()) result_.compared.resize(pairs);
  }
  each_band([&](const DistanceBand& band) {
    const auto keep = [&](std::span<const u32> from, std::vector<u32>& in) {
      constexpr std::size_t kAtOnce = 1 << 18;
      u32* const to = in.data() + band.first * band.count;
      pool_.parallel_for(from.size(), kAtOnce, [&](std::size_t begin, std::size_t end) {
        std::copy_n(from.data() + begin, end - begin, to + begin);
      });
    };
    keep(band.sum, result_.sum);
    if (!band.compared.empty()) keep(band.compared, result_.compared);
  });
}

const Distances& BandSession::distances() {
  if (result_.sum.empty()) launch();
  return result_;
}

}  // namespace gpuseq::pairwise_distance
