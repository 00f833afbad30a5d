#pragma once

#include "kernels/profile_hmm/cuda/filter_rows.cuh"

// SSV and MSV: local alignments without gaps. A cell is the best score of an alignment that ends in a match
// state and a residue. It continues the previous cell on the diagonal, or begins there.

namespace gpuseq::profile_hmm {

/// The diagonals of a group's sequence, advanced one residue at a time.
template <class Tuned>
class Diagonals {
  using L = Lanes<Tuned>;

 public:
  GPUSEQ_HD Diagonals(const FilterArguments& arguments, const ThreadPlace& place, u32* row)
      : words_(arguments), row_(row), carry_(place.thread % kWarp) {}

  GPUSEQ_HD void clear(u32 word) {
#pragma unroll(kUnrolled <Tuned>)
    for (u32 q = 0; q < words_(); ++q) row_.set(q, word);
  }

  /// @param cell  (previous cell, cost of the new cell) -> new cell
  /// @return the maximum of `best` and the new cells, state by state
  template <class OfResidue, class Cell>
  GPUSEQ_HD u32 advance(const OfResidue& costs, u32 floor, u32 best, Cell cell) {
    const u32 from = carry_(row_.get(words_() - 1), floor);
    u32 held = best;
    // From the last word to the first, so that each cell overwrites its predecessor.
#pragma unroll(kUnrolled <Tuned>)
    for (u32 n = 0; n < words_(); ++n) {
      const u32 q = words_() - 1 - n;
      const u32 now = cell(q == 0 ? from : row_.get(q - 1), costs.get(q));
      row_.set(q, now);
      // Two cells with one instruction if the compiler knows the parity of n.
      if constexpr (Tuned::value.row == Memory::registers) {
        if (n % 2 == 1)
          best = L::greatest(best, held, now);
        else if (n + 1 == words_())
          best = L::greatest(best, now);
        held = now;
      } else {
        best = L::greatest(best, now);
      }
    }
    return best;
  }

 private:
  WordCount<Tuned> words_;
  Row<Tuned> row_;
  Carry<L, Tuned::value.lanes> carry_;
};

/// The computation of a filter on a sequence, row by row.
enum class Kind : u32 { best_cell, joined_rows, with_gaps };
template <class Tuned>
inline constexpr Kind kKind = Tuned::value.best_cell_only()            ? Kind::best_cell
                              : Tuned::value.filter == Filter::viterbi ? Kind::with_gaps
                                                                       : Kind::joined_rows;
/// Whether the lanes' maximum is computed in every row.
template <class Tuned>
inline constexpr bool kReducesRows = Tuned::value.reduction == Reduction::each_row;

/// SSV, and MSV of sequences in which J has no effect: the best cell of all. Cells are relative to B.
template <class Tuned, Kind kind = kKind<Tuned>>
class Recurrence {
  using L = Lanes<Tuned>;

 public:
  GPUSEQ_HD Recurrence(const FilterArguments& arguments, const ThreadPlace& place, u32* row, const u32*)
      : arguments_(arguments), diagonals_(arguments, place, row) {}

  GPUSEQ_HD void begin(const SequenceEntry& entry) {
    best_ = L::splat(L::ssv_start);
    begun_ = arguments_.base - (entry.jump & 0xff) - arguments_.begin_match;
    diagonals_.clear(best_);
  }
  template <class OfResidue>
  GPUSEQ_HD void row(const OfResidue& costs) {
    best_ = diagonals_.advance(costs, L::splat(L::ssv_start), best_,
                               [](u32 before, u32 cost) { return L::ssv(before, cost); });
    if constexpr (kReducesRows<Tuned>) best_ = greatest_of_group<L, Tuned::value.lanes>(best_);
  }
  /// @param again  set if MSV's J may have been used, or if the best cell is unknown because none exceeds B
  GPUSEQ_HD i32 finish(bool& again) {
    const i32 best = L::state(greatest_of_group<L, Tuned::value.lanes>(best_), 0) - L::ssv_start;
    const i32 overflow = 255 - arguments_.bias;
    if constexpr (Tuned::value.filter == Filter::ssv) {
      return best + 128 >= overflow ? kOverflow : best + 128;
    } else {
      const i32 greatest = begun_ + best, joined = greatest - arguments_.end;
      if (greatest >= overflow) return kOverflow;
      again = best == 0 || joined > arguments_.base;
      return joined;
    }
  }

 private:
  const FilterArguments& arguments_;
  Diagonals<Tuned> diagonals_;
  u32 best_ = 0;
  i32 begun_ = 0;  // B
};

/// Multiple segments: the cells of later rows begin from J, which a row's best cell raises.
template <class Tuned>
class Recurrence<Tuned, Kind::joined_rows> {
  using L = Lanes<Tuned>;

 public:
  GPUSEQ_HD Recurrence(const FilterArguments& arguments, const ThreadPlace& place, u32* row, const u32*)
      : bias_(arguments.bias),
        base_word_(L::splat(arguments.base)),
        bias_word_(L::splat(arguments.bias)),
        end_word_(L::splat(arguments.end)),
        begin_match_(arguments.begin_match),
        base_(arguments.base),
        diagonals_(arguments, place, row) {}

  GPUSEQ_HD void begin(const SequenceEntry& entry) {
    const i32 jump = (entry.jump & 0xff) + begin_match_;
    jump_word_ = L::splat(jump);
    begin_ = L::splat(base_ - jump);
    joined_ = 0;
    top_ = 0;
    diagonals_.clear(0);
  }
  template <class OfResidue>
  GPUSEQ_HD void row(const OfResidue& costs) {
    const u32 begin = begin_, bias = bias_word_;
    const u32 best = diagonals_.advance(
        costs, 0, 0, [&](u32 before, u32 cost) { return L::msv(before, begin, cost, bias); });
    // J and B change only with a cell above all earlier ones: other rows need no maximum over the lanes.
    if (kReducesRows<Tuned> || any_lane(L::greatest(top_, best) != top_)) join(best);
  }
  /// Whether further residues cannot change the result.
  GPUSEQ_HD bool decided() const { return L::state(top_, 0) >= 255 - bias_; }
  GPUSEQ_HD i32 finish(bool&) { return decided() ? kOverflow : L::state(joined_, 0); }

 private:
  GPUSEQ_HD void join(u32 best) {
    top_ = L::greatest(top_, greatest_of_group<L, Tuned::value.lanes>(best));
    joined_ = L::greatest(joined_, L::difference(top_, end_word_));
    begin_ = L::difference(L::greatest(base_word_, joined_), jump_word_);
  }

  i32 bias_;
  u32 base_word_, bias_word_, end_word_;
  i32 begin_match_, base_;
  Diagonals<Tuned> diagonals_;
  u32 jump_word_ = 0, begin_ = 0;
  u32 joined_ = 0;  // J
  u32 top_ = 0;     // best cell of all rows
};

}  // namespace gpuseq::profile_hmm
