#pragma once

#include <string_view>

#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq {

/// The amino acids; the number of each is its index.
inline constexpr std::string_view kAminoAcidLetters = "ACDEFGHIKLMNPQRSTVWY";

/// Amino acids of an upper-case IUPAC letter, as bits; 0 for other letters.
constexpr u32 amino_acids_of(char letter) {
  const auto bit = [](char amino_acid) { return 1u << kAminoAcidLetters.find(amino_acid); };
  switch (letter) {
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
      return (1u << kAminoAcidLetters.size()) - 1;
    default:
      return kAminoAcidLetters.find(letter) == kAminoAcidLetters.npos ? 0 : bit(letter);
  }
}

}  // namespace gpuseq
