#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kernels/fm_index/cuda/policy.hpp"

namespace gpuseq::fm_index::testing {

/// A variant has its scheme's name.
inline Scheme scheme_named(std::string_view name) {
  const auto words = search_kernels().fields.front().words;
  return static_cast<Scheme>(std::find(words.begin(), words.end(), name) - words.begin());
}

inline const std::set<std::string> kLaunchAxes{"prefix_symbols", "active_threads", "windows",    "index_on",
                                               "assigned_by",    "streams",        "compiled_by"};

/// Every policy of a variant's listed values, for 32-bit and for 64-bit positions.
inline std::vector<Policy> all_policies(const Variant& variant) {
  std::map<std::string, std::vector<AxisValue>> listed;
  for (const Axis& axis : variant.space.axes())
    if (!kLaunchAxes.contains(axis.name)) listed[axis.name] = axis.values;
  std::vector<Policy> policies;
  for (const Point& point : variant.space.points(listed))
    for (const bool wide : {false, true}) {
      if (wide && !search_point(scheme_named(variant.name), point).policy.may_be_wide()) continue;
      policies.push_back(search_point(scheme_named(variant.name), point).policy);
      policies.back().wide = wide;
    }
  return policies;
}

/// The values of two parameters of a policy.
using Pair = std::array<u32, 4>;
inline std::vector<Pair> pairs_of(const Policy& policy) {
  const u32 values[] = {policy.k,
                        policy.d,
                        policy.alternate,
                        policy.wide,
                        policy.threads_per_block,
                        policy.lanes_per_query,
                        policy.queries_in_flight,
                        policy.entries_in_l1,
                        static_cast<u32>(policy.search),
                        policy.line_bytes,
                        policy.row_bytes,
                        policy.early_exit,
                        policy.separate_entries,
                        policy.whole_entries,
                        policy.lanes_per_entry};
  std::vector<Pair> pairs;
  for (u32 i = 0; i < std::size(values); ++i)
    for (u32 j = 0; j < i; ++j) pairs.push_back({i, j, values[i], values[j]});
  return pairs;
}

/// Policies that have every pair of values which some policy has; greedily few.
inline std::vector<Policy> covering(const std::vector<Policy>& policies) {
  std::set<Pair> missing;
  for (const Policy& policy : policies)
    for (const Pair& pair : pairs_of(policy)) missing.insert(pair);
  std::vector<Policy> chosen;
  while (!missing.empty()) {
    std::size_t most = 0;
    const Policy* best = nullptr;
    for (const Policy& policy : policies) {
      const std::vector<Pair> pairs = pairs_of(policy);
      const auto adds = static_cast<std::size_t>(std::count_if(
          pairs.begin(), pairs.end(), [&](const Pair& pair) { return missing.contains(pair); }));
      if (adds <= most) continue;
      most = adds;
      best = &policy;
    }
    chosen.push_back(*best);
    for (const Pair& pair : pairs_of(*best)) missing.erase(pair);
  }
  return chosen;
}

}  // namespace gpuseq::fm_index::testing
