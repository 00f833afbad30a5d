#pragma once

#include "kernels/papara/cuda/score_block.cuh"
#include "kernels/papara/cuda/score_cell.cuh"

// The square blocks at both ends of the matrix, where rows begin and end: row by row in global memory,
// one word per site. Cells are scores; values exchanged with blocks of potentials have the insertions of
// their row subtracted. Source: Alachiotis et al. 2012, figures 4 and 5. Bound by: global memory, 8 bytes
// per cell and word.

namespace gpuseq::papara {

template <class Tuned>
class SquareBlocks {
 public:
  using L = Lanes<Tuned::value.arithmetic>;

  GPUSEQ_HD SquareBlocks(const ScoreArguments& arguments, const ThreadPlace& place)
      : costs_(arguments.penalties),
        sites_(arguments.sites),
        stride_(place.blocks * Tuned::value.threads_per_block) {
    // The row follows the columns between blocks if these are in global memory.
    const u64 borders = Tuned::value.boundary_in_shared ? 0 : (u64{arguments.longest} + 1) * 2;
    row_ = static_cast<u32*>(arguments.scratch) + borders * stride_ +
           (u64{place.block} * Tuned::value.threads_per_block + place.thread);
  }

  /// Computes columns `begin` ... `end` - 1 of all rows. Rows that continue to the right fill `border`, rows
  /// that begin further left start from it.
  /// @param bases  of the query, `count`
  /// @param sites  of this thread's references, one element per lane in a word, `site_stride` apart
  /// @returns the minimum of `best` and the last row's scores, in the representation of the blocks
  template <class Column>
  GPUSEQ_HD u32 score(const u32* bases, u32 count, u32 begin, u32 end, const u32* sites, u32 site_stride,
                      const Column& border, u32 best) {
    const u32 width = sites_ - count;  // the band: j <= i <= j + width
#pragma unroll 1
    for (u32 i = begin; i < end; ++i) row(i - begin) = L::splat(0);
    u32 insertions = L::splat(0);  // insertions of a whole column, down to row j
#pragma unroll 1
    for (u32 j = 0; j < count; ++j) {
      const u32 insertions_before = insertions;
      insertions = L::add(insertions, costs_.insertion);
      const u32 set = set_of(bases[j]);
      const u32 first = j > begin ? j : begin;
      const u32 last_end = j + width + 1 < end ? j + width + 1 : end;
      u32 s = costs_.infinity, d = costs_.infinity;
      if (begin > 0) {
        s = score_of(border[j].s, insertions);
        d = score_of(border[j].d, insertions);
      }
      u32 diagonal = first > begin ? row(first - begin - 1)
                     : j == 0      ? L::splat(0)
                                   : score_of(border[j - 1].s, insertions_before);
#pragma unroll 1
      for (u32 i = first; i < last_end; ++i) {
        const u32 word = sites[u64{i - begin} * site_stride];
        const u32 above = i == j + width ? costs_.infinity : row(i - begin);
        const u32 cgap = Costs::cgap_of(word);
        d = costs_.deletion(cgap, s, d);
        s = costs_.score(Costs::matches_of(word, set), cgap, diagonal, above, d);
        row(i - begin) = s;
        diagonal = above;
      }
      if (end < sites_) border[j] = {of_blocks(s, insertions), of_blocks(d, insertions)};
    }
    const u32 last = count - 1;
#pragma unroll 1
    for (u32 i = last > begin ? last : begin; i < end; ++i)
      best = L::min(best, of_blocks(row(i - begin), insertions));
    return best;
  }

 private:
  static constexpr bool printed = Tuned::value.printed;

  GPUSEQ_HD static u32 of_blocks(u32 score, u32 insertions) {
    return printed ? score : L::add(score, L::negate(insertions));
  }
  GPUSEQ_HD static u32 score_of(u32 of_blocks, u32 insertions) {
    return printed ? of_blocks : L::add(of_blocks, insertions);
  }
  GPUSEQ_HD u32& row(u32 column) const {
    return row_[u64{column} * stride_];
  }

  using Costs = CellCosts<Tuned::value.arithmetic>;
  const Costs costs_;
  const u32 sites_;
  const u32 stride_;  // threads of the launch; the words of all threads are interleaved
  u32* row_;
};

/// For kernels without square ends.
template <class Tuned>
class NoSquareBlocks {
 public:
  GPUSEQ_HD NoSquareBlocks(const ScoreArguments&, const ThreadPlace&) {}
};

}  // namespace gpuseq::papara
