#pragma once

#include "kernels/papara/cuda/score_letters.cuh"

// A block of columns of the matrix: the state that a thread keeps from row to row.
//
// Potentials. With S'' = S - insertion * (j + 1) - P(i), P the sum of GP_E over the block's sites up to i, an
// insertion costs nothing, nor does extending a deletion, and since GP_OE >= GP_E equation 1 becomes
//   X = min(S''(i-1, j-1) + c, S''(i, j-1))   c = M + CG - GP_E - insertion
//   D = min(X(i-1) + g, D(i-1))               g = GP_OE - GP_E
//   S = min(X, D)
// three instructions for the lanes of a word where min(a + b, c) is one. P restarts at 0 in every block, so
// that numbers stay small for long references; values that cross a border are shifted by the block's whole P.
//
// Pipes. On sm_90, minima and additions with a minimum use the ALU pipe (64 per clock and multiprocessor),
// which is the bottleneck; multiplications use another pipe. A column can therefore also be computed as
//   S = min(t, S(i, j-1), D)      t = S(i-1, j-1) * 1 + c
//   D = min(S(i-1) + g, D(i-1))
// with two instructions of the ALU pipe instead of three, but a dependency chain between columns that is
// twice as long: every other column in this form was fastest on an H200. t is a 32-bit sum, which equals the
// lanes' sums if no lane is negative: potentials then begin at an origin above 0.

namespace gpuseq::papara {

/// The origin of potentials: S'' of a cell whose S, row and P are 0. Then no potential of a block is below 0.
template <class Tuned>
GPUSEQ_HD constexpr i32 origin_of(const ScoreArguments& arguments) {
  constexpr Policy policy = Tuned::value;
  if (!policy.multiplies()) return 0;
  return static_cast<i32>(arguments.longest + 1) * arguments.penalties.insertion +
         static_cast<i32>(policy.unroll) * arguments.penalties.gap_extend;
}

/// A block's row in registers.
template <class Tuned>
struct RegisterRow {
  u32 word[Tuned::value.unroll];
  GPUSEQ_HD explicit RegisterRow(u32*, u32) {}
  GPUSEQ_HD u32& operator[](u32 column) { return word[column]; }
};

/// A block's row in shared memory; the words of a thread have a stride of a block's threads.
template <class Tuned>
struct SharedRow {
  u32* word;
  GPUSEQ_HD SharedRow(u32* shared, u32 thread) : word(shared + thread) {}
  GPUSEQ_HD u32& operator[](u32 column) { return word[column * Tuned::value.threads_per_block]; }
};

/// One row of the column left of a block.
struct alignas(8) Border {
  u32 s, d;
};

template <class Tuned>
class Block {
 public:
  static constexpr u32 columns = Tuned::value.unroll;
  static constexpr u32 lanes = Tuned::value.lanes();
  static constexpr u32 flag_bits = lanes == 2 ? 0x10001 : 1;
  using L = Lanes<Tuned::value.arithmetic>;
  using Words = CostWords<Tuned::value.arithmetic>;

  GPUSEQ_HD Block(const Words& words, u32 origin, u32 one, u32* shared_row, u32 thread)
      : words_(words), origin_(origin), one_(one), row_(shared_row, thread) {}

  /// Reads the block's sites and sets the previous row to row -1, or to the row above the block's first.
  /// @param sites  the first of pack_words words, `stride` apart
  /// @param above  number of reachable columns of the row above; none if negative
  GPUSEQ_HD void load(const u32* sites, u32 stride, i32 above) {
    u32 minus_p = origin_;
    [[maybe_unused]] u32 word = 0;
    [[maybe_unused]] LetterRow<Tuned> cgaps{};
    if constexpr (by_letters) {
      letters_ = {sites, stride};
      cgaps = letters_.row(LettersAt<Tuned>::cgap_letter);
    }
#pragma unroll
    for (u32 lane = 0; lane < lanes; ++lane) cgap_[lane] = 0;
#pragma unroll
    for (u32 c = 0; c < columns; ++c) {
      u32 cgap;
      if constexpr (by_letters) {
        cgap = Bits::flags(cgaps.bits[c / Bits::columns], c % Bits::columns);
        costs_.set(c, cgap, words_);
      } else {
        constexpr u32 word_sites = Tuned::value.word_sites();
        const u32 shift = c % word_sites * kElementBits;
        if (c % word_sites == 0) word = sites[u64{c / word_sites} * stride];
        costs_.set(c, word, shift, words_);
        cgap = word >> (shift + 4) & flag_bits;
      }
      g_[c] = choose<lanes>(cgap, L::splat(0), words_.open);
      minus_p = L::add(minus_p, choose<lanes>(cgap, L::splat(0), words_.minus_extend));
      row_[c] = static_cast<i32>(c) < above ? minus_p : words_.infinity;
#pragma unroll
      for (u32 lane = 0; lane < lanes; ++lane) cgap_[lane] |= (cgap >> (16 * lane) & 1) << c;
    }
    p_ = L::add(origin_, L::negate(minus_p));
  }

