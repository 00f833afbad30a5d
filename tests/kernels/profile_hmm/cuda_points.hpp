#pragma once

#include <algorithm>
#include <set>
#include <vector>

#include "kernels/profile_hmm/cuda/policy.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::profile_hmm::testing {

/// Points of the space of a CUDA variant in which every value of every axis occurs: the default with one axis
/// changed, with constant and with variable stripes, and what needs several changes. Those that the search
/// space refuses are left out.
inline std::vector<Point> covering_points(const SearchSpace& space) {
  std::vector<Point> points;
  const auto add = [&](const Point& point) {
    try {
      const Point complete = space.complete(point);
      if (std::find(points.begin(), points.end(), complete) == points.end()) points.push_back(complete);
    } catch (const UsageError&) {
      return;
    }
  };
  for (const char* stripes : {"constant", "variable"})
    for (const Axis& axis : space.axes())
      for (const AxisValue& value : axis.values) {
        Point point{{"stripes", std::string(stripes)}};
        point.set(axis.name, value);
        add(point);
      }
  if (space.find("lanes") != nullptr) {
    add({{"lanes", 1}, {"costs", std::string("registers")}});
    for (const char* arithmetic : {"f16x2", "s16x2"})
      for (const std::int64_t lanes : {1, 2, 4, 8, 16, 32})
        add({{"lanes", lanes}, {"arithmetic", std::string(arithmetic)}});
  }
  return points;
}

/// The policies of those points, each once, for a model length and every filter that a point does.
inline std::vector<Policy> covering_policies(Mapping mapping, u32 model_length) {
  std::vector<Policy> policies;
  std::set<std::string> names;
  for (const Point& point : covering_points(filter_space(mapping)))
    for (const Filter filter : {Filter::ssv, Filter::msv, Filter::viterbi}) {
      const FilterPoint at = filter_point(mapping, point);
      if (at.ahead_of_time) continue;
      try {
        const Policy policy = choose_policy(at, {.filter = filter, .model_length = model_length});
        if (names.insert(filter_kernels().name(policy)).second) policies.push_back(policy);
      } catch (const ResourceError&) {
        continue;
      }
    }
  return policies;
}

}  // namespace gpuseq::profile_hmm::testing
