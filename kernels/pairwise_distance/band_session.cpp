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
    const auto place = static_cast<std::ptrdiff_t>(band.first * band.count);
    std::ranges::copy(band.sum, result_.sum.begin() + place);
    std::ranges::copy(band.compared, result_.compared.begin() + place);
  });
}

const Distances& BandSession::distances() {
  if (result_.sum.empty()) launch();
  return result_;
}

}  // namespace gpuseq::pairwise_distance
