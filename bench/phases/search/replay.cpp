#include "bench/phases/search/replay.hpp"

#include <algorithm>

namespace gpuseq::bench {

std::vector<double> replay(const Strategy& strategy, const Candidates& candidates,
                           std::span<const std::optional<double>> scores, std::size_t evaluations,
                           std::uint64_t seed) {
  std::vector<double> best;
  std::vector<Tried> tried;
  while (best.size() < evaluations) {
    const auto next = strategy.next(candidates, tried, seed);
    if (!next) break;
    tried.push_back({*next, scores[*next]});
    best.push_back(std::max(best.empty() ? 0 : best.back(), scores[*next].value_or(0)));
  }
  return best;
}

}  // namespace gpuseq::bench
