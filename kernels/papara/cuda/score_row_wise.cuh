#pragma once

#include "kernels/papara/cuda/score_cell.cuh"

// The straightforward scheme: equation 1 as it stands, a row of the matrix after the other, each thread's row
// in global memory and read and written once a cell. Bound by: global memory, 8 bytes a cell and word.
// Source: Alachiotis et al. 2012, figure 3.

namespace gpuseq::papara {

template <class Tuned>
class RowWiseScorer {
 public:
  static constexpr Arithmetic arithmetic = Tuned::value.arithmetic;
  using L = Lanes<arithmetic>;

  GPUSEQ_HD RowWiseScorer(const ScoreArguments& arguments, const ThreadPlace& place, u8*)
      : arguments_(arguments),
        costs_(arguments.penalties),
        row_(static_cast<u32*>(arguments.scratch) +
             (u64{place.block} * Tuned::value.threads_per_block + place.thread)),
        row_stride_(place.blocks * Tuned::value.threads_per_block) {}

  GPUSEQ_HD u32 score(const QueryEntry& query, const u32* references, u32 stride) {
    const u32 width = arguments_.sites - query.bases;  // entry d of the row is cell (j + d, j)
    for (u32 d = 0; d <= width; ++d) row_[u64{d} * row_stride_] = L::splat(0);
    u32 best = costs_.infinity;
    for (u32 j = 0; j < query.bases; ++j) {
      const u32 base = arguments_.bases[query.begin + j];
      best = next_row(set_of(base), j, width, references, stride);
    }
    return best;
  }

 private:
  /// @returns the least of the row
  GPUSEQ_HD u32 next_row(u32 set, u32 j, u32 width, const u32* references, u32 stride) {
    constexpr u32 word_sites = Tuned::value.word_sites();
    [[maybe_unused]] constexpr u32 unroll = Tuned::value.unroll;  // host compilers pass over the pragma
    u32 diagonal = row_[0];
    u32 s = costs_.infinity, d = costs_.infinity, best = costs_.infinity;
    u32 element = j % word_sites;
    const u32* at = references + u64{j / word_sites} * stride;
    u32 word = *at >> (element * kElementBits);
#pragma unroll unroll
    for (u32 k = 0; k <= width; ++k) {
      const u32 above = k < width ? row_[u64{k + 1} * row_stride_] : costs_.infinity;
      d = costs_.deletion(word, s, d);
      s = costs_.score(word, set, diagonal, above, d);
      row_[u64{k} * row_stride_] = s;
      best = L::min(best, s);
      diagonal = above;
      word >>= kElementBits;
      if (++element == word_sites && k < width) {
        element = 0;
        at += stride;
        word = *at;
      }
    }
    return best;
  }

  const ScoreArguments& arguments_;
  const CellCosts<arithmetic> costs_;
  u32* row_;
  u32 row_stride_;
};

}  // namespace gpuseq::papara
