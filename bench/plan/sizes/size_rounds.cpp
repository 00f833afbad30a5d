#include "bench/plan/sizes/size_rounds.hpp"

#include <algorithm>
#include <numeric>

#include "bench/plan/budget.hpp"

namespace gpuseq::bench {
namespace {

constexpr int kRounds = 4;

/// Problems that a later round grows, in its order.
std::vector<std::size_t> stopped_by_budget(const std::vector<SizeStep>& found) {
  std::vector<std::size_t> stopped;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i].change_at_budget()) stopped.push_back(i);
  std::ranges::stable_sort(stopped, std::greater<>(),
                           [&](std::size_t i) { return *found[i].change_at_budget(); });
  return stopped;
}

}  // namespace

std::vector<SizeStep> sizes_within(std::size_t problems, const SecondsForSizes& seconds_for,
                                   const Grow& grow) {
  std::vector<SizeStep> found(problems);
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::size_t> grown = stopped_by_budget(found);
    if (round == 0) {
      grown.resize(problems);
      std::iota(grown.begin(), grown.end(), std::size_t{0});
    }
    const double all_s = seconds_for(found);
    for (std::size_t n = 0; n < grown.size(); ++n) {
      SizeStep& own = found[grown[n]];
      double left_s = all_s;
      for (const SizeStep& one : found) left_s -= one.seconds();
      const double share_s = share_end_s(0, left_s, round == 0 ? grown.size() - n : 1);
      own = grow(grown[n], own.seconds() + share_s);
    }
    if (all_s == kNoBudget) break;
  }
  return found;
}

}  // namespace gpuseq::bench
