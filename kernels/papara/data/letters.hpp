#pragma once

#include <array>
#include <string_view>

#include "kernels/common/amino_acid_sets.hpp"
#include "kernels/papara/scoring.cuh"

namespace gpuseq::papara {

/// "dna" or "protein".
std::string_view alphabet_word(Alphabet alphabet);
/// @throws UsageError for another word
Alphabet parse_alphabet(std::string_view word);

/// "bases" or "residues".
std::string_view letters_word(Alphabet alphabet);

/// Codes of a query's bases. Nucleotides: the set. Amino acids: 1 ... 20, and further codes for ambiguous
/// letters (B: D or N, Z: E or Q, J: I or L, X: any).
constexpr u32 kMostCodes = 25;
/// Codes of an alphabet: 1 ... code_count - 1; 0 is not a letter.
constexpr u32 code_count(Alphabet alphabet) {
  return alphabet == Alphabet::dna ? 16 : kMostCodes;
}
/// The set of letters of each code.
const std::array<u32, kMostCodes>& sets_of(Alphabet alphabet);
/// The code of letter number `letter` of an alphabet.
constexpr u8 code_of(Alphabet alphabet, u32 letter) {
  return static_cast<u8>(alphabet == Alphabet::dna ? 1u << letter : letter + 1);
}
/// The letter that is written for a code.
char letter_of(Alphabet alphabet, u8 code);

/// The code of a letter of either case; 0 if it is not a letter. Nucleotides: N, X, '-', '.' and '?' are any
/// base. Amino acids: X, '*', '-', '.' and '?' are any amino acid, U (selenocysteine) is read as C, O
/// (pyrrolysine) as K.
u8 letter_code(Alphabet alphabet, char letter);
/// The set of a letter; 0 if it is not a letter.
u32 letter_set(Alphabet alphabet, char letter);
/// '-' or '.': a gap. CGAP also treats other letters that mean any letter as gaps, like the paper's program.
bool is_gap(char letter);

/// The letters that letter_code() accepts, without gaps; and as a phrase.
std::string_view all_letters(Alphabet alphabet);
std::string_view allowed_letters(Alphabet alphabet);

}  // namespace gpuseq::papara
