#pragma once

#include "kernels/papara/cuda/score_printed.cuh"
#include "kernels/papara/cuda/score_square.cuh"

// The blocked schemes: a thread walks over the blocks of columns from left to right, and in each block over
// the rows in which the band meets it. Rows that are partly out of the band (the triangles at both ends) take
// a slower path; all threads of a warp have the same query and hence the same path. In the published form,
// square_ends, these parts are in square blocks of their own, so that the other blocks have whole rows only.
// Bound by: the pipe that computes min(a + b, c). Source: Alachiotis et al. 2012, figure 4.

namespace gpuseq::papara {

/// The column between two blocks, one entry per row, in shared or global memory; `stride`
/// separates a thread's rows.
template <class Tuned>
struct BorderColumn {
  Border* rows;
  u32 stride;
  GPUSEQ_HD BorderColumn(const ScoreArguments& arguments, const ThreadPlace& place, u8* shared) {
    constexpr u32 threads = Tuned::value.threads_per_block;
    if constexpr (Tuned::value.boundary_in_shared) {
      rows = reinterpret_cast<Border*>(shared) + place.thread;
      stride = threads;
    } else {
      rows = static_cast<Border*>(arguments.scratch) + (u64{place.block} * threads + place.thread);
      stride = place.blocks * threads;
    }
  }
  GPUSEQ_HD Border& operator[](u32 row) const { return rows[u64{row} * stride]; }
  /// Forces the load here: the compiler would move it to its use, after a row of cells, and wait there.
  GPUSEQ_HD Border early(u32 row) const {
#if defined(__CUDA_ARCH__)
    Border border;
    const Border* at = rows + u64{row} * stride;
    if constexpr (Tuned::value.boundary_in_shared)
      asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];"
                   : "=r"(border.s), "=r"(border.d)
                   : "r"(static_cast<u32>(__cvta_generic_to_shared(at)))
                   : "memory");
    else
      asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(border.s), "=r"(border.d) : "l"(at) : "memory");
    return border;
#else
    return (*this)[row];
#endif
  }
};

template <class Tuned>
class BlockedScorer {
 public:
  using L = Lanes<Tuned::value.arithmetic>;
  static constexpr u32 columns = Tuned::value.unroll;

  GPUSEQ_HD BlockedScorer(const ScoreArguments& arguments, const ThreadPlace& place, u8* shared)
      : arguments_(arguments),
        border_(arguments, place, shared + row_bytes()),
        origin_(L::splat(origin_of<Tuned>(arguments))),
        block_(typename BlockType::Words(arguments.penalties), origin_, arguments.one,
               reinterpret_cast<u32*>(shared), place.thread),
        squares_(arguments, place),
        unreachable_{L::splat(L::infinity), L::splat(L::infinity)} {}

  /// @param references  the first word of this thread's references, `stride` between words
  /// @returns the lanes' scores as a word, still with the insertions and the origin of potentials
  GPUSEQ_HD u32 score(const QueryEntry& query, const u32* references, u32 stride) {
    if constexpr (Tuned::value.square_ends) return score_between_squares(query, references, stride);
    const u32 width = arguments_.sites - query.bases;  // the band: j <= i <= j + width
    u32 best = L::splat(L::infinity);
#pragma unroll 1
    for (u32 begin = 0; begin < arguments_.sites; begin += columns) {
      block_.load(references, stride, static_cast<i32>(width) - static_cast<i32>(begin));
      references += u64{Tuned::value.pack_words()} * stride;
      const u32 end = query.bases < begin + columns ? query.bases : begin + columns;
      rows(arguments_.bases + query.begin, begin, end, width);
      if (end == query.bases) best = block_.least(best);
    }
    return best;
  }

 private:
  static constexpr bool by_letters = Tuned::value.alphabet != Alphabet::dna;
  using BlockType = typename Either<Tuned::value.printed, PrintedBlock<Tuned>, Block<Tuned>>::type;

  /// The same in the paper's blocks: the square block on the left, the blocks of whole rows, and the square
  /// block on the right.
  GPUSEQ_HD u32 score_between_squares(const QueryEntry& query, const u32* references, u32 stride) {
    const Ends ends = ends_of(columns, arguments_.sites, arguments_.longest);
    const u32* bases = arguments_.bases + query.begin;
    u32 best =
        squares_.score(bases, query.bases, 0, ends.left, references, stride, border_, L::splat(L::infinity));
    references += u64{ends.left} * stride;
    u32 begin = ends.left;
#pragma unroll 1
    for (u32 block = 0; block < ends.blocks; ++block) {
      block_.load(references, stride,
                  static_cast<i32>(arguments_.sites - query.bases) - static_cast<i32>(begin));
      whole_rows(bases, 0, query.bases, origin_);
      best = block_.least(best);
      references += u64{Tuned::value.pack_words()} * stride;
      begin += columns;
    }
    if (ends.right == 0) return best;
    return squares_.score(bases, query.bases, begin, arguments_.sites, references, stride, border_, best);
  }

