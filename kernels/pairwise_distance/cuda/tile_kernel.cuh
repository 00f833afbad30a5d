#pragma once

#include "kernels/pairwise_distance/cuda/tile_products.cuh"

// Distances of all pairs, tile by tile.
//
// Mapping: a block takes a tile of pairs and all their attributes, one stage of attributes
// at a time, which is copied into shared memory while earlier stages are compared. One
// thread computes a few pairs of bits or bytes; on tensor cores a warp computes 16 x 16 to
// 64 x 64. Only one of two mirror-image tiles is computed; every distance is written once.
//
// Bound by: LOP3 and population counts (64 and 16 per clock and multiprocessor up to sm_90), DP4A, or the
// tensor cores; with few attributes by writing the distances.
//
// Source: three AND planes on tensor cores and a two-dimensional code of three symbols in bytes: the sum of
// products of (1, 0), (0, 1), (-1, -1) with (2, -1), (-1, 2), (-1, -1) is 3 x matches - attributes.

namespace gpuseq::pairwise_distance {

/// Starts the copies of a stage of `rows` instances.
template <class Tuned, u32 rows>
GPUSEQ_HD void copy_rows(const u8* from, u64 row_bytes, u8* to, u32 thread) {
  constexpr TilePolicy policy = Tuned::value;
  constexpr u32 kPieces = policy.pieces, kThreads = policy.threads();
  if constexpr (kThreads % kPieces == 0) {
    // Every thread has the same piece of each of its rows, so that addresses are sums.
    constexpr u32 kStep = kThreads / kPieces;
    const u32 first = thread / kPieces, piece = thread % kPieces * kPieceBytes;
    from += first * row_bytes + piece;
    to += first * policy.row_stride() + piece;
#pragma unroll
    for (u32 row = 0; row < rows; row += kStep)
      if (row + kStep <= rows || first + row < rows)
        copy_piece(to + row * policy.row_stride(), from + row * row_bytes);
  } else {
#pragma unroll 1
    for (u32 n = thread; n < rows * kPieces; n += kThreads)
      copy_piece(to + n / kPieces * policy.row_stride() + n % kPieces * kPieceBytes,
                 from + n / kPieces * row_bytes + n % kPieces * kPieceBytes);
  }
}

/// Starts the copies of stage `number` of a pass.
template <class Tuned>
GPUSEQ_HD void copy_stage(const Pass& pass, u32 first_row, u32 first_column, u32 number, u8* to, u32 thread) {
  constexpr TilePolicy policy = Tuned::value;
  const u64 row_bytes = u64{pass.row_pieces} * kPieceBytes, at = u64{number} * policy.stage_bytes();
  copy_rows<Tuned, policy.block_rows()>(pass.left + first_row * row_bytes + at, row_bytes, to, thread);
  copy_rows<Tuned, policy.block_columns()>(pass.right + first_column * row_bytes + at, row_bytes,
                                           to + policy.block_rows() * policy.row_stride(), thread);
}

/// Adds all attributes of a pass to the sums.
template <class Tuned, class Sums>
GPUSEQ_HD void add_attributes(const Pass& pass, u32 first_row, u32 first_column, Sums& sums, u8* shared,
                              u32 thread) {
  constexpr TilePolicy policy = Tuned::value;
  // Number of stages copied in advance; 0 with a single stage.
  constexpr u32 kAhead = policy.stages - 1;
  const u32 count = pass.row_pieces / policy.pieces;
  sums.clear();
#pragma unroll
  for (u32 stage = 0; stage < kAhead; ++stage) {
    if (stage < count)
      copy_stage<Tuned>(pass, first_row, first_column, stage, shared + stage * policy.stage_stride(), thread);
    commit_copies();
  }
  u32 slot = 0, free_slot = kAhead;
#pragma unroll 1
  for (u32 stage = 0; stage < count; ++stage) {
    if constexpr (kAhead == 0) {
      copy_stage<Tuned>(pass, first_row, first_column, stage, shared, thread);
      commit_copies();
      wait_for_copies<0>();
      sync_block();
      sums.add(shared, [] {});
      sync_block();
    } else {
      wait_for_copies<kAhead - 1>();
      // All copies of this stage are complete, and no thread uses the stage that is overwritten next.
      sync_block();
      sums.add(shared + slot * policy.stage_stride(), [&] {
        if (stage + kAhead < count)
          copy_stage<Tuned>(pass, first_row, first_column, stage + kAhead,
                            shared + free_slot * policy.stage_stride(), thread);
        commit_copies();
      });
      slot = slot + 1 == policy.stages ? 0 : slot + 1;
      free_slot = free_slot + 1 == policy.stages ? 0 : free_slot + 1;
    }
  }
  wait_for_copies<0>();
  sync_block();
  sums.finish();
}

GPUSEQ_HD u32 value_of(const Formula& formula, u32 sum, u32 i, u32 j, u64 place) {
  u32 value = formula.constant + formula.factor * sum;
  if (formula.row_norms != nullptr) value += formula.row_norms[i] + formula.column_norms[j];
  if (formula.compared != nullptr) value += formula.compared_factor * formula.compared[place];
  return formula.multiplier * value;
}

/// Destination of a launch's sums.
struct TileOutput {
  Formula formula;
  u32* result;
  u32 rows, columns;
  bool adds, is_last;
};

/// @param is_real  sums are floating point numbers, of which the last launch takes the root
template <bool is_real>
GPUSEQ_HD void write_value(const TileOutput& output, u32 sum, u32 i, u32 j, u64 place) {
  u32* to = output.result + place;
  if constexpr (is_real) {
    float value = as_float(sum);
    if (output.adds) value += as_float(*to);
    *to = as_bits(output.is_last ? square_root(value) : value);
  } else {
    const u32 value = value_of(output.formula, sum, i, j, place);
    *to = output.adds ? *to + value : value;
  }
}

/// Writes a band of rows from shared memory, and its mirror image.
template <class Tuned, bool is_real>
GPUSEQ_HD void write_band(u32 band, const u32* rows, const TileOutput& output, u32 first_row,
                          u32 first_column, u32 thread) {
  constexpr TilePolicy policy = Tuned::value;
  constexpr u32 kPairs = policy.band_rows() * policy.block_columns();
#pragma unroll 4
  for (u32 n = thread; n < kPairs; n += policy.threads()) {
    const u32 row = n / policy.block_columns(), column = n % policy.block_columns();
    const u32 i = first_row + policy.tile_row(band, row), j = first_column + column;
    if (i >= output.rows || j >= output.columns || (policy.half && j < i)) continue;
    write_value<is_real>(output, rows[row * policy.band_stride() + column], i, j,
                         u64{i} * output.columns + j);
  }
  if constexpr (!policy.half) return;
#pragma unroll 4
  for (u32 n = thread; n < kPairs; n += policy.threads()) {
    const u32 row = n % policy.band_rows(), column = n / policy.band_rows();
    const u32 i = first_row + policy.tile_row(band, row), j = first_column + column;
    if (i >= output.rows || j >= output.columns || j <= i) continue;
    write_value<is_real>(output, rows[row * policy.band_stride() + column], i, j,
                         u64{j} * output.columns + i);
  }
}

/// Copies the sums of band `wanted` to the shared rows; a template, as registers cannot be
/// indexed at run time.
template <class Tuned, u32 band, class Sums>
GPUSEQ_HD void deposit_band(const Sums& sums, u32 wanted, u32* rows, u32 which) {
  if constexpr (band < Tuned::value.bands()) {
    if (band == wanted)
      sums.template deposit<band>(rows, which);
    else
      deposit_band<Tuned, band + 1>(sums, wanted, rows, which);
  }
}

/// Writes a tile and its mirror image.
/// @param which  index of the sum that a thread has for a pair
template <class Tuned, u32 which, class Sums>
GPUSEQ_HD void write_tile(const Sums& sums, const TileOutput& output, u32 first_row, u32 first_column,
                          u32* shared, u32 thread) {
  constexpr bool kIsReal = Tuned::value.product == Product::float_root && which == 0;
#pragma unroll 1
  for (u32 band = 0; band < Tuned::value.bands(); ++band) {
    deposit_band<Tuned, 0>(sums, band, shared, which);
    sync_block();
    write_band<Tuned, kIsReal>(band, shared, output, first_row, first_column, thread);
    sync_block();
  }
}

template <class Tuned, bool on_tensor_cores>
struct SumsOf {
  using Type = ThreadSums<Tuned>;
};
template <class Tuned>
struct SumsOf<Tuned, true> {
  using Type = WarpSums<Tuned>;
};

/// The distances of a block's tile; every thread calls it once.
/// @param shared  TilePolicy::shared_bytes(), 16-byte aligned
template <class Tuned>
GPUSEQ_HD void tile_of_pairs(const TileArguments& arguments, const ThreadPlace& place, u8* shared) {
  constexpr TilePolicy policy = Tuned::value;
  const u32 tile = arguments.tiles[place.block];
  const u32 first_row = (tile >> 16) * policy.block_rows();
  const u32 first_column = (tile & 0xffff) * policy.block_columns();
  typename SumsOf<Tuned, policy.on_tensor_cores()>::Type sums(place.thread);
  auto* rows = reinterpret_cast<u32*>(shared);
#pragma unroll 1
  for (u32 number = 0; number < arguments.pass_count; ++number) {
    const Pass& pass = arguments.passes[number];
    add_attributes<Tuned>(pass, first_row, first_column, sums, shared, place.thread);
    // Slices, to which launches add, are complete matrices.
    TileOutput output{.formula = pass.formula,
                      .result = pass.result,
                      .rows = arguments.rows,
                      .columns = arguments.columns,
                      .adds = !policy.half && arguments.adds != 0,
                      .is_last = policy.half || arguments.is_last != 0};
    write_tile<Tuned, 0>(sums, output, first_row, first_column, rows, place.thread);
    if constexpr (policy.sums() == 2) {
      output.formula = {nullptr, nullptr, nullptr, 0, 0, 1, 1};
      output.result = arguments.compared;
      write_tile<Tuned, 1>(sums, output, first_row, first_column, rows, place.thread);
    }
  }
}

#if defined(__CUDACC__)
/// The body of a kernel with TilePolicy::threads() threads per block.
template <class Tuned>
__device__ __forceinline__ void tile_kernel(const TileArguments& arguments) {
  extern __shared__ __align__(16) u8 tile_stages[];
  tile_of_pairs<Tuned>(arguments, {threadIdx.x, blockIdx.x, gridDim.x}, tile_stages);
}
#endif

}  // namespace gpuseq::pairwise_distance
