#pragma once

#include <optional>
#include <vector>

#include "kernels/pairwise_distance/cuda/tile_policy.cuh"
#include "kernels/pairwise_distance/data/instances.hpp"
#include "kernels/pairwise_distance/problem.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::pairwise_distance {

/// The least multiple of `step` that is at least `value`.
constexpr u64 rounded(u64 value, u64 step) {
  return (value + step - 1) / step * step;
}

/// The input of a tile kernel's pass.
struct EncodedPass {
  u32 row_pieces = 0;           // a multiple of TilePolicy::pieces
  std::vector<u8> left;         // [instances][row_pieces x 16]
  std::vector<u8> right;        // the same; empty: equal to left
  std::vector<u32> norms;       // [instances], or empty
  bool makes_compared = false;  // its results are the numbers of compared attributes
  bool takes_compared = false;  // compared attributes are part of the distance
  /// Numbers of the formula; its pointers are null.
  Formula formula{nullptr, nullptr, nullptr, 0, 0, 1, 1};
};

/// The sizes of an EncodedPass.
struct PassSizes {
  u32 row_pieces = 0;
  bool has_right = false, has_norms = false;
  bool operator==(const PassSizes&) const = default;
};
/// Sizes of encode()'s passes for data with a known alphabet.
std::vector<PassSizes> pass_sizes(const TilePolicy& policy, const KnownData& data);
/// PassSizes::row_pieces of each pass.
std::vector<u32> row_pieces_of(const TilePolicy& policy, const KnownData& data);

/// The passes by which a policy's kernel computes the distances of instances. The policy must be chosen for
/// these (see TileVariant::choose()).
std::vector<EncodedPass> encode(const TilePolicy& policy, const Instances& instances, Metric metric,
                                ThreadPool& pool);

/// Integers or bytes of the ladder's kernels, in the layout of LadderArguments::data.
std::vector<u8> ladder_data(const Instances& instances, bool by_attribute, bool bytes, u32 row_bytes);

/// The number of tiles in tiles_of().
u64 tile_count(const TilePolicy& policy, u64 instances);

/// The tiles of a launch, in the order in which blocks take them: concurrent tiles form squares and share
/// rows in the L2 cache.
/// @param at_a_time  blocks that the device runs at a time
std::vector<u32> tiles_of(const TilePolicy& policy, u64 instances, u64 at_a_time);
/// The tiles of rows x columns instances without mirror images. @param policy  not half
std::vector<u32> tiles_of(const TilePolicy& policy, u64 rows, u64 columns, u64 at_a_time);

}  // namespace gpuseq::pairwise_distance
