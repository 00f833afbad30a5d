#pragma once

#include "kernels/papara/cuda/score_lanes.cuh"

// A block of columns of the matrix: what a thread keeps of it from row to row.
//
// Potentials. With S'' = S - insertion * (j + 1) - P(i), P the sum of GP_E over the block's sites up to i, an
// insertion costs nothing, nor does extending a deletion, and since GP_OE >= GP_E equation 1 becomes
//   X = min(S''(i-1, j-1) + c, S''(i, j-1))   c = M + CG - GP_E - insertion
//   D = min(X(i-1) + g, D(i-1))               g = GP_OE - GP_E
//   S = min(X, D)
// three instructions for the lanes of a word where min(a + b, c) is one. P starts anew with every block, so
// that numbers stay small however long the reference is; what goes over a border is moved by the block's
// whole P.
//
// Pipes. On sm_90, minima and additions with a minimum go to the ALU pipe, 64 a clock and multiprocessor,
// which binds; multiplications go to another. A column may therefore also be computed as
//   S = min(t, S(i, j-1), D)      t = S(i-1, j-1) * 1 + c
//   D = min(S(i-1) + g, D(i-1))
// with two instructions of the ALU pipe instead of three, but a chain from column to column that is twice as
// long: every other column so was fastest on an H200. t is a sum of 32 bits, which is the lanes' where they
// are not negative: potentials then begin at an origin above 0.

namespace gpuseq::papara {

/// Where potentials begin: S'' of a cell of which S, the row and P are 0. No potential of a block is below 0
/// then.
template <class Tuned>
GPUSEQ_HD constexpr i32 origin_of(const ScoreArguments& arguments) {
  constexpr Policy policy = Tuned::value;
  if (!policy.multiplies()) return 0;
  return static_cast<i32>(arguments.longest + 1) * arguments.penalties.insertion +
         static_cast<i32>(policy.unroll) * arguments.penalties.gap_extend;
}

/// Per-problem words that blocks are made of.
template <Arithmetic arithmetic>
struct CostWords {
  using L = Lanes<arithmetic>;
  u32 match, mismatch;             // c without and
  u32 cgap_match, cgap_mismatch;   // with CGAP
  u32 open, extend, minus_extend;  // g, GP_E and its negative without CGAP; all are 0 with
  u32 infinity;
  u32 bytes, cgap_bytes;  // c as bytes (Lanes::cost_byte): 0 mismatch, 1 match

  GPUSEQ_HD explicit CostWords(const Penalties& p)
      : match(L::splat(-p.gap_extend - p.insertion)),
        mismatch(L::splat(p.mismatch - p.gap_extend - p.insertion)),
        cgap_match(L::splat(p.cgap - p.insertion)),
        cgap_mismatch(L::splat(p.cgap + p.mismatch - p.insertion)),
        open(L::splat(p.gap_open - p.gap_extend)),
        extend(L::splat(p.gap_extend)),
        minus_extend(L::splat(-p.gap_extend)),
        infinity(L::splat(L::infinity)),
        bytes(L::cost_byte(p.mismatch - p.gap_extend - p.insertion) |
              L::cost_byte(-p.gap_extend - p.insertion) << 8),
        cgap_bytes(L::cost_byte(p.cgap + p.mismatch - p.insertion) | L::cost_byte(p.cgap - p.insertion)
                                                                         << 8) {}
};

/// Policy::multiplies() of a policy that is a template's: calling a member of a static one needs its address.
template <class Tuned>
GPUSEQ_HD constexpr bool multiplies(u32 column) {
  constexpr Policy policy = Tuned::value;
  return policy.multiplies(column);
}

/// c of every column for every base: a register for each.
template <class Tuned>
struct BranchedCosts {
  static constexpr u32 columns = Tuned::value.unroll;
  static constexpr u32 lanes = Tuned::value.lanes();
  using L = Lanes<Tuned::value.arithmetic>;
  u32 cost[4][columns];

  GPUSEQ_HD void set(u32 column, u32 word, u32 shift, const CostWords<Tuned::value.arithmetic>& words) {
    constexpr u32 flag_bits = lanes == 2 ? 0x10001 : 1;
    const u32 cgap = word >> (shift + 4) & flag_bits;
    const u32 match = choose<lanes>(cgap, words.cgap_match, words.match);
    const u32 mismatch = choose<lanes>(cgap, words.cgap_mismatch, words.mismatch);
#pragma unroll
    for (u32 base = 0; base < 4; ++base) {
      const u32 chosen = choose<lanes>(word >> (shift + base) & flag_bits, match, mismatch);
      cost[base][column] = multiplies<Tuned>(column) ? L::carrying(chosen) : chosen;
    }
  }
  /// Each base has code of its own.
  template <u32 base>
  GPUSEQ_HD u32 of(u32 column) const {
    return cost[base][column];
  }
  template <u32 base>
  GPUSEQ_HD u32 lanes_of(u32 column) const {
    return multiplies<Tuned>(column) ? L::without_carry(cost[base][column]) : cost[base][column];
  }
};

/// The same as a byte for each base and lane.
template <class Tuned>
struct SelectedCosts {
  static constexpr u32 columns = Tuned::value.unroll;
  static constexpr u32 lanes = Tuned::value.lanes();
  using L = Lanes<Tuned::value.arithmetic>;
  u32 bytes[lanes][columns];

