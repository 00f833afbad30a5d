#include "results/obstacles.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "runtime/contract/counters.hpp"

namespace gpuseq::results {
namespace {

using Counters = std::map<std::string, double>;

constexpr double kWorthSaying = 0.1;  // of the warps' time

std::optional<double> value_of(const Counters& counters, std::string_view name) {
  const auto found = counters.find(std::string(name));
  return found == counters.end() ? std::nullopt : std::optional(found->second);
}

/// A hit rate in %. Hits and accesses are counted in separate passes, so their quotient can exceed 1.
std::optional<double> hit_rate(const Counters& counters, std::string_view name) {
  const std::optional<double> rate = value_of(counters, name);
  return rate ? std::optional(std::min(*rate, 100.0)) : rate;
}

/// The warps' states other than issuing, most frequent first: "waiting for global or local memory 61 %,
/// ready, another issues 14 %".
std::string waits(const Counters& counters) {
  std::vector<WarpTime> times = warp_times(counters);
  std::erase_if(times, [](const WarpTime& time) {
    return time.words == kWarpStates.front().words || time.share < kWorthSaying;
  });
  std::stable_sort(times.begin(), times.end(),
                   [](const WarpTime& a, const WarpTime& b) { return a.share > b.share; });
  std::vector<std::string> parts;
  parts.reserve(times.size());
  for (const WarpTime& time : times)
    parts.push_back(fmt::format("{} {:.0f} %", time.words, 100 * time.share));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

std::vector<WarpTime> warp_times(const Counters& counters) {
  std::vector<WarpTime> times;
  double all = 0;
  for (const WarpState& state : kWarpStates) {
    const std::optional<double> cycles = value_of(counters, warp_state_metric(state.counter));
    if (!cycles || !(*cycles > 0)) continue;
    all += *cycles;
    const auto same = std::find_if(times.begin(), times.end(),
                                   [&](const WarpTime& time) { return time.words == state.words; });
    if (same == times.end())
      times.push_back({state.words, *cycles});
    else
      same->share += *cycles;
  }
  for (WarpTime& time : times) time.share /= all;
  return times;
}

std::string obstacles(const Counters& counters) {
  std::vector<std::string> parts;
  if (const auto issue = value_of(counters, kIssueActive))
    parts.push_back(fmt::format("its multiprocessors issue in {:.0f} % of their cycles", *issue));
  if (const std::string of_warps = waits(counters); !of_warps.empty())
    parts.push_back("of the warps' time is " + of_warps);
  if (const auto sectors = value_of(counters, kSectorsPerLoad); sectors && *sectors > 0)
    parts.push_back(fmt::format("a load of a warp takes {:.3g} sectors", *sectors));
  if (const auto l1 = hit_rate(counters, kL1HitRate))
    parts.push_back(fmt::format("L1 serves {:.0f} % of sectors", *l1));
  if (const auto l2 = hit_rate(counters, kL2HitRate))
    parts.push_back(fmt::format("L2 {:.0f} % of those that it is asked for", *l2));
  const auto conflicts = value_of(counters, kBankConflicts),
             wavefronts = value_of(counters, kSharedWavefronts);
  if (conflicts && wavefronts && *wavefronts > 0)
    parts.push_back(fmt::format("{:.0f} % of accesses to shared memory are conflicts of its banks",
                                100 * *conflicts / *wavefronts));
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace gpuseq::results
