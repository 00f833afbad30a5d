#pragma once

#include "kernels/pairwise_distance/cuda/block.cuh"

// Compile-time parameters and launch arguments of the tile kernels.

namespace gpuseq::pairwise_distance {

/// The comparison of two rows. differ: attributes whose bit planes differ anywhere (XOR, OR, popcount);
/// steps: differing bits, plane by plane; bytes: sum of products of signed bytes by DP4A; matrix_b1,
/// matrix_s8: sums of products of bits or signed bytes on tensor cores; float_...: sum over differences of
/// 32-bit floating point numbers of 1, their absolute value, their square, and the root of the latter sum.
enum class Product : u32 {
  differ,
  steps,
  bytes,
  matrix_b1,
  matrix_s8,
  float_differ,
  float_absolute,
  float_square,
  float_root
};

/// The compile-time parameters of one kernel. tile_policy.cpp lists their values.
struct TilePolicy {
  Product product = Product::matrix_b1;
  u32 planes = 1;  // differ, steps: number of bit planes
  // differ, steps: an additional plane marks attributes with values; floats: missing values are NaN. Compared
  // attributes are counted
  bool present = false;
  u32 rows = 64;  // rows of a warp's tile of pairs (tensor cores) or of a thread's; and its columns
  u32 columns = 64;
  u32 row_groups = 2;  // warps or threads along the rows of a block, and along its columns
  u32 column_groups = 4;
  u32 pieces = 8;    // 16-byte pieces per instance in a stage of shared memory
  u32 stages = 3;    // number of stages: copies run up to stages - 1 ahead
  bool half = true;  // only pairs (i, j), j >= i: the others are mirror images
  // differ, steps: a full adder combines two words with the previous carry, so that one
  // popcount counts two words
  bool carry_save = false;
  // matrix_b1, one-hot planes of three symbols without missing values: two planes are stored and copied; the
  // third has the bits that neither has, including all bits after the last attribute.
  bool derived = false;

  GPUSEQ_HD constexpr bool on_tensor_cores() const {
    return product == Product::matrix_b1 || product == Product::matrix_s8;
  }
  GPUSEQ_HD constexpr bool on_planes() const {
    return product == Product::differ || product == Product::steps;
  }
  GPUSEQ_HD constexpr bool on_floats() const { return product >= Product::float_differ; }
  GPUSEQ_HD constexpr u32 threads() const {
    return row_groups * column_groups * (on_tensor_cores() ? kWarp : 1);
  }
  GPUSEQ_HD constexpr u32 block_rows() const { return rows * row_groups; }
  GPUSEQ_HD constexpr u32 block_columns() const { return columns * column_groups; }
  /// Pieces per unit: the same 128 attributes in every plane, or 32 bytes of a matrix's row.
  GPUSEQ_HD constexpr u32 unit() const {
    if (on_tensor_cores()) return 2;
    return on_planes() ? planes + (present ? 1 : 0) : 1;
  }
  /// Sums per thread and pair: the distance, and the compared attributes.
  GPUSEQ_HD constexpr u32 sums() const { return present ? 2 : 1; }
  /// Words that a thread keeps in registers: sums, carries, the planes of its columns and of a row; on tensor
  /// cores sums and the fragments of two steps.
  GPUSEQ_HD constexpr u32 kept_words() const {
    if (on_tensor_cores()) return rows * columns / kWarp + 2 * (rows / 4 + columns / 4);
    return rows * columns * (sums() + (carry_save ? 1 : 0)) + unit() * 4 * (columns + 1);
  }
  /// Registers per thread, limited so that more threads are resident.
  GPUSEQ_HD constexpr u32 registers() const {
    if (on_tensor_cores() || kept_words() > 100) return 255;
    return kept_words() > 44 ? 168 : 128;
  }
  /// Resident blocks per multiprocessor with these registers.
  GPUSEQ_HD constexpr u32 resident_blocks() const {
    const u32 blocks = 65536 / (registers() * threads());
    return blocks < 1 || on_tensor_cores() ? 1 : blocks;
  }
  GPUSEQ_HD constexpr u32 stage_bytes() const { return pieces * kPieceBytes; }
  /// Stride of instances in shared memory: an odd number of pieces, so that eight adjacent instances, as
  /// ldmatrix and 16-byte loads read them, are in different banks.
  GPUSEQ_HD constexpr u32 row_stride() const { return (pieces | 1) * kPieceBytes; }
  GPUSEQ_HD constexpr u32 stage_stride() const { return (block_rows() + block_columns()) * row_stride(); }

  // Distances are written through shared memory, a band of rows at a time, so that a tile and its mirror
  // image are both written row by row. A band has 16 rows of each warp's tile, or one of each thread's.

  GPUSEQ_HD constexpr u32 bands() const { return on_tensor_cores() ? rows / 16 : rows; }
  GPUSEQ_HD constexpr u32 band_rows() const { return block_rows() / bands(); }
  /// Row in the block's tile for a row of a band.
  GPUSEQ_HD constexpr u32 tile_row(u32 band, u32 row) const {
    return on_tensor_cores() ? row / 16 * rows + band * 16 + row % 16 : band * row_groups + row;
  }
  GPUSEQ_HD constexpr u32 band_stride() const { return block_columns() + 1; }
  GPUSEQ_HD constexpr u32 shared_bytes() const {
    const u32 band = band_rows() * band_stride() * 4, all = stages * stage_stride();
    return band > all ? band : all;
  }
};

/// Conversion of a sum of products to a distance, in integers modulo 2^32: multiplier x (constant +
/// row_norms[i] + column_norms[j] + compared_factor x compared[i][j] + factor x sum).
struct Formula {
  const u32* row_norms;  // [rows], or null
  const u32* column_norms;
  const u32* compared;  // [rows][columns], or null
  u32 constant;
  u32 compared_factor;
  u32 factor;
  u32 multiplier;
};

/// A pass over attributes. Rows: [instances, rounded up to whole tiles][row_pieces x 16 bytes].
struct Pass {
  const u8* left;
  const u8* right;
  u32 row_pieces;  // a multiple of TilePolicy::pieces
  Formula formula;
  u32* result;  // [rows][columns]
};
inline constexpr u32 kMostPasses = 2;

/// The single argument of every tile kernel; pointers are to device memory.
struct TileArguments {
  Pass passes[kMostPasses];
  u32 pass_count;
  u32 rows;  // number of instances; equal to columns for whole matrices
  u32 columns;
  u32 adds;          // for slices of attributes, 1: adds to the results of earlier launches;
                     // 0: overwrites them
  u32 is_last;       // 1: no further attributes follow; only then are roots taken
  u32* compared;     // destination of the second sum, if a thread has two
  const u32* tiles;  // for each block: index of its tile of rows x 65536 + that of its tile of columns
};

}  // namespace gpuseq::pairwise_distance
