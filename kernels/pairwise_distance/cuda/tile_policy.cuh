#pragma once

#include "kernels/pairwise_distance/cuda/block.cuh"

// What a tile kernel is compiled for, and what it is launched with.

namespace gpuseq::pairwise_distance {

/// How two rows are compared. differ: attributes whose planes of bits differ anywhere (XOR, OR, popcount);
/// steps: bits that differ, plane by plane; bytes: sum of products of signed bytes by DP4A; matrix_b1,
/// matrix_s8: sums of products of bits or signed bytes on tensor cores; float_...: of 32-bit floating point
/// numbers what differences add: 1 each, themselves, their squares, and the root of the sum of these.
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
  u32 planes = 1;  // differ, steps: of bits
  // differ, steps: a further plane says which attributes have values; floats: those that have none are not a
  // number. They are counted
  bool present = false;
  u32 rows = 64;  // of a warp's tile of pairs (tensor cores) or of a thread's, and its columns
  u32 columns = 64;
  u32 row_groups = 2;  // warps or threads of a block along its rows, and along its columns
  u32 column_groups = 4;
  u32 pieces = 8;    // 16-byte pieces of an instance's row that are in shared memory at a time, and
  u32 stages = 3;    // for how many times that there is room: copies run that far ahead
  bool half = true;  // only pairs (i, j), j >= i: the rest is their mirror image
  // differ, steps: a full adder takes two words and what is left of those before, so that one popcount is of
  // two words
  bool carry_save = false;
  // matrix_b1, one-hot planes of three symbols without missing values: two are stored and copied, the third
  // is where neither has a bit. Behind the last attribute that is everywhere.
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
  /// Pieces that belong together: the same 128 attributes in every plane, or 32 bytes of a matrix's row.
  GPUSEQ_HD constexpr u32 unit() const {
    if (on_tensor_cores()) return 2;
    return on_planes() ? planes + (present ? 1 : 0) : 1;
  }
  /// Sums that a thread has of a pair: what differs, and what was compared.
  GPUSEQ_HD constexpr u32 sums() const { return present ? 2 : 1; }
  /// Words that a thread keeps in registers: sums, carries, the planes of its columns and of a row; on tensor
  /// cores sums and the fragments of two steps.
  GPUSEQ_HD constexpr u32 kept_words() const {
    if (on_tensor_cores()) return rows * columns / kWarp + 2 * (rows / 4 + columns / 4);
    return rows * columns * (sums() + (carry_save ? 1 : 0)) + unit() * 4 * (columns + 1);
  }
  /// Registers that a thread is given, so that others fit beside it.
  GPUSEQ_HD constexpr u32 registers() const {
    if (on_tensor_cores() || kept_words() > 100) return 255;
    return kept_words() > 44 ? 168 : 128;
  }
  /// Blocks that a multiprocessor then holds.
  GPUSEQ_HD constexpr u32 resident_blocks() const {
    const u32 blocks = 65536 / (registers() * threads());
    return blocks < 1 || on_tensor_cores() ? 1 : blocks;
  }
  GPUSEQ_HD constexpr u32 stage_bytes() const { return pieces * kPieceBytes; }
  /// An instance's row in shared memory: an odd number of pieces, so that eight instances side by side, as
  /// ldmatrix and 16-byte loads read them, are in different banks.
  GPUSEQ_HD constexpr u32 row_stride() const { return (pieces | 1) * kPieceBytes; }
  GPUSEQ_HD constexpr u32 stage_stride() const { return (block_rows() + block_columns()) * row_stride(); }

  // Distances leave by shared memory, a band of rows at a time, so that a tile and its mirror image are
  // both written row after row. A band has 16 rows of each warp's tile, or one of each thread's.

  GPUSEQ_HD constexpr u32 bands() const { return on_tensor_cores() ? rows / 16 : rows; }
  GPUSEQ_HD constexpr u32 band_rows() const { return block_rows() / bands(); }
  /// Row in the block's tile of a row of a band.
  GPUSEQ_HD constexpr u32 tile_row(u32 band, u32 row) const {
    return on_tensor_cores() ? row / 16 * rows + band * 16 + row % 16 : band * row_groups + row;
  }
  GPUSEQ_HD constexpr u32 band_stride() const { return block_columns() + 1; }
  GPUSEQ_HD constexpr u32 shared_bytes() const {
    const u32 band = band_rows() * band_stride() * 4, all = stages * stage_stride();
    return band > all ? band : all;
  }
};

/// How a sum of products becomes a distance, in whole numbers modulo 2^32:
/// multiplier x (constant + row_norms[i] + column_norms[j] + compared_factor x compared[i][j] + factor x
/// sum).
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
  u32 rows;  // instances; of whole matrices as many as columns
  u32 columns;
  u32 adds;          // of all pairs, 1: to what earlier launches, of other attributes, have left; 0: that is
                     // overwritten
  u32 is_last;       // 1: no further attributes follow; only then are roots taken
  u32* compared;     // where a thread has two sums: the second
  const u32* tiles;  // of each block: number of its tile of rows x 65536 + of its tile of columns
};

}  // namespace gpuseq::pairwise_distance
