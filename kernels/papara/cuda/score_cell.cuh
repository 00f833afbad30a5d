#pragma once

#include "kernels/papara/cuda/score_lanes.cuh"

// A cell by equation 1 as printed (Alachiotis et al. 2012): costs are computed from the sites, cell by cell.

namespace gpuseq::papara {

/// Costs of a cell by flags in bit 0 of each lane, for nucleotides from the codes of its sites.
template <Arithmetic arithmetic>
struct CellCosts {
  using L = Lanes<arithmetic>;
  static constexpr u32 lanes = L::count;
  static constexpr u32 flag_bits = lanes == 2 ? 0x10001 : 1;
  u32 match, mismatch, cgap_match, cgap_mismatch, open, extend, insertion, infinity;

  GPUSEQ_HD explicit CellCosts(const Penalties& p)
      : match(L::splat(0)),
        mismatch(L::splat(p.mismatch)),
        cgap_match(L::splat(p.cgap)),
        cgap_mismatch(L::splat(p.cgap + p.mismatch)),
        open(L::splat(p.gap_open)),
        extend(L::splat(p.gap_extend)),
        insertion(L::splat(p.insertion)),
        infinity(L::splat(L::infinity)) {}

  GPUSEQ_HD static u32 matches_of(u32 sites, u32 set) {
    const u32 common = sites & (set * flag_bits);
    return (common | common >> 1 | common >> 2 | common >> 3) & flag_bits;
  }
  GPUSEQ_HD static u32 cgap_of(u32 sites) { return sites >> 4 & flag_bits; }

  /// M + CG
  GPUSEQ_HD u32 align(u32 matches, u32 cgap) const {
    return choose<lanes>(matches, choose<lanes>(cgap, cgap_match, match),
                         choose<lanes>(cgap, cgap_mismatch, mismatch));
  }

  /// D of a cell, by S and D of the cell to its left.
  GPUSEQ_HD u32 deletion(u32 cgap, u32 s, u32 d) const {
    const u32 zero = L::splat(0);
    return L::min(L::add(s, choose<lanes>(cgap, zero, open)), L::add(d, choose<lanes>(cgap, zero, extend)));
  }
  /// S of a cell, by its D.
  GPUSEQ_HD u32 score(u32 matches, u32 cgap, u32 diagonal, u32 above, u32 d) const {
    return L::min(L::min(L::add(diagonal, align(matches, cgap)), L::add(above, insertion)), d);
  }
};

/// The set of bases of a query's word.
GPUSEQ_HD u32 set_of(u32 base) {
  return base < 4 ? 1u << base : base & kStateMask;
}

}  // namespace gpuseq::papara
