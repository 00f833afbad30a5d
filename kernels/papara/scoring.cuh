#pragma once

#include "runtime/cuda/device/host_device.cuh"

// Costs of a cell of the dynamic programming matrix, for host and device. Source: Alachiotis, Berger and
// Stamatakis 2012, equation 1.

namespace gpuseq::papara {

/// The letters of sequences. A set of letters has bit 0 to 3 for A, C, G, T, or bit 0 to 19 for the amino
/// acids in the order of their one-letter codes. A site of a reference is such a set (its parsimony state),
/// with the CGAP flag in the next bit. A base of a query is such a set (one bit; more if it is ambiguous).
enum class Alphabet : u32 { dna, protein };

GPUSEQ_HD constexpr u32 letters_of(Alphabet alphabet) {
  return alphabet == Alphabet::dna ? 4 : 20;
}
GPUSEQ_HD constexpr u32 state_mask(Alphabet alphabet) {
  return (1u << letters_of(alphabet)) - 1;
}
GPUSEQ_HD constexpr u32 cgap_flag(Alphabet alphabet) {
  return 1u << letters_of(alphabet);
}
/// Bytes per site, the lowest bits first.
GPUSEQ_HD constexpr u32 planes_of(Alphabet alphabet) {
  return alphabet == Alphabet::dna ? 1 : 3;
}

/// For nucleotides. For any alphabet, kCgapFlag is the CGAP flag in the last byte of a site.
constexpr u32 kStateMask = 15;
constexpr u32 kCgapFlag = 16;
static_assert(state_mask(Alphabet::dna) == kStateMask && cgap_flag(Alphabet::dna) == kCgapFlag);
static_assert(cgap_flag(Alphabet::protein) == kCgapFlag << 8 * (planes_of(Alphabet::protein) - 1));

/// Costs of equation 1; the default values are the paper's. All are at least 0, and gap_open >= gap_extend.
struct Penalties {
  i32 mismatch = 3;    // M: the sets have no base in common
  i32 cgap = 3;        // CG: aligning a base to a site whose CGAP is set
  i32 gap_open = 4;    // GP_OE: the first site of a deletion; 0 where CGAP is set
  i32 gap_extend = 1;  // GP_E: each further site; 0 where CGAP is set
  i32 insertion = 3;   // I: a base between two sites
};

/// M + CG: aligning a query's base, a set of letters, to a reference's site.
GPUSEQ_HD constexpr i32 align_cost(const Penalties& penalties, Alphabet alphabet, u32 site, u32 base) {
  return ((site & base & state_mask(alphabet)) != 0 ? 0 : penalties.mismatch) +
         ((site & cgap_flag(alphabet)) != 0 ? penalties.cgap : 0);
}
GPUSEQ_HD constexpr i32 open_cost(const Penalties& penalties, Alphabet alphabet, u32 site) {
  return (site & cgap_flag(alphabet)) != 0 ? 0 : penalties.gap_open;
}
GPUSEQ_HD constexpr i32 extend_cost(const Penalties& penalties, Alphabet alphabet, u32 site) {
  return (site & cgap_flag(alphabet)) != 0 ? 0 : penalties.gap_extend;
}

/// Cells of one alignment: the band in which the whole query fits, base j over sites j ... j + sites - bases.
GPUSEQ_HD constexpr u64 band_cells(u64 sites, u64 bases) {
  return bases * (sites - bases + 1);
}

}  // namespace gpuseq::papara
