#include "kernels/papara/oracle.hpp"

#include <gtest/gtest.h>

#include <cctype>

#include "tests/kernels/papara/brute_force.hpp"
#include "tests/kernels/papara/codes.hpp"

namespace gpuseq::papara {
namespace {

using testing::codes;

i32 score(std::string_view sites, std::string_view bases, const Penalties& penalties = {}) {
  return oracle_score(testing::dna(codes(sites)), codes(bases), penalties);
}

TEST(PaparaOracle, OneBaseOnOneSiteCostsItsMismatchAndItsGapFlag) {
  EXPECT_EQ(score("A", "A"), 0);
  EXPECT_EQ(score("A", "C"), 3);  // M
  EXPECT_EQ(score("a", "A"), 3);  // CG
  EXPECT_EQ(score("a", "C"), 6);  // M + CG
  EXPECT_EQ(score("A", "N"), 0);
  // The row above the only cell is out of the band, so that no insertion is possible, whatever it costs.
  EXPECT_EQ(score("A", "C", {.insertion = 0}), 3);
}

TEST(PaparaOracle, AQueryAsLongAsTheReferenceHasOneAlignment) {
  EXPECT_EQ(score("ACGT", "ACGT"), 0);
  EXPECT_EQ(score("ACGT", "CGTA"), 12);
  EXPECT_EQ(score("AcgT", "ACGA"), 3 + 3 + 3);  // two flags, one mismatch
  EXPECT_EQ(score("ACGT", "CGTA", {.insertion = 0}), 12);
}

TEST(PaparaOracle, OneBaseTakesTheBestSite) {
  EXPECT_EQ(score("CCACC", "A"), 0);
  EXPECT_EQ(score("CCCCA", "A"), 0);
  EXPECT_EQ(score("ACCCC", "A"), 0);
  EXPECT_EQ(score("CCaCC", "A"), 3);  // 3 for the flag, 3 for any mismatch, 3 for an insertion
  EXPECT_EQ(score("CCaCC", "A", {.mismatch = 9, .cgap = 8, .insertion = 7}), 7);
}

TEST(PaparaOracle, SkippedSitesOpenAndExtendADeletion) {
  const Penalties dear{.mismatch = 9, .cgap = 9, .insertion = 9};
  EXPECT_EQ(score("AATCC", "AACC", dear), 4);       // T skipped
  EXPECT_EQ(score("AATTCC", "AACC", dear), 4 + 1);  // both T
  EXPECT_EQ(score("AATTTCC", "AACC", dear), 4 + 1 + 1);
  EXPECT_EQ(score("AATCC", "AACC"), 3);  // the paper's mismatch is cheaper than a deletion
}

TEST(PaparaOracle, ADeletionIsFreeWhereTheFlagIsSet) {
  const Penalties dear{.mismatch = 9, .cgap = 9, .insertion = 9};
  EXPECT_EQ(score("AAtCC", "AACC", dear), 0);
  EXPECT_EQ(score("AAttCC", "AACC", dear), 0);
  EXPECT_EQ(score("AAtTCC", "AACC", dear), 1);  // opened for nothing at t, extended at T
  EXPECT_EQ(score("AATtCC", "AACC", dear), 4);
}

TEST(PaparaOracle, ABaseBetweenTwoSitesIsAnInsertion) {
  // A A at sites 1 and 2, T inserted, C C at sites 3 and 4; both ways without insertion have two mismatches.
  EXPECT_EQ(score("GAACCG", "AATCC"), 3);
  EXPECT_EQ(score("GAACCG", "AATCC", {.insertion = 5}), 5);
  EXPECT_EQ(score("GAACCG", "AATCC", {.insertion = 7}), 6);
}

TEST(PaparaOracle, AllFlagsSetMakeEveryAlignedBaseCostAndEveryDeletionFree) {
  EXPECT_EQ(score("aaaa", "AA"), 6);
  EXPECT_EQ(score("aaaa", "AA", {.insertion = 2}), 4);  // both inserted behind site 1
  EXPECT_EQ(score("agcgt", "ACT"), 9);                  // g and g skipped for nothing
}

TEST(PaparaOracle, AmbiguousBasesMatchEverySite) {
  EXPECT_EQ(score("ACGTACGT", "NNNNN"), 0);
  EXPECT_EQ(score("NNNNNNNN", "ACGTA"), 0);
}

TEST(PaparaOracle, IsTheLeastCostOfAllAlignmentsThatThereAre) {
  Random random(1);
  for (int repetition = 0; repetition < 5000; ++repetition) {
    const auto n = 1 + random.below(6);
    const auto m = 1 + random.below(std::min<u64>(n, 4));
    const Alphabet alphabet = repetition % 2 == 0 ? Alphabet::dna : Alphabet::protein;
    const auto bytes = testing::random_sites(alphabet, 1, n, random);
    const SiteRow sites(alphabet, bytes);
    const auto bases = testing::random_bases(alphabet, m, random);
    const Penalties penalties = repetition % 3 == 0 ? Penalties{} : testing::random_penalties(random);
    ASSERT_EQ(oracle_score(sites, bases, penalties), testing::BruteForce(sites, bases, penalties).score())
        << "n " << n << ", m " << m << ", repetition " << repetition;
  }
}

/// The bytes of sites of amino acids: each letter its set; lower case: with CGAP set.
std::vector<u8> residue_sites(std::string_view letters) {
  std::vector<u8> bytes;
  for (u32 plane = 0; plane < 3; ++plane)
    for (const char letter : letters)
      bytes.push_back(static_cast<u8>(
          (letter_set(Alphabet::protein, letter) | (std::islower(letter) ? 1u << 20 : 0u)) >> (8 * plane)));
  return bytes;
}

i32 residue_score(std::string_view sites, std::string_view residues, const Penalties& penalties = {}) {
  std::vector<u8> codes;
  for (const char letter : residues) codes.push_back(letter_code(Alphabet::protein, letter));
  const std::vector<u8> bytes = residue_sites(sites);
  return oracle_score({Alphabet::protein, bytes}, codes, penalties);
}

TEST(PaparaOracle, AminoAcidsCostAsBasesDo) {
  for (const char letter : kAminoAcidLetters)
    for (const char other : kAminoAcidLetters)
      EXPECT_EQ(residue_score(std::string(1, letter), std::string(1, other)), letter == other ? 0 : 3);
  EXPECT_EQ(residue_score("MKWV", "MKWV"), 0);
  EXPECT_EQ(residue_score("MKWV", "MRWV"), 3);
  EXPECT_EQ(residue_score("MkWV", "MKWV"), 3);
  EXPECT_EQ(residue_score("MKyyWV", "MKWV", {.mismatch = 9, .cgap = 9, .insertion = 9}), 0);
  EXPECT_EQ(residue_score("DN", "BB"), 0);
  EXPECT_EQ(residue_score("EQIL", "ZZJJ"), 0);
  EXPECT_EQ(residue_score("DNEQ", "ZBBB"), 3 + 0 + 3 + 3);
  EXPECT_EQ(residue_score("WWWW", "XXXX"), 0);
  EXPECT_EQ(residue_score("CK", "UO"), 0);
}

TEST(PaparaOracle, NeverExceedsEveryBaseBeingMismatchedAtAFlag) {
  Random random(2);
  for (int repetition = 0; repetition < 200; ++repetition) {
    const auto m = 1 + random.below(30);
    const auto bases = testing::random_bases(m, random);
    const auto sites = testing::random_sites(m + random.below(40), random);
    const Penalties penalties = testing::random_penalties(random);
    EXPECT_LE(oracle_score(testing::dna(sites), bases, penalties),
              static_cast<i32>(m) * (penalties.mismatch + penalties.cgap));
  }
}

}  // namespace
}  // namespace gpuseq::papara
