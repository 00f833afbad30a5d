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

/// How a query holds a base: of nucleotides its set; of amino acids 1 ... 20, and further codes for what is
/// ambiguous (B: D or N, Z: E or Q, J: I or L, X: any).
constexpr u32 kMostCodes = 25;
/// Codes of an alphabet: 1 ... code_count - 1; 0 is no letter.
constexpr u32 code_count(Alphabet alphabet) {
  return alphabet == Alphabet::dna ? 16 : kMostCodes;
}
/// The set of letters that a code stands for, by code.
const std::array<u32, kMostCodes>& sets_of(Alphabet alphabet);
/// The code of letter number `letter` of an alphabet.
constexpr u8 code_of(Alphabet alphabet, u32 letter) {
  return static_cast<u8>(alphabet == Alphabet::dna ? 1u << letter : letter + 1);
}
/// The letter that is written for a code.
char letter_of(Alphabet alphabet, u8 code);

/// The code of a letter of either case; 0 for what is none. Of nucleotides N, X, '-', '.' and '?' stand for
/// every base; of amino acids X, '*', '-', '.' and '?' do, U (selenocysteine) is read as C and O
/// (pyrrolysine) as K.
u8 letter_code(Alphabet alphabet, char letter);
/// The set of a letter; 0 for what is none.
u32 letter_set(Alphabet alphabet, char letter);
/// '-' or '.': a gap. What else stands for every letter is taken as a gap too where CGAP is computed (the
/// paper's program does so).
bool is_gap(char letter);

/// The letters that letter_code() knows, gaps left out, and in words.
std::string_view all_letters(Alphabet alphabet);
std::string_view allowed_letters(Alphabet alphabet);

}  // namespace gpuseq::papara