  /// The next row, all of it reachable. @returns the last column, which is the next block's border
  template <u32 base>
  GPUSEQ_HD Border next_row(u32 diagonal, Border left) {
    return next_row_by([this](u32 c) { return costs_.template of<base>(c); }, diagonal, left);
  }
  GPUSEQ_HD Border next_row(const LetterRow<Tuned>& row, u32 diagonal, Border left) {
    return next_row_by([this, row](u32 c) { return costs_.of(c, row); }, diagonal, left);
  }

  /// The next row if only columns `first` ... `last` are reachable, or the base is ambiguous.
  /// @param set  of bases
  GPUSEQ_HD Border next_row_in_part(u32 set, i32 first, i32 last, u32 diagonal, Border left) {
    return next_row_in_part_by([this, set](u32 c) { return least_cost(set, c); }, first, last, diagonal,
                               left);
  }
  GPUSEQ_HD Border next_row_in_part(const LetterRow<Tuned>& row, i32 first, i32 last, u32 diagonal,
                                    Border left) {
    return next_row_in_part_by([this, row](u32 c) { return costs_.lanes_of(c, row); }, first, last, diagonal,
                               left);
  }

  /// The bits of a query's word in the loaded columns.
  GPUSEQ_HD LetterRow<Tuned> letters_of_row(u32 base) const {
    return letters_.of(base);
  }

  /// The minimum of `best` and the row's scores with P added.
  GPUSEQ_HD u32 least(u32 best) {
    u32 p = L::splat(0);
#pragma unroll
    for (u32 c = 0; c < columns; ++c) {
      u32 cgap = cgap_[0] >> c & 1;
      if constexpr (lanes == 2) cgap |= (cgap_[1] >> c & 1) << 16;
      p = L::add(p, choose<lanes>(cgap, L::splat(0), words_.extend));
      best = L::add_min(row_[c], p, best);
    }
    return best;
  }

 private:
  static constexpr bool by_letters = Tuned::value.alphabet != Alphabet::dna;
  using Bits = LetterBits<lanes>;

  /// @param cost  c of a column, in the carrying form where it is multiplied; it captures by value, because
  /// the compiler does not keep all captures by reference in registers
  template <class Cost>
  GPUSEQ_HD Border next_row_by(Cost cost, u32 diagonal, Border left) {
    u32 x = left.s;
    u32 d = left.d;
    u32 s = 0;
#pragma unroll
    for (u32 c = 0; c < columns; ++c) {
      const u32 above = row_[c];
      d = L::add_min(x, g_[c], d);
      if (multiplies<Tuned>(c)) {
        s = L::min3(multiply_add(diagonal, one_, cost(c)), above, d);
        x = s;  // S can be used for X as g is not negative
      } else {
        x = L::add_min(diagonal, cost(c), above);
        s = L::min(x, d);
      }
      diagonal = above;
      row_[c] = s;
    }
    return {L::add(s, p_), L::add(d, p_)};
  }

  template <class Cost>
  GPUSEQ_HD Border next_row_in_part_by(Cost cost, i32 first, i32 last, u32 diagonal, Border left) {
    u32 x = left.s;
    u32 d = left.d;
#pragma unroll
    for (u32 c = 0; c < columns; ++c) {
      const u32 above = row_[c];
      const bool reachable = static_cast<i32>(c) >= first && static_cast<i32>(c) <= last;
      d = reachable ? L::add_min(x, g_[c], d) : words_.infinity;
      x = reachable ? L::add_min(diagonal, cost(c), above) : words_.infinity;
      diagonal = above;
      row_[c] = L::min(x, d);
    }
    return {L::add(row_[columns - 1], p_), L::add(d, p_)};
  }

  /// An ambiguous base matches where one base of its set matches.
  GPUSEQ_HD u32 least_cost(u32 set, u32 c) const {
    u32 cost = words_.infinity;
    if (set & 1) cost = L::min(cost, costs_.template lanes_of<0>(c));
    if (set & 2) cost = L::min(cost, costs_.template lanes_of<1>(c));
    if (set & 4) cost = L::min(cost, costs_.template lanes_of<2>(c));
    if (set & 8) cost = L::min(cost, costs_.template lanes_of<3>(c));
    return cost;
  }

  const Words words_;
  const u32 origin_, one_;
  using BaseCosts = typename Either<Tuned::value.branched, BranchedCosts<Tuned>, SelectedCosts<Tuned>>::type;
  typename Either<by_letters, LetterCosts<Tuned>, BaseCosts>::type costs_;
  LettersAt<Tuned> letters_{};  // for amino acids
  typename Either<Tuned::value.scheme == Scheme::blocked_registers, RegisterRow<Tuned>,
                  SharedRow<Tuned>>::type row_;
  u32 g_[columns];
  u32 cgap_[lanes];  // bit c: CGAP of column c
  u32 p_;            // P over the whole block
};

}  // namespace gpuseq::papara
