#pragma once

#include "kernels/pairwise_distance/cuda/tile_policy.cuh"

// The sums of a thread: their update from a stage in shared memory, and their pairs.

namespace gpuseq::pairwise_distance {

/// Sums of a thread that computes rows x columns pairs. Rows have stride row_groups and columns
/// column_groups: adjacent threads read adjacent instances.
template <class Tuned>
class ThreadSums {
  static constexpr TilePolicy policy = Tuned::value;
  static constexpr u32 kUnit = policy.unit();

 public:
  GPUSEQ_HD explicit ThreadSums(u32 thread)
      : row_(thread / policy.column_groups), column_(thread % policy.column_groups) {}

  GPUSEQ_HD void clear() {
#pragma unroll
    for (u32 i = 0; i < policy.rows; ++i)
#pragma unroll
      for (u32 j = 0; j < policy.columns; ++j) {
        sums_[0][i][j] = 0;
        if constexpr (policy.sums() == 2) sums_[1][i][j] = 0;
        ones_[i][j] = 0;
      }
  }

  /// @param stage  the instances of the tile's rows, then of its columns
  /// @param then   starts the copies of a later stage
  template <class Then>
  GPUSEQ_HD void add(const u8* stage, Then then) {
    then();
    const u8* left = stage + row_ * policy.row_stride();
    const u8* right = stage + (policy.block_rows() + column_) * policy.row_stride();
#pragma unroll 1
    for (u32 first = 0; first < policy.pieces; first += kUnit) {
      Piece columns[policy.columns][kUnit];
#pragma unroll
      for (u32 j = 0; j < policy.columns; ++j)
        load(columns[j], right + j * policy.column_groups * policy.row_stride() + first * kPieceBytes);
#pragma unroll
      for (u32 i = 0; i < policy.rows; ++i) {
        Piece row[kUnit];
        load(row, left + i * policy.row_groups * policy.row_stride() + first * kPieceBytes);
#pragma unroll
        for (u32 j = 0; j < policy.columns; ++j) add_pair(i, j, row, columns[j]);
      }
    }
  }

  /// Counts the remaining carries; converts floating point sums for codes to integers.
  GPUSEQ_HD void finish() {
    if constexpr (policy.on_floats() && policy.product != Product::float_root) {
#pragma unroll
      for (u32 i = 0; i < policy.rows; ++i)
#pragma unroll
        for (u32 j = 0; j < policy.columns; ++j) sums_[0][i][j] = static_cast<u32>(as_float(sums_[0][i][j]));
    }
    if constexpr (policy.carry_save) {
#pragma unroll
      for (u32 i = 0; i < policy.rows; ++i)
#pragma unroll
        for (u32 j = 0; j < policy.columns; ++j)
          sums_[0][i][j] = 2 * sums_[0][i][j] + popcount32(ones_[i][j]);
    }
  }

  /// Copies the sums of a band to the shared rows.
  template <u32 band>
  GPUSEQ_HD void deposit(u32* rows, u32 which) const {
#pragma unroll
    for (u32 j = 0; j < policy.columns; ++j)
      rows[row_ * policy.band_stride() + j * policy.column_groups + column_] =
          policy.sums() == 2 && which == 1 ? sums_[policy.sums() - 1][band][j] : sums_[0][band][j];
  }

 private:
  GPUSEQ_HD static void load(Piece (&pieces)[kUnit], const u8* from) {
#pragma unroll
    for (u32 n = 0; n < kUnit; ++n) pieces[n] = *reinterpret_cast<const Piece*>(from + n * kPieceBytes);
  }

