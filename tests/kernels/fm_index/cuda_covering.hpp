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

/// Every policy of a variant's listed values, for 32-bit and for 64-bit positions; of one_hot_routed for one
/// device and for two.
inline std::vector<Policy> all_policies(const Variant& variant) {
  std::map<std::string, std::vector<AxisValue>> listed;
  for (const Axis& axis : variant.space.axes())
    if (!kLaunchAxes.contains(axis.name)) listed[axis.name] = axis.values;
  std::vector<Policy> policies;
  for (const Point& point : variant.space.points(listed))
    for (const bool wide : {false, true}) {
      if (wide && !search_point(scheme_named(variant.name), point).policy.layout().may_be_wide()) continue;
      policies.push_back(search_point(scheme_named(variant.name), point).policy);
      policies.back().wide = wide;
      if (policies.back().scheme != Scheme::one_hot_routed) continue;
      policies.push_back(policies.back());
      policies.back().divided = true;
    }
  return policies;
}

/// The values of two parameters of a policy, or of one twice.
using Pair = std::array<u32, 4>;

/// The properties of every policy that some chosen one is to have.
enum class Cover { values, pairs };

inline std::vector<Pair> covered_by(const Policy& policy, Cover cover) {
  std::vector<u32> values;
  for (const Tunable<Policy>& field : search_kernels().fields) values.push_back(field.get(policy));
  std::vector<Pair> pairs;
  for (u32 i = 0; i < values.size(); ++i) {
    if (cover == Cover::values) pairs.push_back({i, i, values[i], values[i]});
    for (u32 j = 0; cover == Cover::pairs && j < i; ++j) pairs.push_back({i, j, values[i], values[j]});
  }
  return pairs;
}

/// Policies that have every value, or every pair of values, which some policy has; greedily few.
inline std::vector<Policy> covering(const std::vector<Policy>& policies, Cover cover = Cover::pairs) {
  std::map<Pair, std::size_t> numbers;
  std::vector<std::vector<std::size_t>> of_policies;  // numbers of their pairs
  for (const Policy& policy : policies) {
    of_policies.emplace_back();
    for (const Pair& pair : covered_by(policy, cover))
      of_policies.back().push_back(numbers.try_emplace(pair, numbers.size()).first->second);
  }
  std::vector<char> missing(numbers.size(), true);
  std::vector<Policy> chosen;
  for (;;) {
    std::size_t most = 0, best = 0;
    for (std::size_t i = 0; i < policies.size(); ++i) {
      std::size_t adds = 0;
      for (const std::size_t pair : of_policies[i]) adds += missing[pair];
      if (adds > most) most = adds, best = i;
    }
    if (most == 0) return chosen;
    chosen.push_back(policies[best]);
    for (const std::size_t pair : of_policies[best]) missing[pair] = false;
  }
}

}  // namespace gpuseq::fm_index::testing
