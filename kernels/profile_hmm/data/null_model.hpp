#pragma once

#include <array>

#include "kernels/common/amino_acid_sets.hpp"
#include "kernels/profile_hmm/data/amino_acids.hpp"

namespace gpuseq::profile_hmm {

/// Background frequencies of the amino acids in the order of kResidueLetters: Swiss-Prot 50.8, as HMMER 3 has
/// them (p7_AminoFrequencies).
inline constexpr std::array<float, kAminoAcids> kBackground{
    0.0787945f, 0.0151600f, 0.0535222f, 0.0668298f, 0.0397062f, 0.0695071f, 0.0229198f,
    0.0590092f, 0.0594422f, 0.0963728f, 0.0237718f, 0.0414386f, 0.0482904f, 0.0395639f,
    0.0540978f, 0.0683364f, 0.0540687f, 0.0673417f, 0.0114135f, 0.0304133f};

/// Amino acids of a residue code, as bits; 0 for the gap, '*' and '~'.
constexpr u32 amino_acid_set(u32 code) {
  return amino_acids_of(kResidueLetters[code]);
}
static_assert(kResidueLetters.substr(0, kAminoAcids) == kAminoAcidLetters);

}  // namespace gpuseq::profile_hmm
