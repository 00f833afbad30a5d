#pragma once

#include <optional>
#include <vector>

#include "kernels/pairwise_distance/cuda/tile_policy.cuh"
#include "kernels/pairwise_distance/data/instances.hpp"
#include "kernels/pairwise_distance/problem.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::pairwise_distance {

/// The least multiple of `step` that is no smaller.
constexpr u64 rounded(u64 value, u64 step) {
  return (value + step - 1) / step * step;
}

/// What a pass of a tile kernel is launched with.
struct EncodedPass {
  u32 row_pieces = 0;           // a multiple of TilePolicy::pieces
  std::vector<u8> left;         // [instances][row_pieces x 16]
  std::vector<u8> right;        // the same; empty: as left
  std::vector<u32> norms;       // [instances], or empty
  bool makes_compared = false;  // its results are the attributes compared
  bool takes_compared = false;  // they are part of the distance
  /// Numbers of the formula; its pointers are null.
  Formula formula{nullptr, nullptr, nullptr, 0, 0, 1, 1};
};

/// The sizes of an EncodedPass.
struct PassSizes {
  u32 row_pieces = 0;
  bool has_right = false, has_norms = false;
  bool operator==(const PassSizes&) const = default;
};
/// Sizes of the passes that encode() makes of data whose alphabet is known.
std::vector<PassSizes> pass_sizes(const TilePolicy& policy, const KnownData& data);
/// PassSizes::row_pieces of each pass.
std::vector<u32> row_pieces_of(const TilePolicy& policy, const KnownData& data);

/// The passes by which a policy's kernel makes the distances of instances: what it is chosen for (see
/// TileVariant::choose()).
std::vector<EncodedPass> encode(const TilePolicy& policy, const Instances& instances, Metric metric,
                                ThreadPool& pool);

/// Integers or bytes of the ladder's kernels, as LadderArguments::data has them.
std::vector<u8> ladder_data(const Instances& instances, bool by_attribute, bool bytes, u32 row_bytes);

/// How many tiles_of() has.
u64 tile_count(const TilePolicy& policy, u64 instances);

/// The tiles that a launch computes, in the order in which blocks take them: those that run at the same time
/// form squares and share rows in the L2 cache.
/// @param at_a_time  blocks that the device runs at a time
std::vector<u32> tiles_of(const TilePolicy& policy, u64 instances, u64 at_a_time);
/// Those of rows x columns instances, of which none is another's mirror image. @param policy  not half
std::vector<u32> tiles_of(const TilePolicy& policy, u64 rows, u64 columns, u64 at_a_time);

}  // namespace gpuseq::pairwise_distance
