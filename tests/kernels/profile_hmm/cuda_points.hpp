#pragma once

#include <algorithm>
#include <set>
#include <vector>

#include "kernels/profile_hmm/cuda/policy.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::profile_hmm::testing {

/// The paper's kernel: parts, tables and warps as published.
inline Point published_point(const char* stripes, const char* compiled_by) {
  Point point = published_parts();
  for (const char* table : {"costs", "steps"}) point.set(table, std::string("read_only"));
  point.set("warps_per_block", 32);
  point.set("order", std::string("file"));
  point.set("stripes", std::string(stripes));
  point.set("compiled_by", std::string(compiled_by));
  return point;
}

/// Points of the space of a CUDA variant in which every value of every axis occurs:
/// the default with one axis changed, with constant and with variable stripes, and
/// those that need several changes. Those that the search space refuses are left out.
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
  if (space.find("assignment") != nullptr) {
    for (const char* row : {"auto", "registers", "shared", "local"})
      for (const char* stripes : {"constant", "variable"}) {
        Point point = published_point(stripes, "nvrtc");
        point.set("row", std::string(row));
        add(point);
        // Tables in shared memory, word by word; lazy F next to rows whose maximum is skipped.
        point.set("costs", std::string("shared"));
        point.set("steps", std::string("shared"));
        point.set("reduction", std::string("skipped"));
        point.set("warps_per_block", 8);
        add(point);
      }
    add(published_point("variable", "nvcc"));
    for (const std::int64_t warps : {8, 16, 24, 64}) add({{"resident_warps", warps}});
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
