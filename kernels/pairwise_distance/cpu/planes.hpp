#pragma once

#include "kernels/pairwise_distance/cpu/blocks.hpp"
#include "runtime/simd/simd_dispatch.hpp"
#include "runtime/system/huge_buffer.hpp"

namespace gpuseq::pairwise_distance {

/// The value that two instances' planes give for an attribute.
/// any: 1 where a plane differs (binary digits: Hamming). sum: the number of planes that differ (unary codes
/// 00, 01, 11 of 0, 1, 2: |a - b|). square: 1 where one of two unary planes differs, 4 where both do.
enum class PlaneScheme : u32 { any, sum, square };

/// Instances whose words lie side by side, as lanes of a vector.
inline constexpr u64 kGroup = 8;

/// How instances are stored in planes of bits.
struct PlaneShape {
  PlaneScheme scheme = PlaneScheme::any;
  u32 planes = 0;  // without the one of values that there are, which comes last where any is missing
  bool missing = false;
  u64 row_words = 0;  // of an instance in one plane

  u32 stored() const { return planes + (missing ? 1 : 0); }
};

/// Planes for the kernels: word w of 8 instances, plane after plane, so that a vector of any width holds the
/// same word of several instances and a lane's count is a pair's: no sum over lanes at the end, and no
/// padding of attributes beyond 64.
struct PackedPlanes {
  PlaneShape shape;
  HugeBuffer words;  // u64 [groups][row_words][stored()][kGroup]; groups to a multiple of kInstancePadding
};

/// Planes that kernels are compiled for; others are stored with empty planes up to the next of these.
inline constexpr u32 kComparedPlanes[] = {1, 2, 3, 4, 5, 8};

/// @throws ResourceError where a metric of such an alphabet has no planes: Hamming always has, others up to
/// three symbols
PlaneShape plane_shape(const KnownData& data);
/// The bytes of PackedPlanes::words.
u64 words_bytes(const PlaneShape& shape, u64 instances);
/// @throws ResourceError as plane_shape()
PackedPlanes pack_planes(const Instances& instances, Metric metric);

/// Pairs of a block. Instances are rounded up: rows to the tile's, columns to the vector's.
struct PlaneJob {
  const u64* words = nullptr;  // of PackedPlanes
  u64 row_words = 0;
  u64 words_a_step = 0;  // per block before all its pairs go on: as many as caches hold
  BlockPlace place;
  BlockBuffer buffer;
};
using PlaneKernel = void (*)(const PlaneJob& job);

/// Kernels of one instruction set.
struct PlaneKernels {
  u32 lanes = 0;              // instances of a vector
  bool counts_words = false;  // has an instruction that counts the ones of words
  TileShape usual_tile;       // rows by vectors of columns that are fastest
  /// Null for a tile that is not compiled.
  PlaneKernel (*planes)(PlaneScheme scheme, u32 planes, bool missing, TileShape tile) = nullptr;
  BlockWriter write = nullptr;
  explicit operator bool() const { return lanes > 0; }
};
/// @throws ResourceError naming the targets of the processor and the build
Dispatched<PlaneKernels> plane_kernels(SimdTarget target);

}  // namespace gpuseq::pairwise_distance
