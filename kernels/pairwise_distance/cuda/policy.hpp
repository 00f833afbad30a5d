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

/// Input for the choice of a policy.
struct PairShape {
  Metric metric = Metric::hamming;
  u32 alphabet = 3;
  bool missing = false;  // whether values are missing
  u64 instances = 0;
  u64 attributes = 0;                    // 0: not known yet
  std::size_t shared_bytes = 227 << 10;  // most per block
  u32 capability = 90;                   // 10 x major + minor
};

/// A variant of the paper's ablation: a block takes a pair.
struct LadderVariant {
  std::string_view name, summary;
  LadderPolicy policy;       // of the default point
  bool sum_is_axis = false;  // whether points have an axis for LadderPolicy::sum

  SearchSpace space() const;
  /// @param point  complete
  /// @throws ResourceError for unsupported data, with the variants that support it; DoesNotFit for data that
  /// exceed constant memory
  LadderPolicy choose(const Point& point, const PairShape& shape) const;
};
std::span<const LadderVariant> ladder_variants();
/// Bytes per row of the ladder's kernels, for aligned loads of four.
constexpr u64 ladder_row_bytes(u64 attributes) {
  return (attributes + 3) / 4 * 4;
}
/// Bytes of ladder_data().
constexpr u64 ladder_data_bytes(const LadderPolicy& policy, u64 instances, u64 attributes) {
  return instances * (policy.bytes() ? ladder_row_bytes(attributes) : attributes * sizeof(i32));
}
/// The least number of instructions of a ladder launch.
Instructions ladder_instructions(const LadderPolicy& policy, u64 instances, u64 attributes);

/// A variant that computes tiles of pairs.
struct TileVariant {
  std::string_view name, summary;
  std::vector<Axis> (*axes)();  // without the axes common to all variants
  Product (*product)(const Point& point, const PairShape& shape);
  bool memory_is_axis = false;  // whether points have an axis for memory_bytes()
  bool on_gpus = false;         // whether several GPUs share the tiles

  SearchSpace space() const;
  /// Device memory for parts of instances and distances; 0: all data at once.
  u64 memory_bytes(const Point& point) const;
  /// The policy with 0 and `auto` resolved. @param point  complete
  /// @throws ResourceError if the variant does not support this metric, alphabet or missing values, with the
  /// reason and the variants that do
  TilePolicy choose(const Point& point, const PairShape& shape) const;
};
std::span<const TileVariant> tile_variants();

/// @throws ResourceError if a product's representation does not support a metric, an
/// alphabet or missing values
void check_representation(Product product, const PairShape& shape);

/// compiled_by_axis() with sorted values, like those of the other axes.
inline Axis sorted_compiled_by_axis() {
  Axis axis = compiled_by_axis();
  std::ranges::sort(axis.values);
  return axis;
}

const TunedKernel<LadderPolicy>& ladder_kernels();
const TunedKernel<TilePolicy>& tile_kernels();
/// The device sources by include path; cmake/device_sources.cmake defines it.
std::map<std::string, std::string> device_headers();
/// The source that nvcc compiles at build time; a build step prints it.
std::string ahead_of_time_text();

}  // namespace gpuseq::pairwise_distance