  GPUSEQ_HD void add_pair(u32 i, u32 j, const Piece (&a)[kUnit], const Piece (&b)[kUnit]) {
    if constexpr (policy.on_planes()) {
#pragma unroll
      for (u32 w = 0; w < 4; w += 2) {
        if constexpr (policy.present)
          sums_[1][i][j] += popcount32(a[policy.planes].word[w] & b[policy.planes].word[w]) +
                            popcount32(a[policy.planes].word[w + 1] & b[policy.planes].word[w + 1]);
        if constexpr (policy.product == Product::differ) {
          count(i, j, differing(a, b, w, 0, policy.planes), differing(a, b, w + 1, 0, policy.planes));
        } else {
#pragma unroll
          for (u32 plane = 0; plane < policy.planes; ++plane)
            count(i, j, differing(a, b, w, plane, plane + 1), differing(a, b, w + 1, plane, plane + 1));
        }
      }
    } else if constexpr (policy.on_floats()) {
#pragma unroll
      for (u32 w = 0; w < 4; ++w) add_difference(i, j, as_float(a[0].word[w]) - as_float(b[0].word[w]));
    } else {
#pragma unroll
      for (u32 w = 0; w < 4; ++w) sums_[0][i][j] = multiply_bytes(a[0].word[w], b[0].word[w], sums_[0][i][j]);
    }
  }

  /// The difference is NaN if either value is.
  GPUSEQ_HD void add_difference(u32 i, u32 j, float difference) {
    if constexpr (policy.present) {
      if (!(difference == difference)) return;
      ++sums_[1][i][j];
    }
    float sum = as_float(sums_[0][i][j]);
    if constexpr (policy.product == Product::float_differ)
      sum += smaller(absolute(difference), 1.0f);
    else if constexpr (policy.product == Product::float_absolute)
      sum += absolute(difference);
    else
      sum = fused_square_sum(difference, sum);
    sums_[0][i][j] = as_bits(sum);
  }

  /// Bits of word w in which the attributes differ in one of the planes and, if values can be
  /// missing, both have values.
  GPUSEQ_HD static u32 differing(const Piece (&a)[kUnit], const Piece (&b)[kUnit], u32 w, u32 first,
                                 u32 end) {
    u32 bits = 0;
#pragma unroll
    for (u32 plane = first; plane < end; ++plane) bits |= a[plane].word[w] ^ b[plane].word[w];
    if constexpr (policy.present) bits &= a[policy.planes].word[w] & b[policy.planes].word[w];
    return bits;
  }

  GPUSEQ_HD void count(u32 i, u32 j, u32 x, u32 y) {
    if constexpr (policy.carry_save) {
      // A full adder for every bit: three bits of weight 1 become one of weight 1 and one of weight 2.
      sums_[0][i][j] += popcount32((x & y) | (x & ones_[i][j]) | (y & ones_[i][j]));
      ones_[i][j] ^= x ^ y;
    } else {
      sums_[0][i][j] += popcount32(x) + popcount32(y);
    }
  }

  u32 row_, column_;
  u32 sums_[policy.sums()][policy.rows][policy.columns];
  u32 ones_[policy.rows][policy.columns];
};

/// Sums of a lane of a warp that computes rows x columns pairs on tensor cores: four of every 16 x 8.
template <class Tuned>
class WarpSums {
  static constexpr TilePolicy policy = Tuned::value;
  static constexpr Arithmetic kArithmetic =
      policy.product == Product::matrix_b1 ? Arithmetic::b1 : Arithmetic::s8;
  static constexpr u32 kRows = policy.rows / 16, kColumns = policy.columns / 8, kSteps = policy.pieces / 2;

  /// Operands of a step of 32 bytes.
  struct Fragments {
    u32 rows[kRows][4];
    u32 columns[kColumns / 2][4];
  };

 public:
  GPUSEQ_HD explicit WarpSums(u32 thread) : lane_(thread % kWarp) {
    const u32 warp = thread / kWarp;
    row_ = warp / policy.column_groups * policy.rows;
    column_ = warp % policy.column_groups * policy.columns;
    // Order of the matrices for rows: rows 0-7 and 8-15 of a fragment with bytes 0-15, then both with bytes
    // 16-31; for columns: 0-7 with both halves, then 8-15.
    left_ = (row_ + lane_ % 16) * policy.row_stride() + lane_ / 16 * kPieceBytes;
    right_ = (policy.block_rows() + column_ + lane_ / 16 * 8 + lane_ % 8) * policy.row_stride() +
             lane_ / 8 % 2 * kPieceBytes;
  }

