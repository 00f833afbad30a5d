#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/common/tuned_kernel.hpp"
#include "kernels/pairwise_distance/cuda/ladder_policy.cuh"
#include "kernels/pairwise_distance/cuda/tile_policy.cuh"
#include "kernels/pairwise_distance/metric.hpp"

namespace gpuseq::pairwise_distance {

/// What a policy is chosen for.
struct PairShape {
  Metric metric = Metric::hamming;
  u32 alphabet = 3;
  bool missing = false;  // whether values are
  u64 instances = 0;
  u64 attributes = 0;                    // 0: not known yet
  std::size_t shared_bytes = 227 << 10;  // a block's at most
  u32 capability = 90;                   // 10 x major + minor
};

/// A variant of the paper's ladder: a block takes a pair.
struct LadderVariant {
  std::string_view name, summary;
  LadderPolicy policy;       // of the default point
  bool sum_is_axis = false;  // whether points choose LadderPolicy::sum

  SearchSpace space() const;
  /// @param point  complete
  /// @throws ResourceError for what the ladder does not do, naming variants that do; DoesNotFit for data that
  /// constant memory has no room for
  LadderPolicy choose(const Point& point, const PairShape& shape) const;
};
std::span<const LadderVariant> ladder_variants();
/// Of a row of bytes of the ladder: so many that four of them are loaded at a time.
constexpr u64 ladder_row_bytes(u64 attributes) {
  return (attributes + 3) / 4 * 4;
}
/// Bytes of ladder_data().
constexpr u64 ladder_data_bytes(const LadderPolicy& policy, u64 instances, u64 attributes) {
  return instances * (policy.bytes() ? ladder_row_bytes(attributes) : attributes * sizeof(i32));
}
/// What a launch of the ladder executes at least.
Instructions ladder_instructions(const LadderPolicy& policy, u64 instances, u64 attributes);

/// A variant that computes tiles of pairs.
struct TileVariant {
  std::string_view name, summary;
  std::vector<Axis> (*axes)();  // without those that all of them have
  Product (*product)(const Point& point, const PairShape& shape);
  bool memory_is_axis = false;  // whether points choose memory_bytes()

  SearchSpace space() const;
  /// Of the device, that parts of instances and distances go through; 0: all are there at once.
  u64 memory_bytes(const Point& point) const;
  /// The policy with what is 0 or `auto` decided. @param point  complete
  /// @throws ResourceError if the variant cannot do this metric, alphabet or missing values, with the reason
  /// and the variants that can
  TilePolicy choose(const Point& point, const PairShape& shape) const;
};
std::span<const TileVariant> tile_variants();

/// @throws ResourceError if a product's representation does not do a metric, an alphabet or missing values
void check_representation(Product product, const PairShape& shape);

/// Its values sorted, as those of the other axes are.
inline Axis sorted_compiled_by_axis() {
  Axis axis = compiled_by_axis();
  std::ranges::sort(axis.values);
  return axis;
}

const TunedKernel<LadderPolicy>& ladder_kernels();
const TunedKernel<TilePolicy>& tile_kernels();
/// The device sources by the names that they are included by; cmake/device_sources.cmake defines it.
std::map<std::string, std::string> device_headers();
/// The text of what nvcc compiles when the program is built; a build step prints it.
std::string ahead_of_time_text();

}  // namespace gpuseq::pairwise_distance
