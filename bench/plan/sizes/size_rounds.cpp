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

double seconds_of(const std::vector<SizeStep>& found) {
  double seconds = 0;
  for (const SizeStep& one : found) seconds += one.seconds();
  return seconds;
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
    if (round > 0 && seconds_of(found) >= all_s) break;
    for (std::size_t n = 0; n < grown.size(); ++n) {
      SizeStep& own = found[grown[n]];
      const double share_s = share_end_s(0, all_s - seconds_of(found), round == 0 ? grown.size() - n : 1);
      own = grow(grown[n], own.seconds() + share_s);
    }
    if (all_s == kNoBudget) break;
  }
  return found;
}

}  // namespace gpuseq::bench