  GPUSEQ_HD void clear() {
#pragma unroll
    for (u32 i = 0; i < kRows; ++i)
#pragma unroll
      for (u32 j = 0; j < kColumns; ++j)
#pragma unroll
        for (u32 n = 0; n < 4; ++n) sums_[i][j][n] = 0;
  }

  /// Loads the fragments of the next step before multiplying those of this one. Copies start while the
  /// tensor cores are busy.
  template <class Then>
  GPUSEQ_HD void add(const u8* stage, Then then) {
    Fragments fragments[2];
    load(fragments[0], stage, 0);
    if constexpr (policy.derived) {
      load(fragments[1], stage, 1);
#pragma unroll
      for (u32 step = 0; step < kSteps; step += 2) {
        multiply(fragments[0]);
        if (step == 0) then();
        multiply_derived(fragments[0], fragments[1]);
        if (step + 2 < kSteps) load(fragments[0], stage, step + 2);
        multiply(fragments[1]);
        if (step + 2 < kSteps) load(fragments[1], stage, step + 3);
      }
    } else {
#pragma unroll
      for (u32 step = 0; step < kSteps; ++step) {
        if (step + 1 < kSteps) load(fragments[(step + 1) % 2], stage, step + 1);
        multiply(fragments[step % 2]);
        if (step == 0) then();
      }
    }
  }

  GPUSEQ_HD void finish() {}

  template <u32 band>
  GPUSEQ_HD void deposit(u32* rows, u32) const {
    u32* to = rows + (row_ / policy.rows * 16 + lane_ / 4) * policy.band_stride() + column_ + lane_ % 4 * 2;
#pragma unroll
    for (u32 j = 0; j < kColumns; ++j)
#pragma unroll
      for (u32 n = 0; n < 4; ++n) to[n / 2 * 8 * policy.band_stride() + j * 8 + n % 2] = sums_[band][j][n];
  }

 private:
  GPUSEQ_HD void multiply(const Fragments& now) {
#pragma unroll
    for (u32 i = 0; i < kRows; ++i)
#pragma unroll
      for (u32 j = 0; j < kColumns; ++j)
        multiply_matrices<kArithmetic>(sums_[i][j], now.rows[i], now.columns[j / 2][j % 2 * 2],
                                       now.columns[j / 2][j % 2 * 2 + 1], lane_);
  }

  /// A step has 128 attributes with both planes interleaved; the third planes of two steps form one product.
  GPUSEQ_HD void multiply_derived(const Fragments& a, const Fragments& b) {
#pragma unroll
    for (u32 i = 0; i < kRows; ++i) {
      const u32 row[4] = {~(a.rows[i][0] | a.rows[i][2]), ~(a.rows[i][1] | a.rows[i][3]),
                          ~(b.rows[i][0] | b.rows[i][2]), ~(b.rows[i][1] | b.rows[i][3])};
#pragma unroll
      for (u32 j = 0; j < kColumns; ++j) {
        const u32* in_a = a.columns[j / 2] + j % 2 * 2;
        const u32* in_b = b.columns[j / 2] + j % 2 * 2;
        multiply_matrices<kArithmetic>(sums_[i][j], row, ~(in_a[0] | in_a[1]), ~(in_b[0] | in_b[1]), lane_);
      }
    }
  }

  GPUSEQ_HD void load(Fragments& fragments, const u8* stage, u32 step) const {
#pragma unroll
    for (u32 i = 0; i < kRows; ++i)
      load_matrices(fragments.rows[i], stage + left_ + i * 16 * policy.row_stride() + step * 2 * kPieceBytes,
                    lane_);
#pragma unroll
    for (u32 j = 0; j < kColumns / 2; ++j)
      load_matrices(fragments.columns[j],
                    stage + right_ + j * 16 * policy.row_stride() + step * 2 * kPieceBytes, lane_);
  }

  u32 lane_, row_, column_, left_, right_;
  u32 sums_[kRows][kColumns][4];
};

}  // namespace gpuseq::pairwise_distance
