#include "probes/page_reach.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace gpuseq::probes {

PageReach page_reach(std::span<const AccessTime> curve, std::span<const AccessTime> larger) {
  constexpr double kLonger = 1.15;
  std::map<double, double> times;
  for (const AccessTime& at : curve) times[at.footprint_bytes] = at.ns;
  struct Both {
    double footprint_bytes, ns, larger_ns;
    bool is_longer() const { return ns > kLonger * larger_ns; }
  };
  std::vector<Both> both;
  std::map<double, double> others;
  for (const AccessTime& at : larger) others[at.footprint_bytes] = at.ns;
  for (const auto& [footprint, ns] : others)
    if (const auto found = times.find(footprint); found != times.end())
      both.push_back({footprint, found->second, ns});
  PageReach reach;
  if (both.empty()) {
    reach.reason = "no footprint was probed on these and on larger pages";
    return reach;
  }
  reach.extra_ns = both.front().ns - both.front().larger_ns;
  for (const Both& at : both) reach.extra_ns = std::max(*reach.extra_ns, at.ns - at.larger_ns);
  for (std::size_t i = 0; i < both.size(); ++i) {
    if (!both[i].is_longer() || (i + 1 < both.size() && !both[i + 1].is_longer())) continue;
    reach.exceeded_bytes = both[i].footprint_bytes;
    if (i > 0)
      reach.served_bytes = both[i - 1].footprint_bytes;
    else
      reach.reason = "slower than larger pages at every footprint";
    return reach;
  }
  reach.reason = "no slower than larger pages at any footprint";
  return reach;
}

}  // namespace gpuseq::probes
