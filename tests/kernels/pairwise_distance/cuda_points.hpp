#pragma once

#include <algorithm>
#include <set>
#include <vector>

#include "kernels/pairwise_distance/cuda/policy.hpp"
#include "kernels/pairwise_distance/problem.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::pairwise_distance::testing {

inline Variant cuda_variant(std::string_view name) {
  for (const Variant& variant : cuda_variants())
    if (variant.name == name) return variant;
  throw UsageError("no CUDA variant " + std::string(name));
}

inline bool is_ladder(std::string_view name) {
  return std::ranges::find(ladder_variants(), name, &LadderVariant::name) != ladder_variants().end();
}
inline const TileVariant& tile_variant(std::string_view name) {
  return *std::ranges::find(tile_variants(), name, &TileVariant::name);
}

/// Points of a CUDA variant in which every value of every axis occurs: the default with one axis changed.
inline std::vector<Point> covering_points(const SearchSpace& space) {
  std::vector<Point> points;
  for (const Axis& axis : space.axes())
    for (const AxisValue& value : axis.values) {
      if (axis.name == "compiled_by") continue;
      Point point;
      point.set(axis.name, value);
      point = space.complete(point);
      if (std::find(points.begin(), points.end(), point) == points.end()) points.push_back(point);
    }
  return points;
}

/// Data of all kinds that choose a kernel.
inline std::vector<PairShape> shapes() {
  std::vector<PairShape> shapes;
  for (const Metric metric :
       {Metric::hamming, Metric::manhattan, Metric::squared_euclidean, Metric::euclidean})
    for (const u32 alphabet : {2u, 3u, 9u, 20u, 256u})
      for (const bool missing : {false, true})
        for (const u64 instances : {100u, 1000u, 5000u, 10'000u})
          shapes.push_back(
              {.metric = metric, .alphabet = alphabet, .missing = missing, .instances = instances});
  return shapes;
}

/// The tile policies of a variant: of every point for ternary and real instances of two numbers, and the
/// default's for all shapes; each once. Shapes that a point does not do are left out.
inline std::vector<TilePolicy> covering_policies(const TileVariant& variant) {
  std::vector<TilePolicy> policies;
  std::set<std::string> names;
  const auto add = [&](const Point& point, const PairShape& shape) {
    try {
      const TilePolicy policy = variant.choose(point, shape);
      if (names.insert(tile_kernels().name(policy)).second) policies.push_back(policy);
    } catch (const ResourceError&) {
      return;
    }
  };
  for (const Point& point : covering_points(variant.space()))
    for (const u64 instances : {100u, 10'000u})
      for (const Metric metric : {Metric::hamming, Metric::euclidean})
        add(point, {.metric = metric, .instances = instances});
  for (const PairShape& shape : shapes()) add(variant.space().complete({}), shape);
  return policies;
}

}  // namespace gpuseq::pairwise_distance::testing
