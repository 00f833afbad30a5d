#include "bench/bound/agreement.hpp"

#include <algorithm>

#include "results/statistics/statistics.hpp"

namespace gpuseq::bench {

double tolerance_of_passes(std::span<const std::vector<double>> points) {
  constexpr double kMediansOfMostGaps = 4.32, kLeast = 0.02, kMost = 0.10;
  std::vector<double> gaps;
  gaps.reserve(points.size());
  for (std::vector<double> times : points) {
    if (times.size() < 2) continue;
    std::ranges::partial_sort(times, times.begin() + 2);
    gaps.push_back(times[1] / times[0] - 1);
  }
  return gaps.empty() ? kLeast : std::clamp(kMediansOfMostGaps * results::median(gaps), kLeast, kMost);
}

std::vector<bool> agreeing_passes(std::span<const double> times, double tolerance) {
  if (times.size() == 1) return {true};
  std::vector<double> sorted(times.begin(), times.end());
  std::ranges::sort(sorted);
  const auto pair = std::ranges::adjacent_find(
      sorted, [&](double fast, double slow) { return slow <= (1 + tolerance) * fast; });
  std::vector<bool> agree(times.size(), false);
  if (pair == sorted.end()) return agree;
  for (std::size_t i = 0; i < times.size(); ++i)
    agree[i] = times[i] >= *pair && times[i] <= (1 + tolerance) * *pair;
  return agree;
}

}  // namespace gpuseq::bench
