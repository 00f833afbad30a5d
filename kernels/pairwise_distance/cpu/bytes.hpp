#pragma once

#include "kernels/pairwise_distance/cpu/blocks.hpp"
#include "runtime/simd/simd_dispatch.hpp"
#include "runtime/system/huge_buffer.hpp"

namespace gpuseq::pairwise_distance {

/// How a vector of codes is compared. differ: 1 where they differ. absolute: |a - b|. table: the squares of
/// differences up to 15, looked up. square: squares of any, multiplied in halves.
enum class ByteOperation : u32 { differ, absolute, table, square };

inline constexpr u64 kByteRow = 64;  // rows of codes are padded to multiples of it, which is a vector

/// Codes for the kernels: one byte each; the padding of a row and rows beyond the last are 0.
struct PackedBytes {
  ByteOperation operation = ByteOperation::differ;
  u32 largest = 1;    // that a pair of codes adds
  u64 row_bytes = 0;  // that are compared, a multiple of kByteRow
  u64 pitch = 0;      // an odd multiple: else rows of 4096 bytes meet in few lines of the first cache
  HugeBuffer codes;   // [count to a multiple of kInstancePadding][pitch]
  HugeBuffer values;  // alike, 255 where there is a value, else 0; empty where none is missing
};
PackedBytes pack_bytes(const Instances& instances, Metric metric);

/// Pairs of a block. Instances are rounded up to the tile's.
struct ByteJob {
  const u8* codes = nullptr;   // of PackedBytes
  const u8* values = nullptr;  // null where none is missing
  u64 row_bytes = 0, pitch = 0;
  u64 attributes_a_step = 0;  // a multiple of kByteRow
  /// Additions that fit in bytes: 255 / the largest value that a pair of codes adds.
  u64 vectors_a_sum = 1;
  BlockPlace place;
  BlockBuffer buffer;
};
using ByteKernel = void (*)(const ByteJob& job);

/// Kernels of one instruction set.
struct ByteKernels {
  u32 bytes = 0;  // of a vector
  TileShape (*usual_tile)(bool missing) = nullptr;
  /// Null for a tile that is not compiled.
  ByteKernel (*compare)(ByteOperation operation, bool missing, TileShape tile) = nullptr;
  BlockWriter write = nullptr;
  explicit operator bool() const { return bytes > 0; }
};
/// @throws ResourceError naming the targets of the processor and the build
Dispatched<ByteKernels> byte_kernels(SimdTarget target);

}  // namespace gpuseq::pairwise_distance