  /// Bytes of shared memory before the borders.
  GPUSEQ_HD static constexpr u32 row_bytes() {
    return Tuned::value.scheme == Scheme::blocked_shared ? columns * Tuned::value.threads_per_block * 4 : 0;
  }

  /// The rows of the block that begins at column `begin`, up to row `end`.
  GPUSEQ_HD void rows(const u32* bases, u32 begin, u32 end, u32 width) {
    const u32 first = begin > width ? begin - width : 0;
    const u32 whole_end = begin < end ? begin : end;
    u32 whole_begin = begin + columns - 1 > width ? begin + columns - 1 - width : 0;
    if (whole_begin > whole_end) whole_begin = whole_end;
    if (whole_begin < first) whole_begin = first;
    u32 diagonal = first == 0 ? origin_ : border_[first - 1].s;
    diagonal = rows_in_part(bases, begin, first, whole_begin, width, diagonal);
    diagonal = whole_rows(bases, whole_begin, whole_end, diagonal);
    rows_in_part(bases, begin, whole_begin < whole_end ? whole_end : whole_begin, end, width, diagonal);
  }

  /// Rows with all columns reachable. The operands of the next row are read before a row is computed, into
  /// registers of their own: the compiler would make plain copies at once, and wait for the load there.
  /// @returns the border's S in the last row, the next row's diagonal
  GPUSEQ_HD u32 whole_rows(const u32* bases, u32 j, u32 end, u32 diagonal) {
    if (j >= end) return diagonal;
    if constexpr (by_letters)
      return whole_rows_of_letters(bases, j, end, diagonal);
    else
      return whole_rows_of_bases(bases, j, end, diagonal);
  }

  GPUSEQ_HD u32 whole_rows_of_bases(const u32* bases, u32 j, u32 end, u32 diagonal) {
    Border left = border_[j];
    u32 base = bases[j];
#pragma unroll 1
    for (; j < end; ++j) {
      const Border next_left = border_.early(j + 1);
      const u32 next_base = bases[j + 1];
      border_[j] = whole_row(base, diagonal, left);
      diagonal = left.s;
      left = {later(next_left.s), later(next_left.d)};
      base = later(next_base);
    }
    return diagonal;
  }

  /// The same for rows that read the bits of their letter. They need the base first, one row earlier.
  GPUSEQ_HD u32 whole_rows_of_letters(const u32* bases, u32 j, u32 end, u32 diagonal) {
    Border left = border_[j];
    LetterRow<Tuned> row = block_.letters_of_row(bases[j]);
    u32 next_base = bases[j + 1];
#pragma unroll 1
    for (; j < end; ++j) {
      const Border next_left = border_.early(j + 1);
      const LetterRow<Tuned> next_row = block_.letters_of_row(next_base);
      const u32 base_after = bases[j + 2];
      border_[j] = block_.next_row(row, diagonal, left);
      diagonal = left.s;
      left = {later(next_left.s), later(next_left.d)};
#pragma unroll
      for (u32 word = 0; word < LetterRow<Tuned>::words; ++word) row.bits[word] = later(next_row.bits[word]);
      next_base = later(base_after);
    }
    return diagonal;
  }

  /// A copy that the compiler cannot move earlier.
  GPUSEQ_HD u32 later(u32 value) const {
    return multiply_add(value, arguments_.one, 0);
  }

  GPUSEQ_HD Border whole_row(u32 base, u32 diagonal, Border left) {
    if constexpr (Tuned::value.printed) {
      return block_.next_row(set_of(base), diagonal, left);
    } else {
      if (base < 2) {
        if (base == 0) return block_.template next_row<0>(diagonal, left);
        return block_.template next_row<1>(diagonal, left);
      }
      if (base < 4) {
        if (base == 2) return block_.template next_row<2>(diagonal, left);
        return block_.template next_row<3>(diagonal, left);
      }
      return block_.next_row_in_part(base & kStateMask, 0, columns - 1, diagonal, left);
    }
  }

  /// Rows that may be partly out of the band: a row below the block's first column is, on its left.
  GPUSEQ_HD u32 rows_in_part(const u32* bases, u32 begin, u32 j, u32 end, u32 width, u32 diagonal) {
#pragma unroll 1
    for (; j < end; ++j) {
      const Border left = j < begin ? border_[j] : unreachable_;
      const u32 base = bases[j];
      const i32 first = static_cast<i32>(j) - static_cast<i32>(begin);
      const i32 last = first + static_cast<i32>(width);
      if constexpr (by_letters)
        border_[j] = block_.next_row_in_part(block_.letters_of_row(base), first, last, diagonal, left);
      else
        border_[j] = block_.next_row_in_part(set_of(base), first, last, diagonal, left);
      diagonal = left.s;
    }
    return diagonal;
  }

  const ScoreArguments& arguments_;
  BorderColumn<Tuned> border_;
  const u32 origin_;
  BlockType block_;
  typename Either<Tuned::value.square_ends, SquareBlocks<Tuned>, NoSquareBlocks<Tuned>>::type squares_;
  const Border unreachable_;
};

}  // namespace gpuseq::papara
