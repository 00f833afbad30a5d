#pragma once

#include "kernels/pairwise_distance/cpu/blocks.hpp"
#include "runtime/simd/simd_dispatch.hpp"
#include "runtime/system/huge_buffer.hpp"

namespace gpuseq::pairwise_distance {

/// The value added per difference. differ: 1 if there is one. absolute: |a - b|. square: (a - b)^2. Sums
/// of codes are whole numbers. root: for real values (a - b)^2, and the distance is the root of the sum.
enum class FloatOperation : u32 { differ, absolute, square, root };

inline constexpr u64 kFloatRow = 16;  // rows of values are padded to multiples of it, which is a vector

/// Values for the kernels: 32-bit floating point numbers. The padding of
/// a row is 0, and where any value is missing not a number, as those are.
struct PackedFloats {
  FloatOperation operation = FloatOperation::root;
  u32 largest = 1;  // that a pair of codes adds
  bool missing = false;
  u64 row_floats = 0;  // that are compared, a multiple of kFloatRow
  u64 pitch = 0;       // an odd multiple: else rows of 4096 bytes meet in few lines of the first cache
  HugeBuffer values;   // [count to a multiple of kInstancePadding][pitch]
};
PackedFloats pack_floats(const Instances& instances, Metric metric);

/// Pairs of a block. Instances are rounded up to the tile's.
struct FloatJob {
  const float* values = nullptr;  // of PackedFloats
  u64 row_floats = 0, pitch = 0;
  /// A multiple of kFloatRow; of codes so few that sums of a lane are exact.
  u64 attributes_a_step = 0;
  BlockPlace place;
  BlockBuffer buffer;
};
using FloatKernel = void (*)(const FloatJob& job);

/// Kernels of one instruction set.
struct FloatKernels {
  u32 lanes = 0;
  TileShape (*usual_tile)(bool missing) = nullptr;
  /// Null for a tile that is not compiled.
  FloatKernel (*compare)(FloatOperation operation, bool missing, TileShape tile) = nullptr;
  BlockWriter write = nullptr;
  explicit operator bool() const { return lanes > 0; }
};
/// @throws ResourceError naming the targets of the processor and the build
Dispatched<FloatKernels> float_kernels(SimdTarget target);

}  // namespace gpuseq::pairwise_distance