  GPUSEQ_HD void set(u32 column, u32 word, u32 shift, const CostWords<Tuned::value.arithmetic>& words) {
#pragma unroll
    for (u32 lane = 0; lane < lanes; ++lane) {
      const u32 site = word >> (16 * lane + shift) & 31;
      const u32 pairs = (site | site << 6) & 0x303;
      const u32 match_of_each_base = (pairs | pairs << 3) & 0x1111;  // a nibble each
      bytes[lane][column] =
          select_bytes(site & kCgapFlag ? words.cgap_bytes : words.bytes, 0, match_of_each_base);
    }
  }
  GPUSEQ_HD u32 selected(u32 column, u32 selector) const {
    return L::selected(select_bytes(bytes[0][column], bytes[lanes - 1][column], selector));
  }
  template <u32 base>
  GPUSEQ_HD u32 of(u32 column) const {
    return selected(column, L::selector(base));
  }
  template <u32 base>
  GPUSEQ_HD u32 lanes_of(u32 column) const {
    return of<base>(column);
  }
};

/// A block's row in registers.
template <class Tuned>
struct RegisterRow {
  u32 word[Tuned::value.unroll];
  GPUSEQ_HD explicit RegisterRow(u32*, u32) {}
  GPUSEQ_HD u32& operator[](u32 column) { return word[column]; }
};

/// A block's row in shared memory, a thread's words a block's threads apart.
template <class Tuned>
struct SharedRow {
  u32* word;
  GPUSEQ_HD SharedRow(u32* shared, u32 thread) : word(shared + thread) {}
  GPUSEQ_HD u32& operator[](u32 column) { return word[column * Tuned::value.threads_per_block]; }
};

template <bool first, class A, class B>
struct Either {
  using type = A;
};
template <class A, class B>
struct Either<false, A, B> {
  using type = B;
};

/// The column left of a block, one row of it.
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

  /// Reads the block's sites and takes row -1, or the row above the block's first, as the row before.
  /// @param sites  the first of pack_words words, `stride` apart
  /// @param above  columns of the row above that are reachable; the others, and all if negative, are not
  GPUSEQ_HD void load(const u32* sites, u32 stride, i32 above) {
    u32 minus_p = origin_;
    u32 word = 0;
#pragma unroll
    for (u32 lane = 0; lane < lanes; ++lane) cgap_[lane] = 0;
#pragma unroll
    for (u32 c = 0; c < columns; ++c) {
      constexpr u32 word_sites = Tuned::value.word_sites();
      const u32 shift = c % word_sites * kElementBits;
      if (c % word_sites == 0) word = sites[u64{c / word_sites} * stride];
      costs_.set(c, word, shift, words_);
      const u32 cgap = word >> (shift + 4) & flag_bits;
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
    u32 x = left.s;
    u32 d = left.d;
    u32 s = 0;
#pragma unroll
    for (u32 c = 0; c < columns; ++c) {
      const u32 above = row_[c];
      d = L::add_min(x, g_[c], d);
      if (multiplies<Tuned>(c)) {
        s = L::min3(multiply_add(diagonal, one_, costs_.template of<base>(c)), above, d);
        x = s;  // S does for X: g is not negative
      } else {
        x = L::add_min(diagonal, costs_.template of<base>(c), above);
        s = L::min(x, d);
      }
      diagonal = above;
      row_[c] = s;
    }
    return {L::add(s, p_), L::add(d, p_)};
  }

  /// The next row where only columns `first` ... `last` are reachable, or the base is ambiguous.
  /// @param set  of bases
  GPUSEQ_HD Border next_row_in_part(u32 set, i32 first, i32 last, u32 diagonal, Border left) {
    u32 x = left.s;
    u32 d = left.d;
#pragma unroll
    for (u32 c = 0; c < columns; ++c) {
      const u32 above = row_[c];
      const bool reachable = static_cast<i32>(c) >= first && static_cast<i32>(c) <= last;
      d = reachable ? L::add_min(x, g_[c], d) : words_.infinity;
      x = reachable ? L::add_min(diagonal, least_cost(set, c), above) : words_.infinity;
      diagonal = above;
      row_[c] = L::min(x, d);
    }
    return {L::add(row_[columns - 1], p_), L::add(d, p_)};
  }

  /// The least of `best` and the row's scores, moved back by P.
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
  /// An ambiguous base matches where one of its set does.
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
  typename Either<Tuned::value.branched, BranchedCosts<Tuned>, SelectedCosts<Tuned>>::type costs_;
  typename Either<Tuned::value.scheme == Scheme::blocked_registers, RegisterRow<Tuned>,
                  SharedRow<Tuned>>::type row_;
  u32 g_[columns];
  u32 cgap_[lanes];  // bit c: CGAP of column c
  u32 p_;            // P over the whole block
};

}  // namespace gpuseq::papara
