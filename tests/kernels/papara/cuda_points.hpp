#pragma once

#include <algorithm>
#include <vector>

#include "kernels/papara/cuda/policy.hpp"

namespace gpuseq::papara::testing {

/// The paper's kernel: a block has the references of a query, of which 12 columns fill 15 KB of shared
/// memory.
inline Point published_point() {
  return {{"arithmetic", std::string("s32")},
          {"unroll", 12},
          {"threads_per_block", 320},
          {"recurrence", std::string("printed")},
          {"ends", std::string("square")}};
}

/// Points of the space of a CUDA variant in which every value of every compiled axis occurs, in every
/// arithmetic: the default with one axis changed, then with all changed at once, and the published points.
/// @param turns  how often all are changed: 8 for every value
inline std::vector<Point> covering_points(const SearchSpace& space, std::size_t turns = 8) {
  std::vector<Point> points;
  const auto add = [&](const Point& point) {
    const Point complete = space.complete(point);
    if (std::find(points.begin(), points.end(), complete) == points.end()) points.push_back(complete);
  };
  for (const char* arithmetic : {"s32", "s16x2", "f16x2"}) {
    const Point base{{"arithmetic", std::string(arithmetic)}};
    add(base);
    for (std::size_t turn = 0; turn < turns; ++turn) {
      Point changed = base;
      for (const Axis& axis : space.axes()) {
        if (axis.name == "arithmetic" || axis.name == "compiled_by" || !axis.allowed.empty()) continue;
        changed.set(axis.name, axis.values[turn % axis.values.size()]);
      }
      add(changed);
    }
    if (space.find("ends") == nullptr) continue;
    Point published = published_point();
    published.set("arithmetic", std::string(arithmetic));
    add(published);
    published.set("ends", std::string("blocks"));
    add(published);
    published.set("ends", std::string("square"));
    published.set("recurrence", std::string("potentials"));
    add(published);
  }
  return points;
}

}  // namespace gpuseq::papara::testing
