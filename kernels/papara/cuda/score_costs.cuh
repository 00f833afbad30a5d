#pragma once

#include "kernels/papara/cuda/score_lanes.cuh"

// The costs of a block's columns; for nucleotides, the costs of each base.

namespace gpuseq::papara {

/// Per-problem cost words of the blocks.
template <Arithmetic arithmetic>
struct CostWords {
  using L = Lanes<arithmetic>;
  u32 match, mismatch;             // c without CGAP
  u32 cgap_match, cgap_mismatch;   // c with CGAP
  u32 open, extend, minus_extend;  // g, GP_E and its negative without CGAP; all are 0 with CGAP
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

/// Policy::multiplies() of a template's policy: calling a member of a static object needs its address.
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
  /// Each base has its own code.
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
      const u32 match_of_each_base = (pairs | pairs << 3) & 0x1111;  // 4 bits each
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

}  // namespace gpuseq::papara
