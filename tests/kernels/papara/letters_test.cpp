#include "kernels/papara/data/letters.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "kernels/papara/data/alignment_data.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::papara {
namespace {

u32 base(char letter) {
  return letter_set(Alphabet::dna, letter);
}
u32 residue(char letter) {
  return letter_set(Alphabet::protein, letter);
}

TEST(PaparaLetters, OfNucleotidesAreIupacs) {
  EXPECT_EQ(base('A'), 1u);
  EXPECT_EQ(base('c'), 2u);
  EXPECT_EQ(base('G'), 4u);
  EXPECT_EQ(base('T'), 8u);
  EXPECT_EQ(base('u'), 8u);
  const std::vector<std::pair<char, std::string>> ambiguous{
      {'R', "AG"}, {'Y', "CT"},  {'S', "CG"},  {'W', "AT"},  {'K', "GT"},
      {'M', "AC"}, {'B', "CGT"}, {'D', "AGT"}, {'H', "ACT"}, {'V', "ACG"}};
  for (const auto& [letter, bases] : ambiguous) {
    u32 set = 0;
    for (const char one : bases) set |= base(one);
    EXPECT_EQ(base(letter), set) << letter;
  }
  for (const char letter : {'N', 'n', 'X', '-', '.', '?'}) EXPECT_EQ(base(letter), 15u) << letter;
  for (const char letter : {'J', ' ', '1', '*', '\xff', '\0'}) EXPECT_EQ(base(letter), 0u) << letter;
  EXPECT_TRUE(is_gap('-') && is_gap('.'));
  EXPECT_FALSE(is_gap('N') || is_gap('?') || is_gap('A'));
}

TEST(PaparaLetters, OfAminoAcidsHaveABitEachAndTheAmbiguousThoseTheyStandFor) {
  u32 all = 0;
  for (const char letter : std::string("ARNDCQEGHILKMFPSTWYV")) {
    EXPECT_EQ(all & residue(letter), 0u) << letter;
    all |= residue(letter);
    EXPECT_EQ(residue(static_cast<char>(letter - 'A' + 'a')), residue(letter));
  }
  EXPECT_EQ(all, 0xfffffu);
  EXPECT_EQ(residue('B'), residue('D') | residue('N'));
  EXPECT_EQ(residue('z'), residue('E') | residue('Q'));
  EXPECT_EQ(residue('J'), residue('I') | residue('L'));
  EXPECT_EQ(residue('U'), residue('C'));
  EXPECT_EQ(residue('o'), residue('K'));
  for (const char letter : {'X', 'x', '*', '-', '.', '?'}) EXPECT_EQ(residue(letter), all) << letter;
  for (const char letter : {' ', '1', '!', '\xff', '\0'}) EXPECT_EQ(residue(letter), 0u) << letter;
}

TEST(PaparaLetters, EveryCodeIsWrittenAsALetterOfItsSet) {
  for (const Alphabet alphabet : {Alphabet::dna, Alphabet::protein})
    for (u32 code = 1; code < code_count(alphabet); ++code) {
      const char letter = letter_of(alphabet, static_cast<u8>(code));
      EXPECT_EQ(letter_set(alphabet, letter), sets_of(alphabet)[code]) << letter;
      EXPECT_NE(all_letters(alphabet).find(letter), std::string_view::npos) << letter;
    }
  for (const Alphabet alphabet : {Alphabet::dna, Alphabet::protein})
    for (u32 letter = 0; letter < letters_of(alphabet); ++letter)
      EXPECT_EQ(sets_of(alphabet)[code_of(alphabet, letter)], 1u << letter);
}

TEST(PaparaLetters, AlphabetsHaveWords) {
  for (const Alphabet alphabet : {Alphabet::dna, Alphabet::protein})
    EXPECT_EQ(parse_alphabet(alphabet_word(alphabet)), alphabet);
  EXPECT_THROW(parse_alphabet("rna"), UsageError);
}

TEST(PaparaLetters, SitesInPlanesAreWhatTheirWordsSay) {
  const std::vector<u8> bytes{1, 2, 3, 0x10, 0x20, 0x30, 0x1f, 0x00, 0x08};
  const SiteRow sites(Alphabet::protein, bytes);
  EXPECT_EQ(sites.size(), 3u);
  EXPECT_EQ(words_of(sites), (std::vector<u32>{0x1f1001, 0x002002, 0x083003}));
  for (std::size_t site = 0; site < 3; ++site) EXPECT_EQ(sites[site], words_of(sites)[site]);
}

}  // namespace
}  // namespace gpuseq::papara
