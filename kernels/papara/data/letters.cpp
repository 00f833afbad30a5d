#include "kernels/papara/data/letters.hpp"

#include <fmt/format.h>

#include "runtime/contract/errors.hpp"

namespace gpuseq::papara {
namespace {

constexpr std::string_view kNucleotides = "-ACMGRSVTWYHKDBN";  // indexed by code, which is the set
constexpr std::string_view kResidues = "-ACDEFGHIKLMNPQRSTVWYBZJX";
static_assert(kResidues.size() == kMostCodes && kNucleotides.size() == code_count(Alphabet::dna));
static_assert(kResidues.substr(1, kAminoAcidLetters.size()) == kAminoAcidLetters);
static_assert(kAminoAcidLetters.size() == letters_of(Alphabet::protein));

constexpr std::array<std::array<u32, kMostCodes>, 2> kSets = [] {
  std::array<std::array<u32, kMostCodes>, 2> sets{};
  for (u32 code = 0; code < kNucleotides.size(); ++code) sets[0][code] = code;
  for (u32 code = 0; code < kResidues.size(); ++code) sets[1][code] = amino_acids_of(kResidues[code]);
  return sets;
}();

using Codes = std::array<u8, 256>;

constexpr void add(Codes& codes, char letter, std::size_t code) {
  codes[static_cast<u8>(letter)] = static_cast<u8>(code);
  if (letter >= 'A' && letter <= 'Z')
    codes[static_cast<u8>(letter - 'A' + 'a')] = codes[static_cast<u8>(letter)];
}

constexpr Codes codes_by(std::string_view letters) {
  Codes codes{};
  for (std::size_t code = 1; code < letters.size(); ++code) add(codes, letters[code], code);
  return codes;
}

constexpr std::array<Codes, 2> kCodes = [] {
  std::array<Codes, 2> codes{codes_by(kNucleotides), codes_by(kResidues)};
  const std::size_t base = kNucleotides.find('N'), residue = kResidues.find('X');
  for (const char any : {'-', '.', '?', 'X'}) {
    add(codes[0], any, base);
    add(codes[1], any, residue);
  }
  add(codes[0], 'U', kNucleotides.find('T'));
  add(codes[1], '*', residue);
  add(codes[1], 'U', kResidues.find('C'));
  add(codes[1], 'O', kResidues.find('K'));
  return codes;
}();

constexpr std::size_t place(Alphabet alphabet) {
  return alphabet == Alphabet::dna ? 0 : 1;
}

}  // namespace

std::string_view alphabet_word(Alphabet alphabet) {
  return alphabet == Alphabet::dna ? "dna" : "protein";
}

Alphabet parse_alphabet(std::string_view word) {
  for (const Alphabet alphabet : {Alphabet::dna, Alphabet::protein})
    if (word == alphabet_word(alphabet)) return alphabet;
  throw UsageError(fmt::format("alphabet: found '{}', allowed: dna, protein", word));
}

std::string_view letters_word(Alphabet alphabet) {
  return alphabet == Alphabet::dna ? "bases" : "residues";
}

const std::array<u32, kMostCodes>& sets_of(Alphabet alphabet) {
  return kSets[place(alphabet)];
}

char letter_of(Alphabet alphabet, u8 code) {
  return (alphabet == Alphabet::dna ? kNucleotides : kResidues)[code];
}

u8 letter_code(Alphabet alphabet, char letter) {
  return kCodes[place(alphabet)][static_cast<u8>(letter)];
}

u32 letter_set(Alphabet alphabet, char letter) {
  return sets_of(alphabet)[letter_code(alphabet, letter)];
}

bool is_gap(char letter) {
  return letter == '-' || letter == '.';
}

std::string_view all_letters(Alphabet alphabet) {
  return alphabet == Alphabet::dna ? "ACGTURYSWKMBDHVNX" : "ACDEFGHIKLMNPQRSTVWYBZJXUO*";
}

std::string_view allowed_letters(Alphabet alphabet) {
  return alphabet == Alphabet::dna ? "IUPAC nucleotides, '-', '.', '?' (alphabet = dna)"
                                   : "IUPAC amino acids, '*', '-', '.', '?' (alphabet = protein)";
}

}  // namespace gpuseq::papara
