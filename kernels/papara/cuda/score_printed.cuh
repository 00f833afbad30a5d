#pragma once

#include "kernels/papara/cuda/score_block.cuh"
#include "kernels/papara/cuda/score_cell.cuh"

// The paper's blocks: equation 1 as printed, a block's row in shared memory, and its sites as words with 5
// bits per site, which each cell extracts. Source: Alachiotis et al. 2012, equation 1, 'Block-based matrix
// calculation', 'Loop unrolling' and 'Data compression'.

namespace gpuseq::papara {

/// Like Block, with scores instead of potentials.
template <class Tuned>
class PrintedBlock {
 public:
  static constexpr u32 columns = Tuned::value.unroll;
  using L = Lanes<Tuned::value.arithmetic>;
  using Words = CellCosts<Tuned::value.arithmetic>;

  GPUSEQ_HD PrintedBlock(const Words& costs, u32, u32, u32* shared_row, u32 thread)
      : costs_(costs), row_(shared_row, thread) {}

  /// Reads the block's sites and sets the previous row to row -1, or to the row above the block's first.
  /// @param sites  the first of pack_words words, `stride` apart
  /// @param above  number of reachable columns of the row above; none if negative
  GPUSEQ_HD void load(const u32* sites, u32 stride, i32 above) {
#pragma unroll
    for (u32 i = 0; i < words; ++i) sites_[i] = sites[u64{i} * stride];
#pragma unroll
    for (u32 c = 0; c < columns; ++c) row_[c] = static_cast<i32>(c) < above ? L::splat(0) : costs_.infinity;
  }

  /// The next row, all of it reachable. @returns the last column, which is the next block's border
  GPUSEQ_HD Border next_row(u32 set, u32 diagonal, Border left) {
    u32 s = left.s, d = left.d;
#pragma unroll
    for (u32 c = 0; c < columns; ++c) {
      const u32 above = row_[c];
      const u32 cgap = Words::cgap_of(site(c));
      d = costs_.deletion(cgap, s, d);
      s = costs_.score(Words::matches_of(site(c), set), cgap, diagonal, above, d);
      diagonal = above;
      row_[c] = s;
    }
    return {s, d};
  }

  /// The next row if only columns `first` ... `last` are reachable.
  GPUSEQ_HD Border next_row_in_part(u32 set, i32 first, i32 last, u32 diagonal, Border left) {
    u32 s = left.s, d = left.d;
#pragma unroll
    for (u32 c = 0; c < columns; ++c) {
      const u32 above = row_[c];
      const u32 cgap = Words::cgap_of(site(c));
      d = costs_.deletion(cgap, s, d);
      s = costs_.score(Words::matches_of(site(c), set), cgap, diagonal, above, d);
      if (static_cast<i32>(c) < first || static_cast<i32>(c) > last) s = d = costs_.infinity;
      diagonal = above;
      row_[c] = s;
    }
    return {s, d};
  }

  /// The minimum of `best` and the row's scores.
  GPUSEQ_HD u32 least(u32 best) {
#pragma unroll
    for (u32 c = 0; c < columns; ++c) best = L::min(row_[c], best);
    return best;
  }

 private:
  static constexpr u32 word_sites = Tuned::value.word_sites();
  static constexpr u32 words = (columns + word_sites - 1) / word_sites;

  /// The site of each lane, from bit 0 on; higher bits belong to other sites.
  GPUSEQ_HD u32 site(u32 column) const {
    return sites_[column / word_sites] >> (column % word_sites * kElementBits);
  }

  const Words costs_;
  SharedRow<Tuned> row_;
  u32 sites_[words];
};

}  // namespace gpuseq::papara
