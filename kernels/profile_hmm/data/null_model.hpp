#pragma once

#include <array>

#include "kernels/profile_hmm/data/amino_acids.hpp"

namespace gpuseq::profile_hmm {

/// Background frequencies of the amino acids in the order of kResidueLetters: Swiss-Prot 50.8, as HMMER 3 has
/// them (p7_AminoFrequencies).
inline constexpr std::array<float, kAminoAcids> kBackground{
    0.0787945f, 0.0151600f, 0.0535222f, 0.0668298f, 0.0397062f, 0.0695071f, 0.0229198f,
    0.0590092f, 0.0594422f, 0.0963728f, 0.0237718f, 0.0414386f, 0.0482904f, 0.0395639f,
    0.0540978f, 0.0683364f, 0.0540687f, 0.0673417f, 0.0114135f, 0.0304133f};

/// Amino acids that a residue code stands for, as bits; 0 for the gap, '*' and '~'.
constexpr u32 amino_acid_set(u32 code) {
  const auto bit = [](char letter) { return 1u << kResidueLetters.find(letter); };
  switch (kResidueLetters[code]) {
    case 'B':
      return bit('D') | bit('N');
    case 'J':
      return bit('I') | bit('L');
    case 'Z':
      return bit('E') | bit('Q');
    case 'O':  // pyrrolysine
      return bit('K');
    case 'U':  // selenocysteine
      return bit('C');
    case 'X':
      return (1u << kAminoAcids) - 1;
    default:
      return code < kAminoAcids ? 1u << code : 0;
  }
}

}  // namespace gpuseq::profile_hmm
