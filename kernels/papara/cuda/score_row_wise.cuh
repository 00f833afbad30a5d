#pragma once

#include "kernels/papara/cuda/score_cell.cuh"
#include "kernels/papara/cuda/score_letters.cuh"

// The straightforward scheme: equation 1 as printed, row by row. Each thread's row is in global memory,
// read and written once per cell. Bound by: global memory, 8 bytes per cell and word. Source: Alachiotis et
// al. 2012, figure 3.

namespace gpuseq::papara {

/// Reads the sites of a thread's references one after the other for a base of a query: nucleotides.
template <class Tuned>
class SiteReader {
 public:
  using Costs = CellCosts<Tuned::value.arithmetic>;

  /// @param site  the first site
  GPUSEQ_HD SiteReader(const u32* references, u32 stride, u32 site, u32 base)
      : set_(set_of(base)),
        stride_(stride),
        element_(site % word_sites),
        at_(references + u64{site / word_sites} * stride),
        word_(*at_ >> (element_ * kElementBits)) {}

  GPUSEQ_HD u32 matches() const { return Costs::matches_of(word_, set_); }
  GPUSEQ_HD u32 cgap() const { return Costs::cgap_of(word_); }
  /// @param more  whether another site follows
  GPUSEQ_HD void advance(bool more) {
    word_ >>= kElementBits;
    if (++element_ == word_sites && more) {
      element_ = 0;
      at_ += stride_;
      word_ = *at_;
    }
  }

 private:
  static constexpr u32 word_sites = Tuned::value.word_sites();
  u32 set_, stride_, element_;
  const u32* at_;
  u32 word_;
};

/// The same for amino acids.
template <class Tuned>
class LetterReader {
 public:
  GPUSEQ_HD LetterReader(const u32* references, u32 stride, u32 site, u32 base)
      : base_(base),
        stride_(stride),
        column_(site % Bits::columns),
        at_(references + u64{site / Bits::columns} * pack_words * stride) {
    read();
  }

  GPUSEQ_HD u32 matches() const { return Bits::flags(letters_, column_); }
  GPUSEQ_HD u32 cgap() const { return Bits::flags(cgap_, column_); }
  GPUSEQ_HD void advance(bool more) {
    if (++column_ == Bits::columns && more) {
      column_ = 0;
      at_ += u64{pack_words} * stride_;
      read();
    }
  }

 private:
  using Bits = LetterBits<Tuned::value.lanes()>;
  static constexpr u32 pack_words = Tuned::value.pack_words();

  GPUSEQ_HD void read() {
    const LettersAt<Tuned> letters{at_, stride_};
    letters_ = letters.of(base_).bits[0];
    cgap_ = letters.row(LettersAt<Tuned>::cgap_letter).bits[0];
  }

  u32 base_, stride_, column_;
  const u32* at_;
  u32 letters_ = 0, cgap_ = 0;
};

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
      best = next_row(base, j, width, references, stride);
    }
    return best;
  }

 private:
  /// @returns the minimum of the row
  GPUSEQ_HD u32 next_row(u32 base, u32 j, u32 width, const u32* references, u32 stride) {
    using Reader =
        typename Either<Tuned::value.alphabet == Alphabet::dna, SiteReader<Tuned>, LetterReader<Tuned>>::type;
    [[maybe_unused]] constexpr u32 unroll = Tuned::value.unroll;  // host compilers ignore the pragma
    u32 diagonal = row_[0];
    u32 s = costs_.infinity, d = costs_.infinity, best = costs_.infinity;
    Reader sites(references, stride, j, base);
#pragma unroll unroll
    for (u32 k = 0; k <= width; ++k) {
      const u32 above = k < width ? row_[u64{k + 1} * row_stride_] : costs_.infinity;
      d = costs_.deletion(sites.cgap(), s, d);
      s = costs_.score(sites.matches(), sites.cgap(), diagonal, above, d);
      row_[u64{k} * row_stride_] = s;
      best = L::min(best, s);
      diagonal = above;
      sites.advance(k < width);
    }
    return best;
  }

  const ScoreArguments& arguments_;
  const CellCosts<arithmetic> costs_;
  u32* row_;
  u32 row_stride_;
};

}  // namespace gpuseq::papara
